import t from 'tap';
import { runScript } from '../../../../src/service/store/connection/script.ts';
import type { StoreClient } from '../../../../src/service/store/connection/store-client.ts';
import { LEASE_SCRIPT } from '../../../../src/service/store/pacing/lease-script.ts';
import { connected } from '../connected.ts';
import { startRedis } from '../redis-server.ts';

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
