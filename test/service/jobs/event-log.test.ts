import t from 'tap';
import { EventLog } from '../../../src/service/jobs/event-log.ts';

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
  return frames.map((frame) => {
    const [, id, number] =
      /^id: (\d+)\nevent: exchange\ndata: \{"number":(\d+),"filler":"é{75}"\}\n\n$/.exec(frame) ?? [];
    return id === number ? Number(id) : Number.NaN;
  });
}

t.test(
  'a reader gets all events from anywhere, of a log that goes on and of one that has ended',
  async (t) => {
    for (const count of [0, 1, 100, 1_000]) {
      const log = logOf(count);
      const all = Array.from({ length: count }, (_, at) => at + 1);
      for (const state of ['open', 'ended']) {
        for (const after of [0, 1, 99, 160, 500, 999, 1_000].filter((one) => one <= count))
          t.same(idsAfter(log, after), all.slice(after), `${state}, after ${after} of ${count}`);
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
  }
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
  const stop = log.audience((attendance) => heard.push(attendance));
  const leave = [log.subscribe(() => {}), log.subscribe(() => {})];
  for (const one of leave) one();
  t.same(heard, ['nobody', 'somebody', 'nobody']);
  stop();
  log.subscribe(() => {});
  t.equal(heard.length, 3);
});
