import t, { type Test } from 'tap';
import { createPacer } from '../../src/exchange/pacer.ts';
import { RisingUrgency } from '../../src/exchange/urgency.ts';
import { ThreadWatch, threadTime } from '../../src/traversal/threads/thread-watch.ts';
import { MainTurns, WorkerTurns } from '../../src/traversal/threads/turns.ts';
import { createFakeClock } from '../base/fake-clock.ts';

t.test('a thread runs no longer than time passes', async (t) => {
  const start = performance.now();
  const from = threadTime();
  while (performance.now() - start < 20);
  const ran = threadTime() - from;
  t.ok(ran <= performance.now() - start, `${ran} ms`);
});

/** A thread that is watched, by a clock of its own. It answers pings or is silent, and waits for a processor as it is told to. */
function watched(t: Test) {
  const clock = createFakeClock();
  const stuck: string[] = [];
  let waited = 0;
  let answers = true;
  const watch: ThreadWatch = new ThreadWatch({
    clock,
    silenceMs: 1_000,
    startMs: 60_000,
    waitedMs: () => waited,
    ping: () => {
      if (answers) watch.heard();
    },
    stuck: (reason) => stuck.push(reason),
  });
  t.teardown(() => watch.end());
  return {
    ...{ watch, stuck, advance: clock.advance, clock },
    begin: () => {
      watch.begin();
      watch.heard();
    },
    fallSilent: () => {
      answers = false;
    },
    waitForProcessor: (ms: number) => {
      waited += ms;
    },
  };
}

t.test('a thread that answers is left alone', async (t) => {
  const { begin, advance, stuck } = watched(t);
  begin();
  await advance(60_000);
  t.same(stuck, []);
});

t.test('a thread that computes for too long is stuck', async (t) => {
  const { begin, fallSilent, advance, stuck } = watched(t);
  begin();
  fallSilent();
  await advance(1_000);
  t.same(stuck, []);
  await advance(250);
  t.same(stuck, ['it held the thread up for 1000 ms']);
});

t.test('time in which it waits for a processor does not count', async (t) => {
  const { begin, fallSilent, waitForProcessor, advance, stuck } = watched(t);
  begin();
  fallSilent();
  await advance(250);
  for (let second = 0; second < 30; second += 1) {
    waitForProcessor(980);
    await advance(1_000);
  }
  t.same(stuck, [], 'it has had 600 ms');
  await advance(1_000);
  t.same(stuck, ['it held the thread up for 1000 ms']);
});

t.test('the start may take longer', async (t) => {
  const { watch, fallSilent, advance, stuck } = watched(t);
  fallSilent();
  watch.begin();
  await advance(60_000);
  t.same(stuck, []);
  await advance(250);
  t.same(stuck, ['it held the thread up for 60000 ms']);
});

t.test('a thread without work may be silent', async (t) => {
  const { begin, watch, fallSilent, advance, stuck, clock } = watched(t);
  begin();
  fallSilent();
  await advance(500);
  watch.end();
  await advance(60_000);
  t.same(stuck, []);
  t.equal(clock.timers, 0);
});

t.test('what becomes more urgent in a thread does so in the line of the main thread', async (t) => {
  const clock = createFakeClock();
  const pacer = createPacer({ ratePerAddress: 1, totalInFlight: 10, clock });
  const desk: MainTurns = new MainTurns(pacer, (message) => {
    if (message.kind === 'turns') turns.take(message.turns);
  });
  const turns = new WorkerTurns((message) => {
    if (message.kind === 'pace') desk.take(message);
  });
  desk.open(1);
  const { acquire } = turns.pacerFor(1);
  const gone: string[] = [];
  const ask = (label: string, rising: RisingUrgency) =>
    acquire('192.0.2.1', new AbortController().signal, { rank: 'check', rising }).then(({ leave, end }) => {
      gone.push(label);
      leave();
      end();
    });
  const [first, second, soon, late] = ['first', 'second', 'soon', 'late'].map((label) => {
    const rising = new RisingUrgency({ rank: 'check' });
    void ask(label, rising);
    return rising;
  });
  soon?.raise({ rank: 'cold' });
  // What is asked crosses over in a batch.
  await clock.advance(0);
  late?.raise({ rank: 'dnssec' });
  // And so does what comes of it: each second has time for that.
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second += 1) await clock.advance(1_000);
  };
  await pass(20);
  t.same(gone, ['first', 'soon', 'late', 'second']);
  for (const rising of [first, second]) rising?.raise({ rank: 'cold' });
  await pass(20);
  t.equal(gone.length, 4, 'what has gone does not go again');
});
