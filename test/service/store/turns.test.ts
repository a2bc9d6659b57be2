import t, { type Test } from 'tap';
import { createPacer } from '../../../src/exchange/pacer.ts';
import {
  bookTurns,
  forgetTurns,
  joinSenders,
  leaveSenders,
  SETTLE_MS,
  type Wish,
} from '../../../src/service/store/booked-turns.ts';
import type { Database } from '../../../src/service/store/database.ts';
import { connectToDatabase } from '../../../src/service/store/database.ts';
import { SharedPace } from '../../../src/service/store/shared-pace.ts';
import { seeded } from '../../dns/message-bytes.ts';
import { until } from '../jobs/every-kind.ts';
import { failing } from './pace-model.ts';
import { sharedPostgres, startPostgres } from './postgres-server.ts';

// They wait for the store.
t.jobs = 4;

async function connected(t: Pick<Test, 'teardown'>, url: string): Promise<Database> {
  const made = await connectToDatabase(url);
  if (made.kind !== 'connected') throw new Error(made.reason);
  t.teardown(() => made.database.close());
  return made.database;
}

/** Connections to an empty database. */
async function databases(t: Pick<Test, 'teardown'>, count: number): Promise<readonly Database[]> {
  const url = await (await sharedPostgres()).database();
  const made: Database[] = [];
  while (made.length < count) made.push(await connected(t, url));
  return made;
}

async function one(t: Pick<Test, 'teardown'>): Promise<Database> {
  const [database] = await databases(t, 1);
  if (database === undefined) throw new Error('no database');
  return database;
}

const WISH: Wish = { place: 'address:192.0.2.1', turns: 10, aside: 1, wanted: 1 };
const UUID = (number: number) => `00000000-0000-4000-8000-${`${number}`.padStart(12, '0')}`;

t.test('turns begin now while there are any, then when the first end, and none is far away', async (t) => {
  const database = await one(t);
  const book = async (wanted: number) => {
    const [booking] = await bookTurns(database, [{ ...WISH, wanted }], 1_000);
    return booking?.starts.map((start) => (start > 0 ? 'later' : 'now'));
  };
  const now = (count: number) => Array<string>(count).fill('now');
  t.strictSame(await book(3), now(3));
  t.strictSame(await book(30), [...now(7), 'later', 'later', 'later'], 'no more than the place has');
  t.strictSame(await book(1), undefined, 'its turns last two seconds');
  await database.query(`UPDATE svc_turn SET ends_at =
    ARRAY(SELECT ending - interval '1200 milliseconds' FROM unnest(ends_at) AS ending ORDER BY ending DESC)`);
  const [booking] = await bookTurns(database, [{ ...WISH, wanted: 2 }], 1_000);
  t.ok(
    booking?.starts.every((start) => start > 0 && start <= 1_000),
    `${booking?.starts}`,
  );
});

t.test('at no moment last more turns than a place has, whoever books', async (t) => {
  const chance = seeded(7);
  const all = await databases(t, 4);
  const lasting: { place: string; from: number; to: number }[] = [];
  const book = async (database: Database) => {
    for (let round = 0; round < 60; round += 1) {
      const windowMs = 50 + chance(300);
      const places = ['x', 'y', 'z'].filter(() => chance(3) > 0).sort(() => chance(3) - 1);
      const wishes = places.map((place) => ({ place, turns: 9, aside: 1, wanted: 1 + chance(4) }));
      for (const { place, starts, at } of await bookTurns(database, wishes, windowMs))
        for (const start of starts)
          lasting.push({ place, from: at + start, to: at + start + 1_050 + windowMs });
    }
  };
  await Promise.all(all.map(book));
  for (const { place, from } of lasting) {
    // Doubles keep the microseconds of the store to a few tenths.
    const moment = from + 0.001;
    const count = lasting.filter(
      (other) => other.place === place && other.from <= moment && other.to > moment,
    );
    if (count.length > 9) t.fail(`${count.length} turns at ${place}`);
  }
  // How many more than a place has at once depends on how long the bookings take.
  t.ok(lasting.length > 20, `${lasting.length} turns: the places were full`);
});

t.test('turns are set aside for those that may send without booking', async (t) => {
  const rows: readonly (readonly [senders: number, turns: number, aside: number, free: number])[] = [
    [0, 20, 1, 20],
    [1, 20, 1, 19],
    [4, 20, 1, 16],
    [12, 20, 1, 10],
    [4, 50, 2, 42],
    [30, 50, 2, 26],
    [3, 1, 1, 1],
    [3, 2, 1, 1],
  ];
  for (const [senders, turns, aside, free] of rows) {
    const database = await one(t);
    for (let number = 1; number <= senders; number += 1) await joinSenders(database, UUID(number));
    const [booking] = await bookTurns(database, [{ ...WISH, turns, aside, wanted: 100 }], 50);
    t.equal(booking?.starts.length, free, `${senders} instances, ${turns} turns`);
  }
});

t.test('an instance has settled when every booking that counts was made with it in mind', async (t) => {
  const database = await one(t);
  const age = (ms: number) =>
    database.query(
      `UPDATE svc_sender SET since = since - $1 * interval '1 millisecond' WHERE instance = $2`,
      [ms, UUID(1)],
    );
  t.match(await joinSenders(database, UUID(1)), { settled: false, counted: 1, present: 1 });
  t.match(await joinSenders(database, UUID(2)), { settled: false, counted: 2, present: 2 });
  await age(SETTLE_MS);
  t.match(await joinSenders(database, UUID(1)), { settled: true, counted: 2 });
  t.match(await joinSenders(database, UUID(2)), { settled: false, counted: 2 });
  await database.query(`UPDATE svc_sender SET until = until - interval '1 minute' WHERE instance = $1`, [
    UUID(2),
  ]);
  t.match(
    await joinSenders(database, UUID(1)),
    { counted: 2, present: 1 },
    'nobody hears of the second any more',
  );
  await leaveSenders(database, UUID(2));
  await database.query(`UPDATE svc_sender SET until = until - interval '3 seconds' WHERE instance = $1`, [
    UUID(2),
  ]);
  t.match(await joinSenders(database, UUID(1)), { counted: 1, present: 1 }, 'it has left');
  await database.query(`UPDATE svc_sender SET until = since WHERE instance = $1`, [UUID(1)]);
  t.match(
    await joinSenders(database, UUID(1)),
    { settled: false, counted: 1 },
    'nobody counted it for a while',
  );
});

t.test('a store that lost its bookings gives none until these no longer count', async (t) => {
  const database = await one(t);
  t.equal((await bookTurns(database, [WISH], 50)).length, 1);
  await database.query('DELETE FROM svc_turn');
  await database.query('DELETE FROM svc_turn_start');
  t.strictSame(await bookTurns(database, [WISH], 50), []);
  await joinSenders(database, UUID(1));
  await joinSenders(database, UUID(2));
  t.strictSame(await bookTurns(database, [WISH], 50), []);
  await database.query(`UPDATE svc_turn_start SET at = at - $1 * interval '1 millisecond'`, [SETTLE_MS]);
  t.equal((await bookTurns(database, [WISH], 50)).length, 1);
});

t.test('rows from the future are those of a clock that was put back', async (t) => {
  const database = await one(t);
  await joinSenders(database, UUID(1));
  await bookTurns(database, [WISH], 50);
  await database.query(`UPDATE svc_turn SET booked_at = booked_at + interval '1 hour',
    ends_at = ARRAY[clock_timestamp() + interval '1 hour']`);
  await database.query(`UPDATE svc_turn_start SET at = clock_timestamp() + interval '1 hour'`);
  await database.query(`UPDATE svc_sender SET since = clock_timestamp() + interval '1 hour'`);
  await forgetTurns(database);
  t.strictSame(await database.query('SELECT place FROM svc_turn'), []);
  await joinSenders(database, UUID(1));
  const [row] = await database.query<{ start: boolean; since: boolean }>(
    `SELECT at <= clock_timestamp() AS start, since <= clock_timestamp() AS since FROM svc_turn_start, svc_sender`,
  );
  t.strictSame(row, { start: true, since: true });
});

t.test('what no longer counts is deleted, and nothing else', async (t) => {
  const database = await one(t);
  await bookTurns(database, [WISH, { ...WISH, place: 'old' }], 50);
  for (const number of [1, 2]) await joinSenders(database, UUID(number));
  await database.query(
    `UPDATE svc_turn SET ends_at = ARRAY[clock_timestamp() - interval '1 millisecond'] WHERE place = 'old'`,
  );
  await database.query(`UPDATE svc_sender SET until = until - interval '2 hours' WHERE instance = $1`, [
    UUID(2),
  ]);
  await forgetTurns(database);
  t.strictSame(await database.query('SELECT place FROM svc_turn'), [{ place: WISH.place }]);
  t.strictSame(await database.query('SELECT instance FROM svc_sender'), [{ instance: UUID(1) }]);
});

const RATES = { ratePerAddress: 20, ratePerPrefix: 30, rateTotal: 40 };

/** Where packets go: two addresses of one prefix, and one of another. */
const ADDRESSES = ['192.0.2.1', '192.0.2.2', '198.51.100.1'];

t.test('instances together keep all rates, though one dies and the store crashes', async (t) => {
  const server = await startPostgres(t);
  const url = await server.database();
  const sent: { readonly address: string; readonly at: number }[] = [];
  const flood = async () => {
    const database = await connected(t, url);
    const pace = new SharedPace({ database, failed: failing(t) });
    const over = new AbortController();
    const pacer = createPacer({ ...RATES, totalInFlight: 256, allowances: pace.allowancesOf });
    let own = 0;
    const send = async (address: string) => {
      for (;;) {
        const turn = await pacer.acquire(address, over.signal);
        sent.push({ address, at: performance.now() });
        own += 1;
        turn.end();
      }
    };
    for (const address of [...ADDRESSES, ...ADDRESSES]) send(address).catch(() => {});
    t.teardown(async () => {
      over.abort();
      await pace.stop();
    });
    return { sent: () => own, pace, end: () => over.abort() };
  };
  const [first, second] = [await flood(), await flood()];
  await until(() => first.sent() > 40 && second.sent() > 40);
  await until(() => first.pace.instances === 2);
  const third = await flood();
  await until(() => third.sent() > 20);
  second.end();
  await server.kill();
  await until(() => first.pace.instances === 0);
  await server.start();
  const had = third.sent();
  await until(() => third.sent() > had + 40);
  for (const address of ADDRESSES) {
    const count = mostInASecond(sent.filter((packet) => packet.address === address));
    t.ok(count <= RATES.ratePerAddress, `${count} to ${address}`);
  }
  const prefix = mostInASecond(sent.filter(({ address }) => address.startsWith('192.0.2.')));
  t.ok(prefix <= RATES.ratePerPrefix, `${prefix} to a prefix`);
  t.ok(mostInASecond(sent) <= RATES.rateTotal, `${mostInASecond(sent)} in all`);
});

function mostInASecond(sent: readonly { readonly at: number }[]): number {
  return Math.max(
    0,
    ...sent.map(({ at: from }) => sent.filter(({ at }) => at >= from && at < from + 1_000).length),
  );
}
