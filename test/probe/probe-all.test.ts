import t from 'tap';
import type { Probe, Probed, Probing } from '../../src/exchange/probed.ts';
import type { Query } from '../../src/exchange/query.ts';
import type { Budget } from '../../src/explore/budget.ts';
import { probeAll } from '../../src/probe/probe-all.ts';
import { parseName } from '../../src/wire/name.ts';

const NEVER = new AbortController().signal;
const PLENTY: Budget = { maxQueries: 100, maxTimeMs: 60_000 };
const AROUND = { budget: PLENTY, mayAsk: () => true, signal: NEVER };

const PROBES: readonly Probe[] = ['a.test', 'b.test', 'c.test'].map((name, index) => {
  return { probe: 'tcp', address: `192.0.2.${index + 1}`, question: { name: parseName(name), type: 'SOA' } };
});

function probed(probe: Probe): Probed {
  const traffic = { packetsSent: 1, packetsReceived: 1, bytesSent: 40, bytesReceived: 40 };
  return { ...probe, outcome: { kind: 'timeout' }, transport: 'tcp', tries: [], elapsedMs: 1, traffic };
}

/** Sends one packet for each probe, and answers all of them when `answer` is called. */
function world() {
  const sent: string[] = [];
  const waiting: (() => void)[] = [];
  const probing: Probing = (probe, signal, leaving) =>
    new Promise((resolve, reject) => {
      leaving?.();
      if (signal.aborted) return reject(signal.reason);
      sent.push(probe.question.name);
      signal.addEventListener('abort', () => reject(signal.reason));
      // The last to be asked is the first to answer.
      waiting.unshift(() => resolve(probed(probe)));
    });
  const answer = () => {
    for (const one of waiting) one();
  };
  return { probing, sent, answer };
}

t.test('all go out at once, and come back in their order', async (t) => {
  const { probing, sent, answer } = world();
  const done = probeAll(PROBES, { ...AROUND, probing });
  t.same(sent, ['a.test.', 'b.test.', 'c.test.']);
  answer();
  t.same(await done, PROBES.map(probed));
});

t.test('what may not be asked is not sent, also if that changes while it waits', async (t) => {
  const sent: string[] = [];
  const denied = new Set(['a.test.']);
  const mayAsk = ({ question }: Query) => !denied.has(question.name);
  const probing: Probing = async (probe, _signal, leaving) => {
    denied.add('b.test.');
    leaving?.();
    sent.push(probe.question.name);
    return probed(probe);
  };
  t.same(await probeAll(PROBES, { ...AROUND, probing, mayAsk }), PROBES.slice(2).map(probed));
  t.same(sent, ['c.test.']);
});

t.test('what is left of the budget bounds them', async (t) => {
  const { probing, sent } = world();
  const packets = await probeAll(PROBES, { ...AROUND, probing, budget: { ...PLENTY, maxPackets: 2 } });
  t.same(packets, [], 'none had ended when the third would have left');
  t.same(sent, ['a.test.', 'b.test.']);
  const timeless = await probeAll(PROBES, {
    ...AROUND,
    probing: world().probing,
    budget: { ...PLENTY, maxTimeMs: -1 },
  });
  t.same(timeless, [], 'no time is left');
});

t.test('who is stopped gets what is known', async (t) => {
  const { probing } = world();
  const stop = new AbortController();
  const [first] = PROBES;
  const some: Probing = (probe, signal, leaving) =>
    probe === first ? Promise.resolve(probed(probe)) : probing(probe, signal, leaving);
  const done = probeAll(PROBES, { ...AROUND, probing: some, signal: stop.signal });
  stop.abort();
  t.same(
    (await done).map(({ address }) => address),
    ['192.0.2.1'],
  );
  t.same(await probeAll(PROBES, { ...AROUND, probing, signal: stop.signal }), []);
});

t.test('a bug is reported', async (t) => {
  const probing: Probing = () => Promise.reject(new Error('a bug'));
  await t.rejects(probeAll(PROBES, { ...AROUND, probing }), { message: 'a bug' });
});
