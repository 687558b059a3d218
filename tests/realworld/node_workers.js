// Workers of Node.js, which count in shared memory and send a message each.
const { Worker, isMainThread, parentPort, workerData } = require("worker_threads");

if (isMainThread) {
  const counter = new Int32Array(new SharedArrayBuffer(4));
  const answers = [];
  for (let i = 0; i < 2; ++i) {
    const worker = new Worker(__filename, { workerData: { i, counter } });
    worker.on("message", (answer) => answers.push(answer));
    worker.on("exit", () => {
      if (answers.length === 2 && Atomics.add(counter, 0, 1) === 3)
        console.log(answers.sort().join(" "), Atomics.load(counter, 0));
    });
  }
} else {
  Atomics.add(workerData.counter, 0, 1);
  parentPort.postMessage(`worker ${workerData.i}`);
}
