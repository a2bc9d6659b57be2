import t from 'tap';
import { createPacer } from '../../../src/exchange/pacer.ts';
import type { StoreConnection } from '../../../src/service/store/connection/connect.ts';
import { runScript } from '../../../src/service/store/connection/script.ts';
import type { StoreClient } from '../../../src/service/store/connection/store-client.ts';
import { createFleetPace } from '../../../src/service/store/fleet-pace.ts';
import { LEASE_SCRIPT } from '../../../src/service/store/lease-script.ts';
import { type Extent, type Membership, SharedPlace } from '../../../src/service/store/shared-place.ts';
import { until } from '../jobs/every-kind.ts';
import { connected, startRedis } from './redis-server.ts';

// They wait, for the store or for a dead instance.
t.jobs = 6;

const RATES = { ratePerAddress: 20, ratePerPrefix: 30, rateTotal: 40 };

/** Where packets go: two addresses of one prefix, and one of another. */
const ADDRESSES = ['192.0.2.1', '192.0.2.2', '198.51.100.1'];

t.test('instances together keep all rates, whatever joins, dies or is cut off', async (t) => {
  const server = await startRedis(t, { data: 'forgetful' });
  const sent: Sent[] = [];
  const join = async () => startInstance(t, await connected(t, server), sent);
  const [first, second] = [await join(), await join()];
  const settled = performance.now() + 4_000;
  await until(() => performance.now() > settled && first.sent() > 20 && second.sent() > 20);
  const third = await join();
  await until(() => third.sent() > 20);
  second.end();
  const [had, since] = [third.sent(), performance.now()];
  await until(() => performance.now() > since + 1_500 && third.sent() > had);
  third.end();
  checkRates(t, sent, RATES);
  await server.kill();
  const killed = performance.now();
  await until(() => sent.some(({ at }) => at > killed + 2_500));
  first.end();
  checkRates(t, sent, RATES);
});

t.test('an instance that never heard of the store sends one query a second to each', async (t) => {
  const server = await startRedis(t, { data: 'forgetful' });
  const connection = await connected(t, server);
  await server.kill();
  const sent: Sent[] = [];
  const one = startInstance(t, connection, sent);
  await until(() => sent.length >= 4);
  one.end();
  checkRates(t, sent, { ratePerAddress: 1, ratePerPrefix: 1, rateTotal: 1 });
  t.equal(one.pace.instances, 0);
});

t.test('rates without a limit need no store', async (t) => {
  const connection = await connected(t, await startRedis(t, { data: 'forgetful' }));
  const pace = createFleetPace({ connection, failed: (error) => t.fail(String(error)) });
  t.teardown(pace.stop);
  const { forAddress, forPrefix, total } = pace.allowancesOf({ ratePerAddress: 0 });
  for (const one of [forAddress('192.0.2.1'), forPrefix('192.0.2.0/24'), total]) t.equal(one.wait(0), 0);
});

t.test('places that are used no more cost nothing', async (t) => {
  const connection = await connected(t, await startRedis(t, { data: 'forgetful' }));
  const sent: Sent[] = [];
  const one = startInstance(t, connection, sent);
  await until(() => sent.length >= 20);
  one.end('keep');
  await until(async () => (await connection.commands.keys('svc:1:lease:*')).length === 0);
  await until(() => one.pace.instances === 1);
  t.pass('no lease is left, and the instance is still known');
});

/** A packet that left. */
interface Sent {
  readonly address: string;
  readonly at: number;
}

/** Sends as many packets as it may. */
function startInstance(t: Pick<Tap, 'teardown' | 'fail'>, connection: StoreConnection, sent: Sent[]) {
  const pace = createFleetPace({ connection, failed: (error) => t.fail(String(error)) });
  const pacer = createPacer({ ...RATES, totalInFlight: 256, allowances: pace.allowancesOf });
  const controller = new AbortController();
  let own = 0;
  const flood = async (address: string) => {
    for (;;) {
      const turn = await pacer.acquire(address, controller.signal);
      sent.push({ address, at: performance.now() });
      own += 1;
      turn.end();
    }
  };
  const floods = ADDRESSES.flatMap((address) => [flood(address), flood(address)]);
  for (const one of floods) one.catch(() => {});
  const end = (how: 'leave' | 'keep' = 'leave') => {
    controller.abort();
    if (how === 'leave') pace.stop();
  };
  t.teardown(() => {
    end();
  });
  return { pace, end, sent: () => own };
}

/** In any one second no more than the rates. */
function checkRates(t: Pick<Tap, 'ok'>, sent: readonly Sent[], rates: typeof RATES): void {
  const most = (of: (address: string) => boolean) => {
    const moments = sent.filter(({ address }) => of(address)).map(({ at }) => at);
    return Math.max(...moments.map((from) => moments.filter((at) => at >= from && at < from + 1_000).length));
  };
  for (const one of ADDRESSES) {
    const count = most((address) => address === one);
    t.ok(count <= rates.ratePerAddress, `${count} to ${one}`);
  }
  const prefix = most((address) => address.startsWith('192.0.2.'));
  t.ok(prefix <= rates.ratePerPrefix, `${prefix} to a prefix`);
  const total = most(() => true);
  t.ok(total <= rates.rateTotal, `${total} in all`);
}

type Tap = typeof t;

/** A place where ten packets may go in a second, of a fleet that a test describes. */
function world(membership: Membership, extent: Extent = 'address') {
  const fleet = { membership, keeps: false, asked: 0 };
  const place = new SharedPlace('svc:1:lease:place', 10, extent, {
    membership: () => fleet.membership,
    keepsLeases: () => fleet.keeps,
    lacks: () => {
      fleet.asked += 1;
    },
  });
  const send = (now: number) => {
    let sent = 0;
    while (place.wait(now) === 0) {
      place.left(place.take(), now);
      sent += 1;
    }
    return sent;
  };
  return { fleet, place, send };
}

t.test('without a lease an instance sends its share', async (t) => {
  const rows: readonly (readonly [Membership, number, Extent?])[] = [
    [{ kind: 'new' }, 0],
    [{ kind: 'cut-off' }, 1],
    [{ kind: 'cut-off', instances: 2 }, 1],
    [{ kind: 'cut-off' }, 1, 'wider'],
    [{ kind: 'cut-off', instances: 2 }, 2, 'wider'],
    [{ kind: 'cut-off', instances: 20 }, 1, 'wider'],
    [{ kind: 'settled', instances: 2 }, 2, 'wider'],
    [{ kind: 'settled', instances: 1 }, 5],
    [{ kind: 'settled', instances: 2 }, 2],
    [{ kind: 'settled', instances: 5 }, 1],
    [{ kind: 'settled', instances: 6 }, 0],
  ];
  for (const [membership, share, extent] of rows) {
    const { fleet, send } = world(membership, extent);
    t.equal(send(1_000), share, JSON.stringify(membership));
    t.equal(fleet.asked > 0, true, 'and then asks for more');
  }
});

t.test('it asks for twice what it used, within what there is', async (t) => {
  const { place, send } = world({ kind: 'settled', instances: 2 });
  send(0);
  t.equal(place.wanted(5), 2);
  place.leased(2, 1_000, 6);
  t.equal(send(6), 2);
  t.equal(place.wanted(10), 5, 'four were used, eight are wanted, two are its own, five can be leased');
});

t.test('it asks for as much again as it uses, and for nothing once it uses its share only', async (t) => {
  const { place, send } = world({ kind: 'settled', instances: 2 });
  place.leased(2, 1_000, 0);
  place.left(place.take(), 0);
  place.left(place.take(), 0);
  place.left(place.take(), 0);
  t.equal(place.wanted(400), 1);
  place.leased(1, 1_400, 401);
  t.equal(place.wanted(2_000), 1, 'the busiest second since it asked counts');
  t.equal(place.wanted(2_400), 0);
  t.equal(place.isHot(2_400), false);
  t.equal(send(2_400), 2);
});

t.test('a lease that is over is no lease, unless the store is away', async (t) => {
  const { fleet, place, send } = world({ kind: 'cut-off' });
  place.leased(3, 1_000, 0);
  t.equal(send(999), 4);
  t.equal(send(3_000), 1);
  fleet.keeps = true;
  t.equal(send(6_000), 4);
});

t.test('whoever waits looks again when something may have changed', async (t) => {
  const { fleet, place, send } = world({ kind: 'settled', instances: 5 });
  send(0);
  t.equal(place.wait(0), 10, 'soon, for the reply');
  place.wanted(4);
  t.equal(place.wait(24), 20, 'later, when it does not come');
  t.equal(place.wait(900), 150, 'or when the first packet is old enough');
  place.leased(0, 1_004, 30);
  const { asked } = fleet;
  t.equal(place.wait(30), 200, 'there was nothing to lease');
  t.equal(fleet.asked, asked, 'and it is not asked for before that');
  t.equal(place.wait(230), 10);
  t.equal(fleet.asked, asked + 1);
  place.unanswered(250);
  t.equal(place.wait(250), 200);
});

t.test('a packet that has not left yet counts, however long it takes', async (t) => {
  const { place } = world({ kind: 'cut-off' });
  place.leased(5, 100_000, 0);
  for (let count = 0; count < 6; count += 1) place.take();
  t.equal(place.wait(50_000), Number.POSITIVE_INFINITY);
  place.left(0, 50_000);
  t.equal(place.wait(50_000), 1_050, 'until one that left is old enough');
});

/** Longer than any test takes. */
const LONG = { leaseMs: 60_000, packetMs: 60_000, goneMs: 60_000 };

/** Leases at one place, whose pool has ten turns: what each instance wants, and is given. */
const ROWS: readonly (readonly [
  what: string,
  pool: number,
  asked: readonly (readonly [string, number, number])[],
])[] = [
  ['an instance alone is given what it wants', 10, [['a', 3, 3]]],
  ['but no more than there is', 10, [['a', 30, 10]]],
  [
    'what is left is for others',
    10,
    [
      ['a', 7, 7],
      ['b', 7, 3],
    ],
  ],
  [
    'who asks again is given what is free',
    10,
    [
      ['a', 2, 2],
      ['b', 2, 2],
      ['a', 9, 8],
    ],
  ],
  [
    'what is given up is free only when its last packet is a second old',
    10,
    [
      ['a', 9, 9],
      ['a', 2, 2],
      ['b', 5, 1],
      ['a', 0, 0],
      ['b', 5, 1],
    ],
  ],
  [
    'who gives up and takes again, before that, has it at once',
    10,
    [
      ['a', 9, 9],
      ['a', 2, 2],
      ['a', 9, 9],
    ],
  ],
  [
    'where another lacks turns, nobody keeps more than a fair part',
    10,
    [
      ['a', 10, 10],
      ['b', 10, 0],
      ['a', 10, 5],
      ['c', 10, 0],
      ['a', 10, 3],
    ],
  ],
  [
    'where there are fewer turns than instances, they change hands',
    1,
    [
      ['a', 1, 1],
      ['b', 1, 0],
      ['a', 1, 0],
    ],
  ],
  [
    'nobody who wants less than a fair part is cut',
    10,
    [
      ['a', 2, 2],
      ['b', 8, 8],
      ['c', 5, 0],
      ['a', 2, 2],
      ['b', 8, 3],
    ],
  ],
];

t.test('what is leased', async (t) => {
  const { commands } = await connected(t, await startRedis(t, { data: 'forgetful' }));
  for (const [what, pool, asked] of ROWS) {
    await commands.flushall();
    for (const [index, [instance, wanted, expected]] of asked.entries()) {
      const { turns } = await lease(commands, instance, [['svc:1:lease:place', pool, wanted]], LONG);
      t.strictSame(turns, [expected], `${what}: ${instance}, ${index + 1}`);
    }
  }
});

t.test('places have nothing to do with each other', async (t) => {
  const { commands } = await connected(t, await startRedis(t, { data: 'forgetful' }));
  const places = [
    ['svc:1:lease:x', 10, 10],
    ['svc:1:lease:y', 10, 4],
    ['svc:1:lease:z', 0, 4],
  ] as const;
  t.strictSame((await lease(commands, 'a', places, LONG)).turns, [10, 4, 0]);
  t.strictSame((await lease(commands, 'b', places, LONG)).turns, [0, 4, 0]);
});

t.test('instances are counted until they have said nothing for too long', async (t) => {
  const { commands } = await connected(t, await startRedis(t, { data: 'forgetful' }));
  t.match(await lease(commands, 'a', [], LONG), { membership: 'new', instances: 1 });
  t.match(await lease(commands, 'a', [], LONG), { membership: 'known', instances: 1 });
  t.match(await lease(commands, 'b', [], { ...LONG, goneMs: 1 }), { membership: 'new' });
  while ((await lease(commands, 'a', [], LONG)).instances > 1);
  t.match(await lease(commands, 'b', [], LONG), { membership: 'new', instances: 2 });
});

t.test('what an instance had leased is free after it has gone, and nothing is kept of it', async (t) => {
  const { commands } = await connected(t, await startRedis(t, { data: 'forgetful' }));
  const short = { leaseMs: 5, packetMs: 5, goneMs: 15 };
  const place = ['svc:1:lease:place', 10, 10] as const;
  t.strictSame((await lease(commands, 'a', [place], short)).turns, [10]);
  let got: readonly number[] = [];
  while (got[0] !== 10) ({ turns: got } = await lease(commands, 'b', [place], short));
  while ((await commands.keys('svc:1:[il]*')).length > 0);
  t.pass('all keys expire');
});

async function lease(
  client: StoreClient,
  instance: string,
  places: readonly (readonly [key: string, pool: number, wanted: number])[],
  { leaseMs, packetMs, goneMs }: typeof LONG,
) {
  const keys = ['svc:1:instances', ...places.map(([key]) => key)];
  const wanted = places.flatMap(([, pool, turns]) => [pool, turns]);
  return await runScript(client, LEASE_SCRIPT, [
    keys.length,
    ...keys,
    instance,
    leaseMs,
    packetMs,
    goneMs,
    ...wanted,
  ]);
}
