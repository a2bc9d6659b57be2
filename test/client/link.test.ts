import t from 'tap';
import type { Follower } from '../../src/client/follower.ts';
import { Link } from '../../src/client/link.ts';

/** A link that is given up a minute after it was lost, and a clock that a test moves. */
function setUp(state?: 'up') {
  let now = 0;
  const told: string[] = [];
  const follower: Follower = { event: () => 'go-on', connection: (state) => void told.push(state) };
  const link = new Link(follower, 60_000, () => now, state);
  const wait = (ms: number) => {
    now += ms;
  };
  return { link, told, wait };
}

t.test('a connection that never was is not waited for', async (t) => {
  t.notOk(setUp().link.isWorthWaiting());
});

t.test('one to a server that just replied is, for a minute', async (t) => {
  const { link, told, wait } = setUp('up');
  t.ok(link.isWorthWaiting());
  link.down();
  wait(59_999);
  t.ok(link.isWorthWaiting());
  wait(1);
  t.notOk(link.isWorthWaiting());
  t.same(told, ['lost']);
});

t.test('one that brought something is, for a minute from when it was lost', async (t) => {
  const { link, told, wait } = setUp();
  link.up();
  link.heard();
  wait(600_000);
  link.down();
  wait(59_999);
  t.ok(link.isWorthWaiting());
  wait(1);
  t.notOk(link.isWorthWaiting());
  t.same(told, ['lost']);
  link.up();
  t.same(told, ['lost', 'back']);
});

t.test('connections that bring nothing get no more time, unless they last', async (t) => {
  for (const [lastsMs, waited] of [
    [4_999, false],
    [5_000, true],
  ] as const) {
    const { link, wait } = setUp();
    wait(59_000);
    link.up();
    wait(lastsMs);
    link.down();
    t.equal(link.isWorthWaiting(), waited, `${lastsMs} ms`);
  }
});
