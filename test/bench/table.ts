import { type Figure, inUnit } from './figure.ts';
import { NOW } from './program.ts';
import { type Goal, isReached, ROWS, type RowName } from './rows.ts';

/** The figures as a table in Markdown, with those of an older build beside those of this one. */
export function table(figures: readonly Figure[]): string {
  const older = figures.find(({ program }) => program !== NOW.label)?.program;
  const columns = ['', 'goal', 'measured', ...(older === undefined ? [] : [older, 'now / then'])];
  const lines = inOrder(figures).map((figure) => {
    const then = figures.find(({ row, program }) => row === figure.row && program === older);
    return [...cellsOf(figure), ...(older === undefined ? [] : comparison(figure, then))];
  });
  const rule = columns.map((_, at) => (at === 0 ? '---' : '---:'));
  return [columns, rule, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Those of this build, in the order of the rows. */
function inOrder(figures: readonly Figure[]): readonly Figure[] {
  const own = figures.filter(({ program }) => program === NOW.label);
  return Object.keys(ROWS).flatMap((name) => own.filter(({ row }) => row === name));
}

function cellsOf({ row, value }: Figure): readonly string[] {
  const { what, goal } = ROWS[row];
  return [what, goalText(goal), inUnit(ROWS[row], value)];
}

function goalText(goal: Goal): string {
  return goal.kind === 'most' ? `≤ ${goal.of}` : `≥ ${goal.of}`;
}

function comparison(now: Figure, then: Figure | undefined): readonly string[] {
  return then === undefined
    ? ['', '']
    : [inUnit(ROWS[then.row], then.value), (now.value / then.value).toPrecision(3)];
}

/** A line for each goal that this build did not reach. */
export function shortfalls(figures: readonly Figure[]): readonly string[] {
  const short = figures.filter(
    ({ row, program, value }) => program === NOW.label && !isReached(ROWS[row].goal, value),
  );
  return short.map(({ row, value }) => `falls short: ${described(row, value)}`);
}

function described(row: RowName, value: number): string {
  const { what, goal } = ROWS[row];
  return `${what}: ${inUnit(ROWS[row], value)}, goal ${goalText(goal)}`;
}
