import t from 'tap';
import { DEFAULT_PROFILES } from '../../src/explore/profiles/profiles.ts';
import { type Cell, cellsOf, cellText, offCurve } from './changes/judge.ts';
import { KINDS, type Kind } from './changes/kinds.ts';
import { watchChanges } from './changes/watch.ts';

/** At once, so that two processors are enough. */
const AT_ONCE = 16;
const EFFORT = { copies: 6, watchMs: 80_000 } as const;
const MOST_TRIES = 3;
const LEAST_TIGHT = 0.9;

t.test('old answers end when svc when says', { timeout: 7_200_000 }, async (t) => {
  const cells: Cell[] = [];
  for (let first = 0; first < KINDS.length; first += AT_ONCE) {
    const some = await calmCells(KINDS.slice(first, first + AT_ONCE));
    t.ok(some, 'the machine has time for it');
    cells.push(...(some ?? []));
  }
  for (const cell of cells) {
    t.ok(cell.oldTooLate <= 0, cellText(cell));
    t.ok(cell.failingTooLate <= 0, `SERVFAIL: ${cellText(cell)}`);
    if (!cell.isTight) t.comment(`earlier than said: ${cellText(cell)}`);
  }
  const tight = cells.filter(({ isTight }) => isTight).length / cells.length;
  t.comment(`as late as said, but for a TTL: ${(100 * tight).toFixed(1)} %`);
  t.ok(tight >= LEAST_TIGHT, `as late as said, but for a TTL: ${(100 * tight).toFixed(1)} %`);
  for (const product of DEFAULT_PROFILES) {
    const positions = cells.filter((cell) => cell.product === product).flatMap((cell) => cell.positions);
    const off = offCurve(positions);
    t.ok(off <= 0, `${product}: ${positions.length} zones, ${off.toFixed(3)} beyond the band of 99 %`);
  }
});

async function calmCells(kinds: readonly Kind[]): Promise<readonly Cell[] | undefined> {
  for (let tried = 0; tried < MOST_TRIES; tried += 1) {
    const { watched, calm } = await watchChanges(kinds, EFFORT);
    if (calm === 'calm') return watched.flatMap((one) => cellsOf(one, EFFORT.watchMs));
  }
  return undefined;
}
