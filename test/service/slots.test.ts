import t from 'tap';
import { type Bidder, Slots } from '../../src/service/slots.ts';
import { settled } from '../exchange/fake-clock.ts';

const NEVER = new AbortController().signal;

/** Slots, and who got one so far. A bid is "party", "party#2" for its second, and so on. */
function setUp(size: number, most = size) {
  const slots = new Slots(size);
  const got: string[] = [];
  const releases = new Map<string, () => void>();
  const bid = (name: string, more: Partial<Bidder> = {}, signal = NEVER) => {
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
  const { slots, got, bid, release } = setUp(1);
  for (const name of ['a#1', 'a#2', 'a#3', 'b#1', 'b#2', 'c#1']) bid(name);
  t.same([slots.waiting, slots.waitingOf('a'), slots.waitingOf('c')], [5, 2, 1]);
  await release('a#1', 'a#2', 'b#1', 'c#1', 'a#3', 'b#2');
  t.same(got, ['a#1', 'a#2', 'b#1', 'c#1', 'a#3', 'b#2']);
  t.equal(slots.waiting, 0);
});

t.test('who has what it may have at once waits, though there is room', async (t) => {
  const { slots, got, bid, release } = setUp(4, 2);
  for (const name of ['a#1', 'a#2', 'a#3', 'b#1']) bid(name);
  await settled();
  t.same(got, ['a#1', 'a#2', 'b#1']);
  t.ok(slots.mustWait({ party: 'a', most: 2 }));
  t.notOk(slots.mustWait({ party: 'a', most: 4 }), 'unless it may have more');
  t.notOk(slots.mustWait({ party: 'c', most: 2 }));
  await release('b#1');
  t.equal(got.length, 3, "somebody else's slot is of no use to it");
  await release('a#2');
  t.equal(got.at(-1), 'a#3');
});

t.test('who waits can know how many go first', async (t) => {
  const { slots, bid, release, got } = setUp(1);
  const names = ['a#1', 'a#2', 'b#1', 'a#3', 'b#2', 'b#3', 'c#1'];
  const signals = new Map(names.map((name) => [name, new AbortController().signal]));
  for (const [name, signal] of signals) bid(name, {}, signal);
  await settled();
  const waiting = names.slice(1);
  const told = waiting.map((name) => [name, slots.ahead(name.slice(0, 1), signals.get(name) ?? NEVER)]);
  t.equal(slots.ahead('a', signals.get('a#1') ?? NEVER), undefined, 'who has a slot waits for none');
  t.equal(slots.ahead('d', NEVER), undefined);
  for (let turn = 0; turn < names.length; turn += 1) await release(...got.slice(turn, turn + 1));
  t.same(
    told,
    waiting.map((name) => [name, got.indexOf(name) - 1]),
  );
});

t.test('who gives up leaves the line', async (t) => {
  const { slots, got, bid, release } = setUp(1);
  const gone = new AbortController();
  bid('a#1');
  bid('b#1', {}, gone.signal);
  bid('c#1');
  gone.abort();
  t.same([slots.waiting, slots.waitingOf('b')], [1, 0]);
  await release('a#1');
  t.same(got, ['a#1', 'c#1']);
  t.equal(await slots.take({ party: 'b', most: 1 }, gone.signal), undefined, 'nor does it come in again');
});
