import t from 'tap';
import type { Exchange, Exchanged, Failure, Query, Reply } from '../../src/exchange/exchanged.ts';
import { shareExchanges } from '../../src/exchange/shared.ts';
import { parseName } from '../../src/wire/name.ts';
import { createFakeClock, settled } from './fake-clock.ts';

const KEPT = { maxAgeMs: 10, maxKept: 2 };
const FOREVER = new AbortController().signal;

const REPLY: Reply = {
  kind: 'reply',
  rcode: 'NOERROR',
  flags: ['qr'],
  rttMs: 1,
  bytes: 12,
  answer: [],
  authority: [],
  additional: [],
};

const RECORDED = {
  transport: 'udp',
  tries: [],
  elapsedMs: 1,
  traffic: { packetsSent: 1, packetsReceived: 1, bytesSent: 12, bytesReceived: 12 },
} as const;

t.test('who asks what is under way waits for the same exchange', async (t) => {
  const { ask, asked, end } = shared();
  const both = Promise.all([ask('a'), ask('a')]);
  t.same(asked, ['a']);
  end('a', REPLY);
  const [first, second] = await both;
  t.equal(first, second);
});

t.test('a reply is given again until it is too old', async (t) => {
  const { ask, asked, end, clock } = shared();
  await Promise.all([ask('a'), end('a', REPLY)]);
  await clock.advance(10);
  await ask('a');
  t.same(asked, ['a']);
  await clock.advance(1);
  await Promise.all([ask('a'), end('a', REPLY)]);
  t.same(asked, ['a', 'a']);
});

t.test('what brought no reply is asked again', async (t) => {
  const { ask, asked, end } = shared();
  await Promise.all([ask('a'), end('a', { kind: 'timeout' })]);
  await Promise.all([ask('a'), end('a', REPLY)]);
  t.same(asked, ['a', 'a']);
});

t.test('a reply that came anew is not the next to be forgotten', async (t) => {
  const { ask, asked, end, clock } = shared();
  await Promise.all([ask('a'), end('a', REPLY)]);
  await Promise.all([ask('b'), end('b', REPLY)]);
  await clock.advance(11);
  await Promise.all([ask('a'), end('a', REPLY)]);
  await Promise.all([ask('c'), end('c', REPLY)]);
  await Promise.all([ask('a'), end('a', REPLY)]);
  t.same(asked, ['a', 'b', 'a', 'c']);
});

t.test('who is last to leave stops the exchange; who comes after begins another', async (t) => {
  const { ask, asked, stopped, end } = shared();
  const [one, other] = [new AbortController(), new AbortController()];
  const [first, second] = [ask('a', one.signal), ask('a', other.signal)];
  one.abort(new Error('one left'));
  await t.rejects(first, { message: 'one left' });
  t.same(stopped, []);
  other.abort(new Error('the other left'));
  await t.rejects(second, { message: 'the other left' });
  t.same(stopped, ['a']);
  await Promise.all([ask('a'), end('a', REPLY)]);
  t.same(asked, ['a', 'a']);
});

/** Shared exchanges whose ends the test decides; a question is called by its name's first label. */
function shared() {
  const clock = createFakeClock();
  const asked: string[] = [];
  const stopped: string[] = [];
  const open = new Map<string, (exchanged: Exchanged) => void>();
  const exchange: Exchange = (query, stop) => {
    const name = query.question.name.slice(0, -1);
    asked.push(name);
    return new Promise((resolve, reject) => {
      open.set(name, resolve);
      stop.addEventListener('abort', () => {
        stopped.push(name);
        reject(stop.reason);
      });
    });
  };
  const ask = shareExchanges(exchange, { ...KEPT, clock });
  return {
    clock,
    asked,
    stopped,
    ask: (name: string, signal = FOREVER) => ask(queryOf(name), signal),
    end: async (name: string, outcome: Reply | Failure) => {
      open.get(name)?.({ ...queryOf(name), ...RECORDED, outcome });
      await settled();
    },
  };
}

function queryOf(name: string): Query {
  return { address: '192.0.2.1', question: { name: parseName(name), type: 'A' } };
}
