import t from 'tap';
import type { Fingerprint } from '../../../src/document/servers.ts';
import { type SlotBid, Slots } from '../../../src/service/jobs/admission.ts';
import { FINGERPRINTS_AT_ONCE, Fingerprints, type Inquirer } from '../../../src/service/jobs/fingerprints.ts';
import type { MetServer } from '../../../src/traversal/servers-met.ts';
import { skipped } from '../../../src/traversal/survey.ts';
import { createFakeClock, settled } from '../../base/fake-clock.ts';
import { createFakeEngine } from '../fake-engine.ts';

const NEVER = new AbortController().signal;
const TIMEOUT: Fingerprint = { versionBind: { status: 'timeout' } };

function met(number: number): MetServer {
  return { address: `192.0.2.${number}`, names: [], zones: [], reaction: 'replied' };
}

/** Somebody who does not count packets. */
function by(party: string): Inquirer {
  return { party, pay: () => {} };
}

function setUp() {
  const engine = createFakeEngine();
  const clock = createFakeClock();
  const fingerprints = new Fingerprints(engine, clock);
  const asked = () => engine.fingerprintings.map(({ server }) => server.address);
  return { engine, clock, fingerprints, asked };
}

t.test('an address is asked once in ten minutes', async (t) => {
  const { engine, clock, fingerprints, asked } = setUp();
  const first = fingerprints.of(met(1), by('a'), NEVER);
  t.equal(fingerprints.known('192.0.2.1'), undefined);
  await settled();
  engine.fingerprintings[0]?.finish();
  t.same(await first, TIMEOUT);
  t.same(fingerprints.known('192.0.2.1'), TIMEOUT);
  await clock.advance(599_999);
  t.same(await fingerprints.of(met(1), by('b'), NEVER), TIMEOUT);
  t.equal(asked().length, 1);
  await clock.advance(1);
  t.equal(fingerprints.known('192.0.2.1'), undefined);
  void fingerprints.of(met(1), by('b'), NEVER);
  await settled();
  t.equal(asked().length, 2);
});

t.test('who wants an address that is being asked waits for what comes of it', async (t) => {
  const { engine, fingerprints, asked } = setUp();
  const [gone, stays] = [new AbortController(), new AbortController()];
  const left = fingerprints.of(met(1), by('a'), gone.signal);
  await settled();
  const waits = fingerprints.of(met(1), by('b'), stays.signal);
  gone.abort(new Error('enough'));
  await t.rejects(left, { message: 'enough' });
  t.notOk(engine.fingerprintings[0]?.signal.aborted, 'the other still wants it');
  engine.fingerprintings[0]?.finish();
  t.same(await waits, TIMEOUT);
  t.equal(asked().length, 1);
});

t.test('when nobody wants it any more it is not asked further, nor kept', async (t) => {
  const { engine, fingerprints, asked } = setUp();
  const gone = new AbortController();
  const both = [fingerprints.of(met(1), by('a'), gone.signal), fingerprints.of(met(1), by('b'), gone.signal)];
  await settled();
  gone.abort(new Error('enough'));
  for (const one of both) await t.rejects(one, { message: 'enough' });
  t.ok(engine.fingerprintings[0]?.signal.aborted);
  const again = fingerprints.of(met(1), by('a'), NEVER);
  await settled();
  engine.fingerprintings[1]?.finish();
  t.same([await again, asked().length], [TIMEOUT, 2]);
  await t.rejects(fingerprints.of(met(2), by('a'), gone.signal), { message: 'enough' });
});

t.test('a bug fails everybody who waits, and nothing is kept of it', async (t) => {
  const { engine, fingerprints } = setUp();
  const both = [fingerprints.of(met(1), by('a'), NEVER), fingerprints.of(met(1), by('b'), NEVER)];
  await settled();
  engine.fingerprintings[0]?.fail(new Error('oh'));
  for (const one of both) await t.rejects(one, { message: 'oh' });
  t.equal(fingerprints.known('192.0.2.1'), undefined);
});

t.test('one party leaves room for others', async (t) => {
  const { fingerprints, asked } = setUp();
  for (let number = 0; number < 100; number += 1) void fingerprints.of(met(number), by('greedy'), NEVER);
  await settled();
  t.equal(asked().length, FINGERPRINTS_AT_ONCE / 2);
  void fingerprints.of(met(200), by('modest'), NEVER);
  await settled();
  t.equal(asked().at(-1), '192.0.2.200');
});

t.test('parties take turns at asking, and whose turn comes first asks for all', async (t) => {
  const { engine, fingerprints, asked } = setUp();
  const share = FINGERPRINTS_AT_ONCE / 2;
  const want = (party: string, ...numbers: readonly number[]) =>
    numbers.map((number) => fingerprints.of(met(number), by(party), NEVER));
  const upTo = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);
  void want('a', ...upTo(0, share), 100, 101);
  void want('b', ...upTo(share, share), 110, 111);
  const wanted = want('c', 120, 101);
  await settled();
  t.equal(asked().length, FINGERPRINTS_AT_ONCE);
  const finish = async (number: number) => {
    engine.fingerprintings[number]?.finish();
    await settled();
  };
  for (const number of [0, share, 1, 2]) await finish(number);
  t.same(
    asked().slice(FINGERPRINTS_AT_ONCE),
    [100, 110, 120, 101].map((number) => met(number).address),
  );
  for (const number of asked().keys()) await finish(number);
  t.same(await Promise.all(wanted), [TIMEOUT, TIMEOUT]);
  t.equal(asked().filter((address) => address === met(101).address).length, 1);
});

t.test('whoever asks pays, and nobody else', async (t) => {
  const { engine, fingerprints } = setUp();
  const paid: string[] = [];
  const inquirer = (party: string) => ({ party, pay: (packets: number) => paid.push(`${party} ${packets}`) });
  const both = ['a', 'b'].map((party) => fingerprints.of(met(1), inquirer(party), NEVER));
  await settled();
  engine.fingerprintings[0]?.finish();
  await Promise.all(both);
  await fingerprints.of(met(1), inquirer('c'), NEVER);
  t.same(paid, ['a 12']);
});

t.test('that a server was to be left alone is not kept', async (t) => {
  const { engine, fingerprints } = setUp();
  const blocked = skipped('blocked');
  const first = fingerprints.of(met(1), by('a'), NEVER);
  await settled();
  engine.fingerprintings[0]?.finish(blocked);
  t.same(await first, blocked);
  t.equal(fingerprints.known('192.0.2.1'), undefined);
});

const NOT_ABORTED = new AbortController().signal;

/** Slots, and who got one so far. A bid is "party", "party#2" for its second, and so on. */
function setUpSlots(size: number, most = size) {
  const slots = new Slots(size);
  const got: string[] = [];
  const releases = new Map<string, () => void>();
  const bid = (name: string, more: Partial<SlotBid> = {}, signal = NOT_ABORTED) => {
    const [party = ''] = name.split('#');
    void slots.take({ party, most, ...more }, signal).then((release) => {
      if (release === undefined) return;
      got.push(name);
      releases.set(name, release);
    });
  };
  /** Gives slots back, one after the other. */
  const release = async (...names: readonly string[]) => {
    for (const name of names) {
      await settled();
      releases.get(name)?.();
    }
    await settled();
  };
  return { slots, got, bid, release };
}

t.test('parties take turns, and each goes in its own order', async (t) => {
  const { slots, got, bid, release } = setUpSlots(1);
  for (const name of ['a#1', 'a#2', 'a#3', 'b#1', 'b#2', 'c#1']) bid(name);
  t.equal(slots.waiting, 5);
  await release('a#1', 'a#2', 'b#1', 'c#1', 'a#3', 'b#2');
  t.same(got, ['a#1', 'a#2', 'b#1', 'c#1', 'a#3', 'b#2']);
  t.equal(slots.waiting, 0);
});

t.test('who has what it may have at once waits, though there is room', async (t) => {
  const { got, bid, release } = setUpSlots(4, 2);
  for (const name of ['a#1', 'a#2', 'a#3', 'b#1']) bid(name);
  await settled();
  t.same(got, ['a#1', 'a#2', 'b#1']);
  await release('b#1');
  t.equal(got.length, 3, "somebody else's slot is of no use to it");
  await release('a#2');
  t.equal(got.at(-1), 'a#3');
});

t.test('who gives up leaves the line', async (t) => {
  const { slots, got, bid, release } = setUpSlots(1);
  const gone = new AbortController();
  bid('a#1');
  bid('b#1', {}, gone.signal);
  bid('c#1');
  gone.abort();
  t.equal(slots.waiting, 1);
  await release('a#1');
  t.same(got, ['a#1', 'c#1']);
  t.equal(await slots.take({ party: 'b', most: 1 }, gone.signal), undefined, 'nor does it come in again');
});
