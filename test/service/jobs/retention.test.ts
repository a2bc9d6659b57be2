import t from 'tap';
import { deflated } from '../../../src/base/packing.ts';
import { EventLog } from '../../../src/service/jobs/event-log.ts';
import { InflatedBlocks } from '../../../src/service/jobs/inflated-blocks.ts';
import { Retention, type RetentionRules } from '../../../src/service/jobs/retention.ts';
import { createFakeClock } from '../../base/fake-clock.ts';

const RULES: RetentionRules = { retainMs: 60_000, maxRetained: 1_000, maxRetainedBytes: 100 };

/** A retention, and what it keeps. Results are written "party size", as in "a 40". */
function setUp(rules: Partial<RetentionRules> = {}) {
  const clock = createFakeClock();
  const kept: string[] = [];
  const early: string[] = [];
  const retention = new Retention<{ readonly name: string; readonly party: string; bytes: number }>(
    { ...RULES, ...rules },
    clock,
    ({ name }, why) => {
      kept.splice(kept.indexOf(name), 1);
      if (why === 'no-room') early.push(name);
    },
  );
  const keep = (name: string) => {
    const [party = '', size] = name.split(' ');
    const one = { name, party, bytes: Number(size) };
    kept.push(name);
    retention.keep(one);
    return one;
  };
  return { clock, retention, kept, early, keep };
}

const ROWS: readonly (readonly [
  what: string,
  rules: Partial<RetentionRules>,
  ended: readonly string[],
  kept: readonly string[],
])[] = [
  ['all that fits stays', {}, ['a 40', 'b 30', 'a 30'], ['a 40', 'b 30', 'a 30']],
  ['alone, a client loses its oldest', {}, ['a 40', 'a 41', 'a 42'], ['a 41', 'a 42']],
  [
    'whoever keeps most makes room for others',
    {},
    ['b 10', 'a 30', 'a 29', 'a 28', 'c 20'],
    ['b 10', 'a 29', 'a 28', 'c 20'],
  ],
  [
    'and for itself, though its oldest is not the oldest of all',
    {},
    ['b 10', 'a 40', 'a 45', 'a 20'],
    ['b 10', 'a 45', 'a 20'],
  ],
  ['until it keeps no more than another', {}, ['a 30', 'b 31', 'a 29', 'c 40'], ['b 31', 'a 29', 'c 40']],
  [
    'a result larger than everything that may be kept throws nobody out, and is there until the next ends',
    {},
    ['a 40', 'b 40', 'c 101'],
    ['a 40', 'b 40', 'c 101'],
  ],
  ['then it goes first', {}, ['a 40', 'b 40', 'c 101', 'd 1'], ['a 40', 'b 40', 'd 1']],
  [
    'a large result of a client that keeps others costs it these',
    {},
    ['a 40', 'c 1', 'b 40', 'c 2', 'c 90'],
    ['a 40', 'b 40', 'c 90'],
  ],
  [
    'by number too: the client with most gives way',
    { maxRetained: 3 },
    ['b 1', 'a 1', 'a 2', 'c 99'],
    ['b 1', 'a 2', 'c 99'],
  ],
  [
    'where all keep the same the oldest goes',
    { maxRetained: 3 },
    ['a 9', 'b 1', 'c 1', 'd 1'],
    ['b 1', 'c 1', 'd 1'],
  ],
];

t.test('what is kept when there is too much', async (t) => {
  for (const [what, rules, ended, kept] of ROWS) {
    const here = setUp(rules);
    for (const name of ended) here.keep(name);
    t.same(here.kept, kept, what);
    t.equal(here.retention.count, kept.length);
    t.equal(
      here.retention.bytes,
      kept.map((name) => Number(name.split(' ')[1])).reduce((sum, size) => sum + size, 0),
    );
    t.equal(here.early.length, ended.length - kept.length);
  }
});

t.test('what grows is weighed again', async (t) => {
  const { retention, kept, keep } = setUp();
  keep('a 20');
  const growing = keep('b 20');
  keep('b 21');
  keep('c 20');
  growing.bytes = 60;
  retention.weigh(growing);
  t.same(kept, ['a 20', 'b 21', 'c 20']);
  growing.bytes = 1_000;
  retention.weigh(growing);
  t.equal(retention.bytes, 61, 'what is gone counts no more');
});

t.test(
  'whatever a client keeps, it loses after its time and not for the time being up of others',
  async (t) => {
    const { clock, retention, kept, early, keep } = setUp();
    keep('a 20');
    await clock.advance(30_000);
    keep('b 20');
    await clock.advance(30_000);
    t.same(kept, ['b 20']);
    await clock.advance(30_000);
    t.same([kept, early, retention.count, retention.bytes, clock.timers], [[], [], 0, 0, 0]);
  },
);

t.test('one greedy client takes nothing from a hundred modest ones', async (t) => {
  const { kept, keep } = setUp({ maxRetained: 200, maxRetainedBytes: 1_000 });
  const modest = Array.from({ length: 100 }, (_, index) => `m${index} 5`);
  for (const name of modest) {
    keep('greedy 60');
    keep(name);
  }
  t.same(
    kept.filter((name) => name.startsWith('m')),
    modest,
  );
});

const BATCH = 16 * 1024;

/** A log of so many events, each of some 200 octets. */
function logOf(count: number): EventLog {
  const log = new EventLog();
  for (let number = 1; number <= count; number += 1)
    log.append('exchange', JSON.stringify({ number, filler: 'é'.repeat(75) }));
  return log;
}

/** The ids of all events that a reader gets who has the first `after`. */
function idsAfter(log: EventLog, after: number): readonly number[] {
  const frames: string[] = [];
  while (after + frames.length < log.last) frames.push(...log.framesAfter(after + frames.length, BATCH));
  return frames.map(idIn);
}

/** The same for a reader that shares inflated blocks with others. */
function sharedIdsAfter(log: EventLog, after: number, inflated: InflatedBlocks): readonly number[] {
  const ids: number[] = [];
  while (after + ids.length < log.last) {
    const { octets, events } = log.batchAfter(after + ids.length, BATCH, inflated);
    const frames = Buffer.from(octets)
      .toString()
      .split(/(?<=\n\n)/);
    t.equal(frames.length, events);
    ids.push(...frames.map(idIn));
  }
  return ids;
}

function idIn(frame: string): number {
  const [, id, number] =
    /^id: (\d+)\nevent: exchange\ndata: \{"number":(\d+),"filler":"é{75}"\}\n\n$/.exec(frame) ?? [];
  return id === number ? Number(id) : Number.NaN;
}

t.test(
  'a reader gets all events from anywhere, of a log that goes on and of one that has ended',
  async (t) => {
    const inflated = new InflatedBlocks(64 * 1024);
    for (const count of [0, 1, 100, 1_000]) {
      const log = logOf(count);
      const all = Array.from({ length: count }, (_, at) => at + 1);
      for (const state of ['open', 'ended']) {
        for (const after of [0, 1, 99, 160, 500, 999, 1_000].filter((one) => one <= count)) {
          t.same(idsAfter(log, after), all.slice(after), `${state}, after ${after} of ${count}`);
          t.same(sharedIdsAfter(log, after, inflated), all.slice(after), 'also of shared blocks');
        }
        log.end();
      }
      t.equal(log.last, count);
    }
  },
);

t.test('no more events come at once than fit, but one does', async (t) => {
  for (const log of [logOf(50), logOf(1_000)]) {
    t.equal(log.framesAfter(0, 1).length, 1);
    t.ok(log.framesAfter(0, 1_000).length < 10);
    t.equal(log.batchAfter(0, 1, new InflatedBlocks(0)).events, 1);
    t.ok(log.batchAfter(0, 1_000, new InflatedBlocks(0)).events < 10);
  }
});

t.test('readers share the blocks that were inflated last, as many as there is room for', async (t) => {
  const inflated = new InflatedBlocks(100_000);
  const blocks = [1, 2, 3, 4].map((fill) => deflated(Buffer.alloc(40_000, fill)));
  const [first = Buffer.alloc(0)] = blocks;
  const kept = inflated.of(first);
  t.equal(inflated.of(first), kept);
  for (const block of blocks) inflated.of(block);
  t.equal(inflated.octets, 80_000);
  t.not(inflated.of(first), kept, 'one that was not read for long is inflated again');
  const large = deflated(Buffer.alloc(200_000));
  t.equal(inflated.of(large), inflated.of(large), 'the last one is kept although there is no room for it');
  t.equal(inflated.octets, 200_000);
});

t.test('most of a log is packed while it grows, and all of it in the end', async (t) => {
  const log = logOf(1_000);
  t.ok(log.bytes < 60_000, `${log.bytes} octets of some 200,000`);
  const before = log.bytes;
  log.end();
  t.ok(log.bytes < before);
  t.ok(log.bytes < 20_000, `${log.bytes} octets`);
});

t.test('a log that has ended takes no more', async (t) => {
  const log = logOf(2);
  log.end();
  log.append('exchange', '{}');
  t.equal(log.last, 2);
});

t.test('whoever wants to know hears whether somebody follows it', async (t) => {
  const log = new EventLog();
  const heard: string[] = [];
  log.onReaders((readers) => heard.push(readers));
  const leave = [log.subscribe(() => {}), log.subscribe(() => {})];
  for (const one of leave) one();
  t.same(heard, ['some', 'none']);
});
