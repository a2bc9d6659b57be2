import t from 'tap';
import { DEFAULT_PROFILES } from '../../src/explore/profiles/profiles.ts';
import { cellText, compare } from './profiles/cells.ts';
import { outOfDate } from './profiles/current.ts';
import { randomFaultWorld } from './profiles/fault-world.ts';
import { isAnnounced } from './profiles/summary.ts';

/**
 * Chosen so that each kind of trouble, slow servers, and names without glue are among them. The last are signed; none of these
 * depends on which server is 50 ms quicker, which a busy machine changes.
 */
const samples = [
  [2000, 2005, 2009, 2013, 2014, 2016, 2017, 2024, 2026, 2028, 2030],
  [2171, 7051, 7091, 7111],
];

for (const seeds of samples) {
  const title = `no resolver does what its profile calls impossible in ${seeds.length} worlds`;
  t.test(title, { timeout: 300_000 }, async (t) => {
    const effort = { profiles: DEFAULT_PROFILES, times: 10 };
    const compared = await compare(seeds.map(randomFaultWorld), effort);
    if (compared.calm === 'disturbed') {
      t.comment('the machine was too busy: nothing was compared');
      return;
    }
    for (const cell of compared.cells.filter((one) => !isAnnounced(one))) {
      t.same([...cell.impossible], [], cellText(cell));
    }
  });
}

t.test('no profile is out of date', { timeout: 300_000 }, async (t) => {
  const { calm, all } = await outOfDate();
  for (const { name, measured, installed, changes } of all) {
    const versions = measured === installed ? measured : `${measured}, ${installed} is installed`;
    if (calm === 'calm')
      t.same(changes, [], `${name} (${versions}); if not: sh test/real/run.sh measure ${name}`);
    else t.comment(`the machine was too busy: ${name} (${versions}): ${changes.join('; ') || 'no change'}`);
  }
});
