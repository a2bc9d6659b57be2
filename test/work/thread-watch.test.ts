import t, { type Test } from 'tap';
import { ThreadWatch } from '../../src/work/thread-watch.ts';
import { createFakeClock } from '../exchange/fake-clock.ts';

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
