import fc from 'fast-check';
import t from 'tap';
import type { JobRun } from '../../../src/service/jobs/running-job.ts';
import { Scheduler } from '../../../src/service/jobs/scheduler.ts';
import type { SendingLeave } from '../../../src/traversal/threads/messages.ts';
import { createFakeClock, type FakeClock, settled } from '../../base/fake-clock.ts';

const RULES = { maxJobs: 2, maxJobsPerClient: 2, maxQueue: 100, maxQueuePerClient: 100 };
const MIB = 1024 * 1024;

/** What became of a job. */
type Fate = 'queued' | SendingLeave | 'gone' | 'crowded-out';

interface Known {
  readonly cancel: AbortController;
  fate: Fate;
  run: JobRun | undefined;
}

/** Jobs are called "party" or "party#2". */
function setUp(rules: Partial<typeof RULES> = {}, clock: FakeClock = createFakeClock()) {
  const scheduler = new Scheduler({ ...RULES, ...rules }, clock);
  const jobs = new Map<string, Known>();
  const begin = (...names: readonly string[]) => {
    for (const name of names) {
      const [party = ''] = name.split('#');
      const job: Known = { cancel: new AbortController(), fate: 'queued', run: undefined };
      jobs.set(name, job);
      void scheduler.begin(party, job.cancel.signal).then((outcome) => {
        if (typeof outcome === 'string') {
          job.fate = outcome;
          return;
        }
        job.run = outcome;
        outcome.sending((leave) => {
          job.fate = leave;
        });
      });
    }
    return settled();
  };
  const of = (name: string): Known => {
    const job = jobs.get(name);
    if (job === undefined) throw new Error(`there is no ${name}`);
    return job;
  };
  const runOf = (name: string): JobRun => {
    const { run } = of(name);
    if (run === undefined) throw new Error(`${name} does not run`);
    return run;
  };
  const end = (...names: readonly string[]) => {
    for (const name of names) {
      runOf(name).end();
      jobs.delete(name);
    }
    return settled();
  };
  /** It wants to send so many packets. */
  const want = (name: string, packets: number) => runOf(name).wants(packets);
  const fates = () => Object.fromEntries([...jobs].map(([name, { fate }]) => [name, fate]));
  return { clock, scheduler, begin, end, want, fates, runOf, of };
}

t.test('while there are slots nobody waits, and nobody loses a slot', async (t) => {
  const { clock, begin, fates } = setUp();
  await begin('a', 'b');
  await clock.advance(60_000);
  t.same(fates(), { a: 'may-send', b: 'may-send' });
  t.equal(clock.timers, 0);
});

t.test('a job gives its slot up after a second to a party that has fewer', async (t) => {
  const { clock, begin, end, want, fates } = setUp();
  await begin('a#1', 'a#2', 'b');
  for (const name of ['a#1', 'a#2']) want(name, 5);
  await clock.advance(999);
  t.same(fates(), { 'a#1': 'may-send', 'a#2': 'may-send', b: 'queued' });
  await clock.advance(250);
  t.same(fates(), { 'a#1': 'waits', 'a#2': 'may-send', b: 'may-send' });
  want('b', 5);
  await clock.advance(5_000);
  t.same(fates(), { 'a#1': 'waits', 'a#2': 'may-send', b: 'may-send' }, 'the parties have one each');
  await end('b');
  t.same(fates(), { 'a#1': 'may-send', 'a#2': 'may-send' });
});

t.test('nobody gives a slot up to a job of the same party', async (t) => {
  const { clock, begin, want, fates } = setUp({ maxJobs: 1, maxJobsPerClient: 1 });
  await begin('a#1', 'a#2');
  want('a#1', 5);
  await clock.advance(10_000);
  t.same(fates(), { 'a#1': 'may-send', 'a#2': 'queued' });
});

t.test(
  'a job that only waits for replies gives its slot up, and gets one when it wants to send',
  async (t) => {
    const { clock, begin, end, want, fates } = setUp({ maxJobs: 1 });
    await begin('a', 'b');
    want('a', 1);
    want('a', 0);
    await clock.advance(250);
    t.same(fates(), { a: 'waits', b: 'may-send' });
    want('b', 1);
    await clock.advance(10_000);
    t.same(fates(), { a: 'waits', b: 'may-send' }, 'it wants nothing');
    want('a', 1);
    await clock.advance(250);
    t.same(fates(), { a: 'may-send', b: 'waits' });
    await end('a');
    t.same(fates(), { b: 'may-send' });
  },
);

t.test('who has just begun is given a second to ask', async (t) => {
  const { clock, begin, fates } = setUp({ maxJobs: 1 });
  await begin('a', 'b');
  await clock.advance(900);
  t.same(fates(), { a: 'may-send', b: 'queued' });
});

t.test(
  'a client runs so many jobs, its network twice as many, and all together eight for each slot',
  async (t) => {
    const running = (fates: Readonly<Record<string, Fate>>) =>
      Object.values(fates).filter((fate) => fate !== 'queued').length;
    for (const [what, party, expected] of [
      ['one client', () => '192.0.2.1', 2],
      ['a /24', (n: number) => `192.0.2.${n}`, 4],
      ['a /56', (n: number) => `2001:db8:0:${n}::/64`, 4],
      ['a /48', (n: number) => `2001:db8:0:${n}00::/64`, 4],
      ['clients from everywhere', (n: number) => `192.0.${n}.1`, 16],
      ['this host', () => 'this host', 2],
    ] as const) {
      const { clock, scheduler, begin, fates } = setUp();
      await begin(...Array.from({ length: 20 }, (_, n) => `${party(n)}#${n}`));
      for (let round = 0; round < 20; round += 1) await clock.advance(1_000);
      t.equal(running(fates()), expected, what);
      t.equal(scheduler.waiting, 20 - expected);
    }
  },
);

t.test('only so many jobs hear much, and who wants to waits for the end of another', async (t) => {
  const { begin, end, fates, runOf } = setUp({ maxJobs: 1, maxJobsPerClient: 1 });
  await begin('a', 'b');
  runOf('a').heard(MIB);
  t.match(fates(), { a: 'may-send' });
  runOf('a').heard(1);
  await settled();
  t.same(fates(), { a: 'waits', b: 'may-send' }, 'it may hear more, and waits for its turn');
  runOf('b').heard(2 * MIB);
  await settled();
  t.same(fates(), { a: 'may-send', b: 'waits' });
  runOf('a').heard(MIB);
  await settled();
  t.same(fates(), { a: 'may-send', b: 'waits' });
  await end('a');
  t.same(fates(), { b: 'may-send' });
});

t.test(
  'in a full queue the last of the party that has most makes room for a newcomer with fewer',
  async (t) => {
    const { scheduler, begin, fates } = setUp({
      maxJobs: 1,
      maxJobsPerClient: 1,
      maxQueue: 3,
      maxQueuePerClient: 3,
    });
    await begin('a#1', 'a#2', 'a#3', 'a#4');
    t.equal(scheduler.makeRoom('a'), 'client-queue-full');
    t.equal(scheduler.makeRoom('b'), undefined);
    await begin('b#1');
    t.same(fates(), {
      'a#1': 'may-send',
      'a#2': 'queued',
      'a#3': 'queued',
      'a#4': 'crowded-out',
      'b#1': 'queued',
    });
    t.equal(scheduler.makeRoom('b'), 'queue-full', 'it would have as many');
  },
);

t.test('who waits can know how many go first', async (t) => {
  const { scheduler, begin, end, of } = setUp({ maxJobs: 1, maxJobsPerClient: 1 });
  await begin('a#1', 'a#2', 'a#3', 'b');
  const ahead = () => ['a#2', 'a#3', 'b'].map((name) => scheduler.ahead(of(name).cancel.signal));
  t.same(ahead(), [0, 2, 1]);
  of('a#2').cancel.abort();
  await settled();
  t.match(of('a#2'), { fate: 'gone' });
  t.same(ahead(), [undefined, 1, 0]);
  await end('a#1');
  t.match(of('b'), { fate: 'may-send' });
});

const PARTIES = [
  '192.0.2.1',
  '192.0.2.2',
  '198.51.100.1',
  '2001:db8:0:1::/64',
  '2001:db8:0:2::/64',
  'this host',
];

/** One step of a made-up history. */
const STEP = fc.oneof(
  fc.record({ kind: fc.constant('begin' as const), party: fc.constantFrom(...PARTIES) }),
  fc.record({
    kind: fc.constantFrom(
      'end' as const,
      'want' as const,
      'rest' as const,
      'hear' as const,
      'cancel' as const,
    ),
    pick: fc.nat(),
  }),
  fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 2_000 }) }),
);

t.test('whatever happens, no bound is exceeded, and everybody gets to the end', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { maxLength: 60 }), async (steps) => {
      const { clock, begin, end, want, fates, runOf, of } = setUp();
      const cancel = (pick: number) => {
        const names = Object.keys(fates());
        const name = names[pick % names.length];
        if (name !== undefined && of(name).fate === 'queued') of(name).cancel.abort();
      };
      const living = () => Object.keys(fates()).filter((name) => of(name).run !== undefined);
      for (const [number, step] of steps.entries()) {
        if (step.kind === 'begin') await begin(`${step.party}#${number}`);
        else if (step.kind === 'pass') await clock.advance(step.ms);
        else if (step.kind === 'cancel') cancel(step.pick);
        else {
          const names = living();
          const name = names[step.pick % names.length];
          if (name === undefined) continue;
          if (step.kind === 'end') await end(name);
          if (step.kind === 'want') want(name, 3);
          if (step.kind === 'rest') want(name, 0);
          if (step.kind === 'hear') runOf(name).heard(MIB);
        }
        await settled();
        const sending = living().filter((name) => of(name).fate === 'may-send');
        if (sending.length > RULES.maxJobs || living().length > RULES.maxJobs * 8) return false;
      }
      // Each of those that remain wants to send, and ends once it may.
      for (let rounds = 0; living().length > 0 && rounds < 1_000; rounds += 1) {
        for (const name of living()) {
          if (of(name).fate === 'may-send') await end(name);
          else want(name, 1);
        }
        await clock.advance(250);
      }
      return Object.values(fates()).every((fate) => fate === 'gone') && clock.timers === 0;
    }),
    { seed: 29, numRuns: 150 },
  );
  t.pass();
});
