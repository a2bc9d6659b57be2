import t from 'tap';
import type { Extent, Membership } from '../../../../src/service/store/pacing/fleet-share.ts';
import { SharedPlace } from '../../../../src/service/store/pacing/shared-place.ts';

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
