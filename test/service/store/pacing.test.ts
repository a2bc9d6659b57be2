import t from 'tap';
import { createPacer } from '../../../src/exchange/pacer.ts';
import { SharedPace } from '../../../src/service/store/shared-pace.ts';
import { createFakeClock, type FakeClock } from '../../base/fake-clock.ts';
import { seeded } from '../../dns/message-bytes.ts';
import { failing, type Link, PaceModel } from './pace-model.ts';

const RATES = { ratePerAddress: 20, ratePerPrefix: 30, rateTotal: 40 };

/** Where packets go: two addresses of one prefix, and one of another. */
const ADDRESSES = ['192.0.2.1', '192.0.2.2', '198.51.100.1'];

/** A packet that left. */
interface Sent {
  readonly address: string;
  readonly at: number;
  readonly by: string;
}

// They wait for the store.
t.jobs = 4;

for (let seed = 1; seed <= 8; seed += 1) {
  t.test(`rates hold, whatever instances do: ${seed}`, async (t) => {
    const chance = seeded(seed);
    const world = modelWorld(t, seed, chance);
    for (let round = 0; round < 40; round += 1) {
      world.disturb();
      await world.clock.advance(chance(1_500));
    }
    checkRates(t, world.sent, RATES);
    t.ok(world.sent.length > 100, `${world.sent.length} packets`);
  });
}

/** Instances at one store, in a time that a test advances, and that something happens to. */
function modelWorld(t: Pick<Tap, 'fail'>, seed: number, chance: (below: number) => number) {
  const clock = createFakeClock();
  const model = new PaceModel(clock, () => 1 + chance(chance(10) === 0 ? 400 : 12));
  const sent: Sent[] = [];
  const instances: ReturnType<typeof flood>[] = [];
  const join = () => {
    const link = model.link(`${seed}.${instances.length}`);
    // Its clock began at another time, and goes a little faster or slower.
    const own = { ahead: chance(1_000_000), speed: 1 + (chance(200) - 100) / 1_000_000 };
    const around = {
      now: () => clock.now() * own.speed + own.ahead,
      after: (ms: number, run: () => void) => clock.after(ms / own.speed, run),
    };
    instances.push(flood(t, { link, clock: around, at: () => clock.now(), sent, late: () => chance(40) }));
  };
  let calmUntil = 0;
  const disturb = () => {
    const alive = instances.filter(({ link }) => link.state.kind === 'ok');
    const [one, what] = [alive[chance(alive.length)], chance(16)];
    if ((what < 4 || one === undefined) && clock.now() >= calmUntil) join();
    else if (what < 7 && one !== undefined) one.link.up = false;
    else if (what < 11) for (const { link } of alive) link.up = true;
    else if (what === 11 && alive.length > 2) one?.die();
    else if (what === 12 && alive.length > 2) void one?.leave();
    else if (what === 13) model.crash();
    else if (what === 14 && alive.every(({ link }) => link.up)) {
      // Nobody can tell an instance that joins at that moment that the clock was set.
      model.ahead += chance(2) === 0 ? 3_600_000 : -3_600_000;
      calmUntil = clock.now() + 5_000;
    }
  };
  join();
  join();
  return { clock, model, sent, join, disturb, instances };
}

interface Flood {
  readonly link: Link;
  readonly clock: Pick<FakeClock, 'now' | 'after'>;
  /** The time that packets are counted by. */
  readonly at: () => number;
  readonly sent: Sent[];
  /** Milliseconds from a turn to its packet. */
  readonly late: () => number;
}

/** An instance that sends as many packets as it may. */
function flood(t: Pick<Tap, 'fail'>, { link, clock, at, sent, late }: Flood, rates = RATES) {
  const pace = new SharedPace({ database: link, failed: failing(t), clock });
  const over = new AbortController();
  const pacer = createPacer({ ...rates, totalInFlight: 256, clock, allowances: pace.allowancesOf });
  const send = async (address: string) => {
    for (;;) {
      const turn = await pacer.acquire(address, over.signal);
      await new Promise<void>((resolve) => clock.after(late(), resolve));
      if (!over.signal.aborted) sent.push({ address, at: at(), by: link.instance });
      turn.end();
    }
  };
  for (const address of [...ADDRESSES, ...ADDRESSES]) send(address).catch(() => {});
  return {
    link,
    pace,
    /** Nothing more is heard of it. */
    die: () => {
      over.abort();
      link.state = AWAY;
      link.up = false;
    },
    leave: async () => {
      over.abort();
      link.state = AWAY;
      await pace.stop();
    },
  };
}

const AWAY = { kind: 'away', why: 'unreachable', reason: 'it is over' } as const;

/** In any one second no more than the rates. */
function checkRates(t: Pick<Tap, 'ok'>, sent: readonly Sent[], rates: typeof RATES): void {
  for (const one of ADDRESSES) {
    const count = mostInASecond(sentTo(one, sent));
    t.ok(count <= rates.ratePerAddress, `${count} to ${one}`);
  }
  const prefix = mostInASecond(sent.filter(({ address }) => address.startsWith('192.0.2.')));
  t.ok(prefix <= rates.ratePerPrefix, `${prefix} to a prefix`);
  const total = mostInASecond(sent);
  t.ok(total <= rates.rateTotal, `${total} in all`);
}

function sentTo(one: string, sent: readonly Sent[]): readonly Sent[] {
  return sent.filter(({ address }) => address === one);
}

function mostInASecond(sent: readonly Sent[]): number {
  const moments = sent.map(({ at }) => at).sort((a, b) => a - b);
  let [first, most] = [0, 0];
  for (const [last, at] of moments.entries()) {
    while ((moments[first] ?? at) <= at - 1_000) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}

type Tap = typeof t;

/** Instances that have been there long enough to count, at a store that is near. */
async function settledWorld(t: Pick<Tap, 'fail'>, count: number, rates = RATES) {
  const clock = createFakeClock();
  const model = new PaceModel(clock, () => 2);
  const sent: Sent[] = [];
  const instances = Array.from({ length: count }, (_, index) =>
    flood(t, { link: model.link(`${index}`), clock, at: () => clock.now(), sent, late: () => 0 }, rates),
  );
  await clock.advance(8_000);
  const sentIn = async (ms: number) => {
    const before = sent.length;
    await clock.advance(ms);
    return sent.slice(before);
  };
  const end = () => {
    for (const one of instances) one.die();
  };
  return { clock, model, instances, sentIn, end };
}

/** The rates that a service has unless told otherwise. */
const USUAL = { ratePerAddress: 20, ratePerPrefix: 100, rateTotal: 2_000 };

t.test('instances use nearly all of a rate, in equal parts', async (t) => {
  for (const count of [1, 2, 4]) {
    const world = await settledWorld(t, count, USUAL);
    const before = world.model.statements;
    const sent = await world.sentIn(20_000);
    for (const address of ADDRESSES) {
      const each = sentTo(address, sent).length / 20;
      t.ok(each >= 17.5, `${count} instances send ${each} a second to ${address}`);
    }
    for (const { link } of world.instances) {
      const part = sent.filter(({ by }) => by === link.instance).length / sent.length;
      t.ok(part > 0.8 / count && part < 1.2 / count, `one of ${count} sends ${part} of all`);
    }
    const each = (world.model.statements - before) / sent.length;
    t.ok(each < 0.6, `${each} statements a packet`);
    world.end();
  }
});

t.test(
  'cut off, an instance sends one query a second to an address, all together half of the rate',
  async (t) => {
    const rows = [
      [1, 1],
      [4, 4],
      [10, 10],
      [11, 0],
    ] as const;
    for (const [count, expected] of rows) {
      const world = await settledWorld(t, count, USUAL);
      for (const { link } of world.instances) link.up = false;
      // What was booked before is used first.
      await world.sentIn(3_000);
      const sent = await world.sentIn(10_500);
      for (const address of ADDRESSES) {
        t.equal(mostInASecond(sentTo(address, sent)), expected, `${count} instances, ${address}`);
        t.equal(sentTo(address, sent).length, expected * 10);
      }
      world.end();
    }
  },
);

t.test('an instance that is cut off sends nothing once nobody counts it any more', async (t) => {
  const world = await settledWorld(t, 1, USUAL);
  for (const { link } of world.instances) link.up = false;
  await world.sentIn(592_000);
  t.equal((await world.sentIn(20_000)).length, 0);
  world.end();
});

t.test('one that is cut off and those that are not keep the rates together', async (t) => {
  const world = await settledWorld(t, 3, USUAL);
  const [one, ...others] = world.instances;
  if (one === undefined) throw new Error('nobody');
  one.link.up = false;
  const sent = await world.sentIn(20_000);
  checkRates(t, sent, USUAL);
  const parts = [one, ...others].map(({ link }) => sent.filter(({ by }) => by === link.instance).length);
  t.ok((parts[0] ?? 0) >= 55 && parts.slice(1).every((part) => part > 400), `${parts}`);
  world.end();
});

t.test('an instance that the store never heard of sends nothing', async (t) => {
  const clock = createFakeClock();
  const link = new PaceModel(clock, () => 2).link('one');
  link.up = false;
  const sent: Sent[] = [];
  const one = flood(t, { link, clock, at: () => clock.now(), sent, late: () => 0 });
  await clock.advance(30_000);
  t.strictSame(sent, []);
  t.equal(one.pace.instances, 0);
  link.up = true;
  await clock.advance(5_000);
  t.ok(sent.length > 20, 'until the store is there');
  t.equal(one.pace.instances, 1);
  one.die();
});

t.test(
  'an instance that is cut off as soon as it joined sends nothing: others may not count it yet',
  async (t) => {
    const clock = createFakeClock();
    const link = new PaceModel(clock, () => 2).link('one');
    const pace = new SharedPace({ database: link, failed: failing(t), clock });
    await clock.advance(100);
    t.equal(pace.instances, 1);
    link.up = false;
    const allowance = pace.allowancesOf(USUAL).forAddress('192.0.2.1', () => {});
    for (let round = 0; round < 20; round += 1) {
      await clock.advance(1_000);
      t.ok(allowance.wait(clock.now()) > 0);
    }
  },
);

t.test('a query now and then costs no statement', async (t) => {
  const clock = createFakeClock();
  const model = new PaceModel(clock, () => 2);
  const pace = new SharedPace({
    database: model.link('one'),
    failed: failing(t),
    clock,
  });
  const pacer = createPacer({ ...USUAL, totalInFlight: 256, clock, allowances: pace.allowancesOf });
  await clock.advance(8_000);
  const before = model.statements;
  for (let index = 1; index <= 7; index += 1) {
    const turn = await pacer.acquire(`192.0.${index}.1`, new AbortController().signal);
    turn.end();
  }
  t.equal(model.statements, before);
  const stopped = pace.stop();
  await clock.advance(10);
  await stopped;
});

t.test(
  'many places are asked for at once, and the queries that wait for turns leave when these come',
  async (t) => {
    const clock = createFakeClock();
    const model = new PaceModel(clock, () => 2);
    const pace = new SharedPace({
      database: model.link('one'),
      failed: failing(t),
      clock,
    });
    const pacer = createPacer({ ...USUAL, totalInFlight: 256, clock, allowances: pace.allowancesOf });
    await clock.advance(100);
    const before = model.statements;
    const turns = Array.from({ length: 50 }, (_, index) =>
      pacer.acquire(`192.0.${index}.1`, new AbortController().signal),
    );
    await clock.advance(100);
    for (const turn of await Promise.all(turns)) turn.end();
    // All, the prefixes, and the addresses.
    t.ok(model.statements - before <= 6, `${model.statements - before} statements`);
    const stopped = pace.stop();
    await clock.advance(10);
    await stopped;
  },
);

t.test('rates without a limit need no store', async (t) => {
  const link = new PaceModel(createFakeClock(), () => 2).link('one');
  const pace = new SharedPace({
    database: link,
    failed: failing(t),
    clock: createFakeClock(),
  });
  const { forAddress, forPrefix, forAll } = pace.allowancesOf({ ratePerAddress: 0 });
  const more = () => {};
  for (const one of [forAddress('192.0.2.1', more), forPrefix('192.0.2.0/24', more), forAll(more)])
    t.equal(one.wait(0), 0);
});
