// The program of the threads that evaluate recordings: one at a time.
import { parentPort } from 'node:worker_threads';
import { make, octetsOf, orderedIn } from './evaluation.ts';
import type { EvaluationOrder } from './evaluation-order.ts';

parentPort?.on('message', (order: EvaluationOrder) => {
  const made = make(orderedIn(order));
  parentPort?.postMessage(made, octetsOf(made));
});
