import t from 'tap';
import { cellsOf, cellText } from './changes/judge.ts';
import { SAMPLE } from './changes/kinds.ts';
import { watchChanges } from './changes/watch.ts';

const WATCH_MS = 26_000;

/** Each zone is changed while it is looked up all the time. All kinds of change: changes.long.ts. */
t.test('nobody gets an old answer later than svc when says', { timeout: 300_000 }, async (t) => {
  t.equal(SAMPLE.length, 12);
  const { watched, calm } = await watchChanges(SAMPLE, { copies: 3, watchMs: WATCH_MS });
  const cells = watched.flatMap((one) => cellsOf(one, WATCH_MS));
  if (calm === 'disturbed') t.comment('the machine was too busy: nothing is compared that depends on it');
  for (const cell of cells) {
    t.ok(cell.oldTooLate <= 0, cellText(cell));
    if (calm === 'calm') t.ok(cell.failingTooLate <= 0, `SERVFAIL: ${cellText(cell)}`);
  }
  t.ok(
    cells.some(({ lastOld }) => lastOld.some((ms) => ms > 0)),
    'somebody got an old answer after a change',
  );
});
