// Threads of a JVM: a pool, a bounded queue, monitors and joins.
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

public class Threads {
  public static void main(String[] arguments) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(2);
    ArrayBlockingQueue<Integer> queue = new ArrayBlockingQueue<>(1);
    Future<Integer> sum = pool.submit(() -> {
      int total = 0;
      for (int i = 0; i < 4; ++i) total += queue.take();
      return total;
    });
    pool.submit(() -> {
      for (int i = 0; i < 4; ++i) queue.put(i);
      return 0;
    });
    Object lock = new Object();
    int[] count = {0};
    Thread[] threads = new Thread[2];
    for (int i = 0; i < threads.length; ++i) {
      threads[i] = new Thread(() -> {
        synchronized (lock) {
          ++count[0];
          lock.notifyAll();
        }
      });
      threads[i].start();
    }
    synchronized (lock) {
      while (count[0] < threads.length) lock.wait();
    }
    for (Thread thread : threads) thread.join();
    System.out.println("sum " + sum.get() + ", " + count[0] + " threads");
    pool.shutdown();
  }
}
