import t, { type Test } from 'tap';
import { packed } from '../../src/base/packing.ts';
import { createRenderer, type RenderedFormat, type Rendering } from '../../src/traversal/threads/renderer.ts';
import { createFakeClock } from '../base/fake-clock.ts';
import { savedResult } from '../report/graph-results.ts';

/** Built: it starts much faster than its source. */
const program = new URL('../../dist/render-worker.js', import.meta.url);

/** A program that takes orders and does `work` with each. */
const made = (work: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`
      import { parentPort } from 'node:worker_threads';
      const octets = new TextEncoder().encode('drawn');
      parentPort.on('message', ({ form }) => { ${work} });`)}`,
  );

const DRAW = "parentPort.postMessage({ kind: 'rendered', octets });";

function rendererOf(t: Test, settings: Parameters<typeof createRenderer>[0] = {}) {
  const renderer = createRenderer(settings);
  t.teardown(renderer.close);
  const order = (form: RenderedFormat, text = JSON.stringify(savedResult('mixed'))) => ({
    form,
    result: [packed(Buffer.from(text.slice(0, 5_000))), packed(Buffer.from(text.slice(5_000)))],
  });
  return { renderer, order };
}

const textOf = (rendering: Rendering) =>
  rendering.kind === 'rendered' ? Buffer.from(rendering.octets).toString() : rendering.kind;

t.test('results are rendered in turn', async (t) => {
  const { renderer, order } = rendererOf(t, { program });
  const forms = ['text', 'dot', 'mermaid', 'svg'] as const;
  const texts = (await Promise.all(forms.map((form) => renderer.render(order(form), 'a')))).map(textOf);
  for (const [index, begins] of [/^www\.mixed\.example\. A/, /^digraph /, /^---\n/, /^<\?xml /].entries())
    t.match(texts[index], begins);
});

t.test('the queue is short, and shorter for one party', async (t) => {
  const { renderer, order } = rendererOf(t, { program: made(DRAW) });
  const kindsOf = async (parties: readonly string[]) =>
    (await Promise.all(parties.map((party) => renderer.render(order('dot'), party)))).map(({ kind }) => kind);
  t.same(await kindsOf(Array(6).fill('a')), [...Array(4).fill('rendered'), 'busy', 'busy']);
  const many = Array.from({ length: 18 }, (_, index) => `p${index}`);
  t.same(await kindsOf(many), [...Array(16).fill('rendered'), 'busy', 'busy']);
});

t.test('what takes too long is given up, and the next has a new thread', async (t) => {
  const clock = createFakeClock();
  const program = made(`if (form === 'svg') for (;;); else { ${DRAW} }`);
  const { renderer, order } = rendererOf(t, { program, clock, mostMs: 1_000 });
  const slow = renderer.render(order('svg'), 'a');
  const next = renderer.render(order('dot'), 'b');
  await clock.advance(1_000);
  t.equal((await slow).kind, 'too-much');
  t.equal(textOf(await next), 'drawn');
});

t.test('what needs too much memory is given up', async (t) => {
  const program = made(
    `if (form === 'svg') { const all = []; for (;;) all.push(Array(1e5).fill({})); } else { ${DRAW} }`,
  );
  const { renderer, order } = rendererOf(t, { program });
  const [large, next] = await Promise.all([
    renderer.render(order('svg'), 'a'),
    renderer.render(order('dot'), 'b'),
  ]);
  t.equal(large.kind, 'too-much');
  t.equal(textOf(next), 'drawn');
  const most = {
    form: 'dot',
    result: [{ form: 'plain', octets: new Uint8Array(), length: 33 * 2 ** 20 }],
  } as const;
  t.equal((await renderer.render(most, 'a')).kind, 'too-much', 'or is not even begun');
});

t.test('a bug is a bug, and harms nobody else', async (t) => {
  const { renderer, order } = rendererOf(t, { program });
  const wrong = renderer.render(order('dot', '{}'.padEnd(5_001)), 'a');
  const next = renderer.render(order('dot'), 'b');
  await t.rejects(wrong);
  t.match(textOf(await next), /^digraph /);
});

t.test('a thread goes when it has had nothing to do for a minute', async (t) => {
  const clock = createFakeClock();
  const program = made(`globalThis.count = (globalThis.count ?? 0) + 1; octets.set([48 + count]); ${DRAW}`);
  const { renderer, order } = rendererOf(t, { program, clock });
  const drawn = async () => textOf(await renderer.render(order('dot'), 'a'));
  t.equal(await drawn(), '1rawn');
  await clock.advance(59_000);
  t.equal(await drawn(), '2rawn');
  await clock.advance(60_000);
  t.equal(await drawn(), '1rawn', 'another thread');
});

t.test('closing drops all', async (t) => {
  const { renderer, order } = rendererOf(t, { program: made('') });
  const waiting = [renderer.render(order('dot'), 'a'), renderer.render(order('dot'), 'b')];
  await renderer.close();
  for (const one of [...waiting, renderer.render(order('dot'), 'c')]) t.equal((await one).kind, 'dropped');
});
