import t from 'tap';
import { createPacer, type MainPacer, type Pace } from '../../src/exchange/pacer.ts';
import type { Urgency } from '../../src/exchange/query.ts';
import { EventLoopThrottle, RisingUrgency } from '../../src/exchange/urgency.ts';
import { createFakeClock, type FakeClock, settled } from '../base/fake-clock.ts';

interface World {
  readonly clock: FakeClock;
  readonly pacer: MainPacer;
  /** Who was let go, in order: "address/label". */
  readonly granted: string[];
  /** When, in the same order. */
  readonly moments: number[];
  readonly releases: Map<string, () => void>;
  readonly failed: unknown[];
  ask(address: string, label: string, signal?: AbortSignal): void;
}

const FREE = { ratePerAddress: 0, totalInFlight: 1_000 };

function world(pace: Partial<Pace>): World {
  const clock = createFakeClock();
  const pacer = createPacer({ ...FREE, ...pace, clock });
  const granted: string[] = [];
  const moments: number[] = [];
  const releases = new Map<string, () => void>();
  const failed: unknown[] = [];
  return {
    clock,
    pacer,
    granted,
    moments,
    releases,
    failed,
    ask: (address, label, signal = new AbortController().signal) => {
      const who = `${address}/${label}`;
      pacer.acquire(addressOf(address), signal).then(
        ({ leave, end }) => {
          granted.push(who);
          moments.push(clock.now());
          leave();
          releases.set(who, end);
        },
        (reason) => failed.push(reason),
      );
    },
  };
}

/** Each letter stands for an address in a prefix of its own; "x1" and "x2" share theirs. */
function addressOf(word: string): string {
  return `198.51.${word.charCodeAt(0)}.${word.slice(1) || 0}`;
}

const LABELS = 'abcdefghijklmnopqrstuvwxyz';

t.test('a limit per address in any one second, whenever it starts', async (t) => {
  const { clock, ask, granted, moments } = world({ ratePerAddress: 3 });
  for (const [index, label] of [...LABELS].entries()) {
    ask('x', label);
    await clock.advance(index % 5 === 0 ? 170 : 40);
  }
  await clock.advance(60_000);
  for (const [index, moment] of moments.entries()) {
    const fourth = moments[index + 3];
    if (fourth !== undefined)
      t.ok(fourth - moment >= 1_000, `the fourth from ${moment} on goes at ${fourth}`);
  }
  t.same(
    granted,
    [...LABELS].map((label) => `x/${label}`),
    'first come, first served',
  );
  t.ok((moments.at(-1) ?? 0) < 10_000, 'and the rate is used');
  t.equal(clock.timers, 0, 'no timer is left when nobody waits');
});

t.test('an IPv6 address that stands for an IPv4 address is the same server', async (t) => {
  const { clock, pacer } = world({ ratePerAddress: 1 });
  const signal = new AbortController().signal;
  const granted: string[] = [];
  for (const address of ['198.51.100.1', '64:ff9b::c633:6401', '2002:c633:6401::1', '64:ff9b::c633:6402'])
    void pacer.acquire(address, signal).then(({ leave }) => {
      granted.push(address);
      leave();
    });
  await settled();
  t.same(granted, ['198.51.100.1', '64:ff9b::c633:6402']);
  await clock.advance(1_050);
  t.same(granted.slice(2), ['64:ff9b::c633:6401']);
});

t.test('the rate also holds after the address was idle', async (t) => {
  const { clock, ask, granted, releases } = world({ ratePerAddress: 2 });
  ask('x', 'a');
  ask('x', 'b');
  await settled();
  for (const release of releases.values()) release();
  await clock.advance(900);
  ask('y', 'a');
  ask('x', 'c');
  await settled();
  t.same(granted, ['x/a', 'x/b', 'y/a']);
  await clock.advance(200);
  t.same(granted, ['x/a', 'x/b', 'y/a', 'x/c']);
});

t.test('rate 0 is no limit', async (t) => {
  const { ask, granted, clock } = world({ ratePerAddress: 0 });
  for (let index = 0; index < 500; index += 1) ask('x', String(index));
  await settled();
  t.equal(granted.length, 500);
  t.equal(clock.timers, 0);
});

t.test('a place in flight that is given back goes to the next, once', async (t) => {
  const { ask, granted, releases } = world({ totalInFlight: 2 });
  for (const label of 'abcd') ask('x', label);
  await settled();
  t.same(granted, ['x/a', 'x/b']);
  releases.get('x/a')?.();
  releases.get('x/a')?.();
  await settled();
  t.same(granted, ['x/a', 'x/b', 'x/c']);
});

t.test('of the queries of one traversal, those that the longest chain waits for go first', async (t) => {
  const { clock, pacer } = world({ ratePerAddress: 1 });
  const { signal } = new AbortController();
  const gone: string[] = [];
  const urgencies: readonly (readonly [label: string, urgency: Urgency])[] = [
    ['first', {}],
    ['known early', { links: 1 }],
    ['for the check', { rank: 'check', links: 9 }],
    ['to validate', { rank: 'dnssec', links: 9 }],
    ['of the warm walk', { rank: 'warm' }],
    ['another server at the end of a chain', { links: 5, place: 1 }],
    ['at the end of a chain', { links: 5 }],
    ['beside it', { links: 5 }],
    ['one of many servers', { links: 5, place: 1_000 }],
    ['one of many more', { links: 5, place: 2_000 }],
    ['earlier, one of many', { links: 4, place: 999 }],
  ];
  for (const [label, urgency] of urgencies)
    pacer.acquire('192.0.2.1', signal, urgency).then(({ end }) => {
      gone.push(label);
      end();
    });
  await clock.advance(60_000);
  t.same(gone, [
    'first',
    'at the end of a chain',
    'beside it',
    'another server at the end of a chain',
    'one of many servers',
    'one of many more',
    'earlier, one of many',
    'known early',
    'of the warm walk',
    'to validate',
    'for the check',
  ]);
});

t.test('what becomes more urgent while it waits goes before what is not', async (t) => {
  const { clock, pacer } = world({ ratePerAddress: 1 });
  const { signal } = new AbortController();
  const gone: string[] = [];
  const ask = (label: string, rising?: RisingUrgency) =>
    pacer.acquire('192.0.2.1', signal, { rank: 'check', rising }).then(({ end }) => {
      gone.push(label);
      end();
    });
  const rising = new RisingUrgency({ rank: 'check' });
  const raised = new RisingUrgency({ rank: 'check' });
  raised.raise({ rank: 'dnssec' });
  void ask('first');
  void ask('second');
  void ask('third');
  void ask('rises', rising);
  void ask('raised before', raised);
  rising.raise({ rank: 'cold', links: 2 });
  rising.raise({ rank: 'cold', links: 1 });
  rising.raise({ rank: 'check' });
  t.same(rising.now, { rank: 'cold', links: 2, place: 0 }, 'nothing becomes less urgent');
  await clock.advance(60_000);
  t.same(gone, ['first', 'rises', 'raised before', 'second', 'third']);
  rising.raise({ rank: 'cold', links: 9 });
  await clock.advance(60_000);
  t.equal(gone.length, 5, 'what has gone does not go again');
});

t.test('a limit in flight in total; the addresses take turns', async (t) => {
  const { ask, granted, releases } = world({ totalInFlight: 1 });
  for (const label of 'abc') ask('x', label);
  ask('y', 'a');
  ask('z', 'a');
  await settled();
  for (let given = 1; given < 5; given += 1) {
    t.equal(granted.length, given, 'one at a time');
    releases.get(granted.at(-1) ?? '')?.();
    await settled();
  }
  t.same(granted, ['x/a', 'x/b', 'y/a', 'z/a', 'x/c']);
});

t.test('at one address the traversals take turns, however much one of them asks', async (t) => {
  const { clock, ask, granted } = world({ ratePerAddress: 4 });
  const [greedy, modest] = [new AbortController().signal, new AbortController().signal];
  for (const label of LABELS) ask('x', label, greedy);
  for (const label of ['1', '2', '3']) ask('x', label, modest);
  ask('x', 'alone');
  await clock.advance(60_000);
  t.equal(
    granted.map((who) => who.slice(2)).join(' '),
    `a b c d e 1 alone f 2 g 3 ${[...LABELS].slice(7).join(' ')}`,
  );
});

t.test('one traversal has no more than its share in flight, wherever it asks', async (t) => {
  const { ask, granted, releases } = world({ perTraversalInFlight: 2, totalInFlight: 4 });
  const greedy = new AbortController().signal;
  for (const address of 'wxyz') ask(address, 'greedy', greedy);
  ask('w', 'other');
  await settled();
  t.same(granted, ['w/greedy', 'x/greedy', 'w/other']);
  releases.get('x/greedy')?.();
  await settled();
  t.same(granted.slice(3), ['y/greedy']);
  releases.get('w/greedy')?.();
  releases.get('y/greedy')?.();
  await settled();
  t.same(granted.slice(4), ['z/greedy'], 'nobody who waited is forgotten');
});

t.test('traversals with dead servers leave room for a newcomer, and use what others give back', async (t) => {
  const { ask, granted, releases } = world({ perTraversalInFlight: 8, totalInFlight: 12 });
  const gone = new AbortController();
  const [second, newcomer] = [new AbortController().signal, new AbortController().signal];
  for (const label of LABELS) {
    ask('x', `1${label}`, gone.signal);
    ask('y', `2${label}`, second);
  }
  await settled();
  t.equal(granted.length, 8, 'of 12');
  ask('z', 'newcomer', newcomer);
  await settled();
  t.equal(granted.at(-1), 'z/newcomer');
  gone.abort();
  for (const who of granted.filter((one) => one.startsWith('x/'))) releases.get(who)?.();
  await settled();
  t.equal(granted.filter((one) => one.startsWith('y/')).length, 6, 'the second has more than before');
});

t.test('a traversal that is held gets no turns until it is released, and holds up nobody', async (t) => {
  const { pacer, ask, granted, releases } = world({ totalInFlight: 3, perTraversalInFlight: 3 });
  const [held, other] = [new AbortController().signal, new AbortController().signal];
  ask('x', 'before', held);
  await settled();
  pacer.hold(held);
  ask('x', 'a', held);
  ask('y', 'b', held);
  ask('x', 'other', other);
  await settled();
  t.same(granted, ['x/before', 'x/other']);
  releases.get('x/before')?.();
  await settled();
  t.equal(granted.length, 2, 'a reply to what it asked before changes nothing');
  pacer.release(held);
  await settled();
  t.same(granted.slice(2), ['x/a']);
  releases.get('x/a')?.();
  releases.get('x/other')?.();
  await settled();
  t.same(granted.slice(3), ['y/b']);
});

t.test('a share does not keep others at the same address waiting', async (t) => {
  const { ask, granted, releases } = world({ perTraversalInFlight: 1 });
  const greedy = new AbortController();
  for (const label of 'abc') ask('x', label, greedy.signal);
  ask('x', 'other');
  await settled();
  t.same(granted, ['x/a', 'x/other']);
  greedy.abort();
  await settled();
  releases.get('x/a')?.();
  ask('x', 'late');
  await settled();
  t.same(granted.slice(2), ['x/late']);
});

t.test('aborted while waiting, it leaves the queue and rejects with the reason', async (t) => {
  const { clock, ask, granted, failed } = world({ ratePerAddress: 1 });
  const aborted = new AbortController();
  ask('x', 'a');
  ask('x', 'b', aborted.signal);
  ask('x', 'c', aborted.signal);
  ask('x', 'd');
  await settled();
  aborted.abort('enough');
  await settled();
  t.same(failed, ['enough', 'enough']);
  await clock.advance(5_000);
  t.same(granted, ['x/a', 'x/d']);
  t.equal(clock.timers, 0);
});

t.test('when the last one leaves, the timer is cancelled', async (t) => {
  const { clock, ask } = world({ ratePerAddress: 1 });
  const aborted = new AbortController();
  ask('x', 'a');
  ask('x', 'b', aborted.signal);
  await settled();
  t.equal(clock.timers, 1);
  aborted.abort();
  t.equal(clock.timers, 0);
});

t.test('an aborted signal gets no slot', async (t) => {
  const { ask, granted, failed } = world({ totalInFlight: 1 });
  ask('x', 'a', AbortSignal.abort('before'));
  ask('x', 'b');
  await settled();
  t.same(failed, ['before']);
  t.same(granted, ['x/b']);
});

t.test('thousands waiting with one signal cause no warning and all leave at once', async (t) => {
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  process.on('warning', note);
  t.teardown(() => process.off('warning', note));
  const { ask, failed, granted } = world({ totalInFlight: 1 });
  const aborted = new AbortController();
  for (let index = 0; index < 5_000; index += 1) ask('x', String(index), aborted.signal);
  await settled();
  aborted.abort();
  await settled();
  t.equal(granted.length, 1);
  t.equal(failed.length, 4_999);
  t.same(warnings, []);
});

t.test('a limit per prefix: its addresses take turns, and others go on', async (t) => {
  const { clock, ask, granted, moments } = world({ ratePerPrefix: 3, ratePerAddress: 2 });
  for (const label of 'abcd') for (const address of ['x1', 'x2', 'x3', 'y1']) ask(address, label);
  await settled();
  t.same(granted, ['x1/a', 'x2/a', 'x3/a', 'y1/a', 'y1/b']);
  t.equal(clock.timers, 2, 'one timer for the prefix, one for the address');
  await clock.advance(1_050);
  t.same(granted.slice(5), ['x1/b', 'x2/b', 'x3/b', 'y1/c', 'y1/d'].sort(), 'in turn');
  await clock.advance(60_000);
  t.equal(granted.length, 16);
  t.equal(clock.timers, 0);
  const inX = moments.filter((_, index) => granted[index]?.startsWith('x'));
  for (const [index, moment] of inX.entries()) {
    const fourth = inX[index + 3];
    if (fourth !== undefined)
      t.ok(fourth - moment >= 1_000, `the fourth from ${moment} on goes at ${fourth}`);
  }
});

t.test('the prefix of an IPv6 address has 48 bits', async (t) => {
  const { pacer, clock } = world({ ratePerPrefix: 1 });
  const went: string[] = [];
  for (const address of ['2001:db8:1::1', '2001:db8:1:ffff::1', '2001:db8:2::1'])
    pacer.acquire(address, new AbortController().signal).then(({ leave }) => {
      went.push(address);
      leave();
    });
  await settled();
  t.same(went, ['2001:db8:1::1', '2001:db8:2::1']);
  await clock.advance(1_100);
  t.equal(went.length, 3);
});

t.test('a limit in total, which needs one timer however many wait', async (t) => {
  const { clock, ask, granted, moments } = world({ rateTotal: 5 });
  for (const label of 'abcd') for (const address of 'uvwxyz') ask(address, label);
  await settled();
  t.same(granted, ['u/a', 'v/a', 'w/a', 'x/a', 'y/a']);
  t.equal(clock.timers, 1);
  await clock.advance(1_050);
  t.same(granted.slice(5), ['z/a', 'u/b', 'v/b', 'w/b', 'x/b'], 'the addresses take turns');
  await clock.advance(60_000);
  t.equal(granted.length, 24);
  t.equal(clock.timers, 0);
  for (const [index, moment] of moments.entries()) {
    const sixth = moments[index + 5];
    if (sixth !== undefined) t.ok(sixth - moment >= 1_000);
  }
});

t.test('a packet that has leave and has not left holds up what would come too soon after it', async (t) => {
  const RATES = [{ ratePerAddress: 1 }, { ratePerPrefix: 1 }, { rateTotal: 1 }];
  for (const rates of RATES) {
    const clock = createFakeClock();
    const pacer = createPacer({ ...FREE, ...rates, clock });
    const { signal } = new AbortController();
    const late = await pacer.acquire('192.0.2.1', signal);
    let next = false;
    pacer.acquire('192.0.2.1', signal).then(() => {
      next = true;
    });
    await clock.advance(5_000);
    t.notOk(next);
    late.leave();
    await clock.advance(1_000);
    t.notOk(next, 'a second counts from when it left');
    await clock.advance(100);
    t.ok(next);
    const unused = createPacer({ ...FREE, ...rates, clock });
    (await unused.acquire('192.0.2.1', signal)).end();
    const after = unused.acquire('192.0.2.1', signal);
    await clock.advance(1_100);
    t.ok(await after, 'one that never leaves holds up nobody for ever');
  }
});

t.test('whoever leaves a full prefix, or a full total, lets the others in', async (t) => {
  for (const rates of [{ ratePerPrefix: 1 }, { rateTotal: 1 }]) {
    const { clock, ask, granted, failed } = world(rates);
    const aborted = new AbortController();
    ask('x1', 'a');
    ask('x2', 'b', aborted.signal);
    ask('x3', 'c');
    await settled();
    aborted.abort('enough');
    await clock.advance(1_100);
    t.same(granted, ['x1/a', 'x3/c']);
    t.same(failed, ['enough']);
    t.equal(clock.timers, 0);
    const last = new AbortController();
    ask('x4', 'd', last.signal);
    await settled();
    t.equal(clock.timers, 1);
    last.abort();
    await settled();
    t.equal(clock.timers, 0, 'no timer is left when nobody waits');
  }
});

t.test('a packet is as much work however many wait', async (t) => {
  const clock = createFakeClock();
  let looks = 0;
  /** Whatever a pacer looks at, it asks for the time. */
  const counting = {
    after: clock.after,
    now: () => {
      looks += 1;
      return clock.now();
    },
  };
  const rates = { ratePerAddress: 2, ratePerPrefix: 20, rateTotal: 200, perTraversalInFlight: 64 };
  const pacer = createPacer({ ...rates, totalInFlight: 256, clock: counting });
  const traversals = Array.from({ length: 8 }, () => new AbortController());
  let went = 0;
  let failed = 0;
  for (let index = 0; index < 20_000; index += 1) {
    const { signal } = traversals[index % 8] ?? new AbortController();
    pacer.acquire(`10.${index % 100}.0.${(index >> 7) % 100}`, signal).then(
      ({ leave, end }) => {
        went += 1;
        leave();
        clock.after(30, end);
      },
      () => {
        failed += 1;
      },
    );
  }
  t.ok(looks < 20 * 20_000, `${looks} looks to queue 20,000`);
  looks = 0;
  await clock.advance(20_000);
  t.equal(went, 200 * Math.ceil(20_000 / 1_050), 'the rate is used');
  t.ok(looks < 30 * went, `${looks} looks for ${went} packets`);
  looks = 0;
  for (const one of traversals) one.abort();
  await settled();
  t.equal(went + failed, 20_000);
  t.ok(looks < 20 * 20_000, `${looks} looks to leave`);
});

const NEVER = new AbortController().signal;

/** Resolves once as many as these have gone. */
async function gone(left: readonly number[], count: number): Promise<void> {
  while (left.length < count) await new Promise(setImmediate);
}

t.test('a few go out in each turn of the event loop, what has become more urgent first', async (t) => {
  const left: number[] = [];
  const throttle = new EventLoopThrottle<number>((item) => left.push(item), NEVER);
  const all = Array.from({ length: 10 }, () => new RisingUrgency({ rank: 'check' }));
  for (const [item, rising] of all.entries()) throttle.add(item, { rising });
  const before = [...left];
  all[0]?.raise({ rank: 'cold' });
  all[9]?.raise({ rank: 'cold' });
  await gone(left, all.length);
  const [next] = left.slice(before.length);
  t.ok(before.length < 5);
  t.equal(next, 9);
  t.same(
    left.filter((item) => item !== 9),
    [0, 1, 2, 3, 4, 5, 6, 7, 8],
    'each goes once',
  );
});

t.test('every question goes to the first server of its zone before any goes to another', async (t) => {
  const left: number[] = [];
  const throttle = new EventLoopThrottle<number>((item) => left.push(item), NEVER);
  for (const [item, place] of [0, 1, 2, 0, 1, 2, 0, 1, 2].entries()) throttle.add(item, { place });
  await gone(left, 9);
  const atOnce = [0, 1];
  t.same(left, [...atOnce, 3, 6, 4, 7, 2, 5, 8]);
});
