import t, { type Test } from 'tap';
import { packed, unpacked } from '../../src/base/packing.ts';
import type { Blocks } from '../../src/base/turn-line.ts';
import { createRenderer, type RenderedFormat, type Rendering } from '../../src/service/renderer.ts';
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
      const text = { form: 'plain', octets, length: 5 };
      parentPort.on('message', ({ form }) => { ${work} });`)}`,
  );

const DRAW = "parentPort.postMessage({ kind: 'rendered', text });";

function rendererOf(t: Test, settings: Parameters<typeof createRenderer>[0] = {}) {
  const renderer = createRenderer(settings);
  t.teardown(renderer.close);
  const order = (form: RenderedFormat, text = JSON.stringify(savedResult('mixed'))) => ({
    form,
    result: [packed(Buffer.from(text.slice(0, 5_000))), packed(Buffer.from(text.slice(5_000)))],
  });
  return { renderer, order };
}

const of = (name: string): Blocks => [{ name, step: 1 }];

const textOf = async (rendering: Rendering) =>
  rendering.kind === 'rendered' ? Buffer.from(await unpacked(rendering.text)).toString() : rendering.kind;

t.test('results are rendered in turn', async (t) => {
  const { renderer, order } = rendererOf(t, { program });
  const forms = ['text', 'dot', 'mermaid', 'svg'] as const;
  const renderings = await Promise.all(forms.map((form) => renderer.render(order(form), of('a'))));
  const texts = await Promise.all(renderings.map(textOf));
  for (const [index, begins] of [/^www\.mixed\.example\. A/, /^digraph /, /^---\n/, /^<\?xml /].entries())
    t.match(texts[index], begins);
});

t.test('the queue is short, and shorter for one party', async (t) => {
  const { renderer, order } = rendererOf(t, { program: made(DRAW) });
  const kindsOf = async (parties: readonly string[]) =>
    (await Promise.all(parties.map((party) => renderer.render(order('dot'), of(party))))).map(
      ({ kind }) => kind,
    );
  t.same(await kindsOf(Array(6).fill('a')), [...Array(4).fill('rendered'), 'busy', 'busy']);
  const many = Array.from({ length: 18 }, (_, index) => `p${index}`);
  t.same(await kindsOf(many), [...Array(16).fill('rendered'), 'busy', 'busy']);
});

t.test('parties take turns, and in a full queue the one that has most loses its last', async (t) => {
  const { renderer, order } = rendererOf(t, { program: made(DRAW) });
  const done: string[] = [];
  const ask = async (name: string) => {
    const { kind } = await renderer.render(order('dot'), of(name.slice(0, 2)));
    done.push(kind === 'rendered' ? name : `${kind} ${name}`);
  };
  const crowd = Array.from({ length: 4 }, (_, n) =>
    ['1', '2', '3'].map((serial) => `p${n}#${serial}`),
  ).flat();
  const asked = ['p0#0', ...crowd, 'q0#1', 'q1#1', 'q2#1', 'q3#1'].map(ask);
  await Promise.all(asked);
  t.same(
    done.filter((one) => one.startsWith('busy')),
    ['busy p3#3'],
  );
  t.ok(done.indexOf('q3#1') < done.indexOf('p0#2'));
});

t.test('what takes too long is given up, and the next has a new thread', async (t) => {
  const clock = createFakeClock();
  const program = made(`if (form === 'svg') for (;;); else { ${DRAW} }`);
  const { renderer, order } = rendererOf(t, { program, clock, mostMs: 1_000 });
  const slow = renderer.render(order('svg'), of('a'));
  const next = renderer.render(order('dot'), of('b'));
  await clock.advance(1_000);
  t.equal((await slow).kind, 'too-much');
  t.equal(await textOf(await next), 'drawn');
});

t.test('what needs too much memory is given up', async (t) => {
  const program = made(
    `if (form === 'svg') { const all = []; for (;;) all.push(Array(1e5).fill({})); } else { ${DRAW} }`,
  );
  const { renderer, order } = rendererOf(t, { program });
  const [large, next] = await Promise.all([
    renderer.render(order('svg'), of('a')),
    renderer.render(order('dot'), of('b')),
  ]);
  t.equal(large.kind, 'too-much');
  t.equal(await textOf(next), 'drawn');
  const most = {
    form: 'dot',
    result: [{ form: 'plain', octets: new Uint8Array(), length: 33 * 2 ** 20 }],
  } as const;
  t.equal((await renderer.render(most, of('a'))).kind, 'too-much', 'or is not even begun');
});

t.test('a bug is a bug, and harms nobody else', async (t) => {
  const { renderer, order } = rendererOf(t, { program });
  const wrong = renderer.render(order('dot', '{}'.padEnd(5_001)), of('a'));
  const next = renderer.render(order('dot'), of('b'));
  await t.rejects(wrong);
  t.match(await textOf(await next), /^digraph /);
});

t.test('a thread goes when it has had nothing to do for a minute', async (t) => {
  const clock = createFakeClock();
  const program = made(`globalThis.count = (globalThis.count ?? 0) + 1; octets.set([48 + count]); ${DRAW}`);
  const { renderer, order } = rendererOf(t, { program, clock });
  const drawn = async () => await textOf(await renderer.render(order('dot'), of('a')));
  t.equal(await drawn(), '1rawn');
  await clock.advance(59_000);
  t.equal(await drawn(), '2rawn');
  await clock.advance(60_000);
  t.equal(await drawn(), '1rawn', 'another thread');
});

t.test('closing drops all', async (t) => {
  const { renderer, order } = rendererOf(t, { program: made('') });
  const waiting = [renderer.render(order('dot'), of('a')), renderer.render(order('dot'), of('b'))];
  await renderer.close();
  for (const one of [...waiting, renderer.render(order('dot'), of('c'))])
    t.equal((await one).kind, 'dropped');
});
