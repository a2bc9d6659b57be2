// The program of the thread that renders results: one at a time, in turn.
import { parentPort } from 'node:worker_threads';
import { jsonLine } from '../base/json.ts';
import { type Packed, packed, unpacked } from '../base/packing.ts';
import { readShape } from '../base/shape.ts';
import { RESULT, type TraversalResult } from '../document/result.ts';
import { FORMATS } from '../report/formats.ts';
import { loadGraphviz } from '../report/graphviz.ts';
import { leadTimesOf } from '../report/when/times.ts';
import { isExchangeId, type Rendered, type RenderedForm, type RenderOrder } from './renderer.ts';

parentPort?.on('message', async ({ form, result }: RenderOrder) => {
  const rendered = await renderedAs(form, readShape(RESULT, await parsed(result)));
  // The text changes hands without being copied.
  parentPort?.postMessage(rendered, rendered.kind === 'rendered' ? [rendered.text.octets.buffer] : []);
});

async function parsed(result: readonly Packed[]): Promise<unknown> {
  const pieces = await Promise.all(result.map(unpacked));
  return JSON.parse(Buffer.concat(pieces).toString());
}

/** Renders a result as the command line does where its output is no terminal. */
async function renderedAs(form: RenderedForm, result: TraversalResult): Promise<Rendered> {
  if (form === 'when') return rendered(jsonLine(leadTimesOf(result)));
  if (isExchangeId(form)) {
    const row = [...result.exchanges, ...(result.probes ?? [])].find(({ id }) => id === form);
    return row === undefined ? { kind: 'no-exchange' } : rendered(jsonLine(row));
  }
  const { made } = FORMATS[form];
  switch (made.kind) {
    case 'text':
      return rendered(await made.render(result, PLAIN));
    case 'picture': {
      const graphviz = await loadGraphviz();
      return graphviz === undefined ? { kind: 'no-graphviz' } : rendered(await made.draw(result, graphviz));
    }
  }
}

const PLAIN = { colour: 'off', detail: 'terse', width: Number.POSITIVE_INFINITY } as const;

function rendered(text: string): Rendered {
  return { kind: 'rendered', text: packed(new TextEncoder().encode(text)) };
}
