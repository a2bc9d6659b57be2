// What the thread runs that renders results: one at a time, in turn.
import { parentPort } from 'node:worker_threads';
import { type Packed, unpacked } from '../../base/packing.ts';
import { readShape } from '../../base/shape.ts';
import { RESULT } from '../../document/result.ts';
import { renderedAs } from './rendered.ts';
import type { RenderOrder } from './renderer.ts';

parentPort?.on('message', async ({ form, result }: RenderOrder) => {
  const rendered = await renderedAs(form, readShape(RESULT, await parsed(result)));
  // The text changes hands without being copied.
  parentPort?.postMessage(rendered, rendered.kind === 'rendered' ? [rendered.octets.buffer] : []);
});

async function parsed(result: readonly Packed[]): Promise<unknown> {
  const pieces = await Promise.all(result.map(unpacked));
  return JSON.parse(Buffer.concat(pieces).toString());
}
