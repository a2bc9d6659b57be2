// The program of the threads that evaluate large recordings: one at a time.
import { parentPort } from 'node:worker_threads';
import { type EvaluationOrder, make, octetsOf, recordedIn } from './evaluation-order.ts';

parentPort?.on('message', (order: EvaluationOrder) => {
  const made = make(order.making, recordedIn(order));
  parentPort?.postMessage(made, octetsOf(made));
});
