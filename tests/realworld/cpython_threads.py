"""Threads of CPython: a pool, a bounded queue, a barrier and joins with a timeout."""

import concurrent.futures
import queue
import threading


def through_a_queue():
    numbers, total = queue.Queue(2), []

    def consume():
        while (number := numbers.get()) is not None:
            total.append(number * number)
            numbers.task_done()

    consumers = [threading.Thread(target=consume) for _ in range(2)]
    for consumer in consumers:
        consumer.start()
    for number in range(6):
        numbers.put(number)
    numbers.join()
    for _ in consumers:
        numbers.put(None)
    for consumer in consumers:
        consumer.join()
    return sum(total)


def in_rounds():
    barrier, lock, rounds = threading.Barrier(3), threading.Lock(), []

    def work():
        for _ in range(2):
            barrier.wait()
            with lock:
                rounds.append(1)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        while thread.is_alive():
            thread.join(timeout=600)
    return len(rounds)


with concurrent.futures.ThreadPoolExecutor(3) as pool:
    squares = list(pool.map(lambda number: number * number, range(5)))
print(through_a_queue(), in_rounds(), squares)
