import type { OutcomeRow } from '../../document/ends.ts';
import { type End, endKey } from '../../evaluate/end.ts';

/** An end that one view has and another has not, or not with the same probability. */
export type EndChange = End & {
  /** The exact probability, as text; null where paths do not end so. */
  readonly before: string | null;
  readonly after: string | null;
};

/**
 * The ends that appeared, went, or have another probability: those that there are now first, the most
 * probable first. Times to live and the order of records do not count: they change all the time.
 */
export function endChanges(
  before: readonly OutcomeRow[],
  after: readonly OutcomeRow[],
): readonly EndChange[] {
  const [earlier, later] = [byIdentity(before), byIdentity(after)];
  const present = [...later].map(([identity, row]) => changeOf(row, earlier.get(identity), row));
  const gone = [...earlier].filter(([identity]) => !later.has(identity));
  return [...present, ...gone.map(([, row]) => changeOf(row, row, undefined))].filter(
    (change) => change.before !== change.after,
  );
}

function byIdentity(outcomes: readonly OutcomeRow[]): ReadonlyMap<string, OutcomeRow> {
  return new Map(outcomes.map((row) => [identityOf(row), row]));
}

function changeOf(
  { probability: _probability, fraction: _fraction, ...end }: OutcomeRow,
  before: OutcomeRow | undefined,
  after: OutcomeRow | undefined,
): EndChange {
  return { before: before?.fraction ?? null, after: after?.fraction ?? null, ...end };
}

/** A text that is equal for ends of different traversals that say the same. */
function identityOf(end: End): string {
  const answer = end.kind === 'answer' ? answerIdentity(end) : [];
  const cause = 'cause' in end && end.cause !== undefined ? [identityOf(end.cause)] : [];
  return [endKey(end), ...answer, ...cause].join('\n');
}

function answerIdentity({
  records,
  aliases,
  authoritative,
}: Extract<End, { kind: 'answer' }>): readonly string[] {
  const contents = records.map(({ name, type, data }) => `${name} ${type} ${data}`).sort();
  return [`${authoritative}`, aliases.join(' '), ...contents];
}
