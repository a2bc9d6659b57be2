/* What a name gave before: the rows of its history. */

import type { PastJob } from '../../document/api/history.ts';
import { listed } from '../../document/words/lists.ts';
import { printable } from '../../document/words/shortened.ts';
import type { Effect } from '../../report/views/effects.ts';

/** A row of a history: a job that has ended. */
export interface PastRow {
  readonly id: string;
  readonly finishedAt: string;
  /** What came of it, in words that are safe to show. */
  readonly words: string;
  readonly effect: Effect;
  /** Whether it says something else than the row below; undefined if that is not known. */
  readonly change: 'changed' | 'same' | undefined;
  /** Whether there is something to compare with. */
  readonly hasResult: boolean;
}

/** The rows of a history, the last first. */
export function pastRows(jobs: readonly PastJob[]): readonly PastRow[] {
  return jobs.map((job, at) => {
    const { id, createdAt, finishedAt = createdAt } = job;
    const earlier = jobs.slice(at + 1).find(hasResult);
    const isKnown = earlier !== undefined && hasResult(job);
    const change = isKnown ? (saying(job) === saying(earlier) ? 'same' : 'changed') : undefined;
    return {
      id,
      finishedAt,
      words: printable(wordsOf(job)),
      effect: effectOf(job),
      change,
      hasResult: hasResult(job),
    };
  });
}

/** The first result since `before` that says the same as `after`, by their identifiers: what changed had changed by then. */
export function seenFirst(rows: readonly PastRow[], before: string, after: string): string {
  const oldest = rows.findIndex(({ id }) => id === before);
  const later = rows.slice(0, oldest === -1 ? rows.length : oldest).filter((row) => row.hasResult);
  const newest = later.findIndex(({ id }) => id === after);
  return later.find(({ change }, at) => at >= newest && newest !== -1 && change !== 'same')?.id ?? after;
}

/** A job that was cancelled has part of a result at most. */
function hasResult({ status }: PastJob): boolean {
  return status === 'complete';
}

/** The verdict, with the answer if there is one only, which the verdict does not name. */
function wordsOf({ status, conclusion: { verdict, users = [] }, error }: PastJob): string {
  if (status === 'failed') return `failed: ${error?.detail ?? 'the service does not say why'}`;
  if (status === 'cancelled') return 'cancelled';
  const words = verdict?.text ?? 'no verdict';
  const [first, ...others] = users;
  const isNamed = first?.answer === undefined || first.varies || others.length > 0;
  return isNamed ? words : `${words}: ${listed(first.answer, ANSWERS_SHOWN)}`;
}

/** More records of an answer would fill the page. */
const ANSWERS_SHOWN = 4;

function effectOf({ status, conclusion: { verdict } }: PastJob): Effect {
  if (status !== 'complete' || verdict === undefined || verdict.status === 'unknown') return 'unknown';
  return verdict.exitStatus === 0 ? 'ends-well' : 'fails';
}

/** A text that is equal for jobs that tell users the same. Which addresses rotate is by chance. */
function saying({ conclusion: { users = [], verdict } }: PastJob): string {
  const rotates = users.some(({ varies }) => varies);
  const steady = users.map(({ kind, share, answer, varies }) => [kind, share, varies ? '' : answer]);
  return JSON.stringify([verdict?.status, rotates ? '' : verdict?.text, steady]);
}

/** A time of a document as the page writes it. */
export function timeWords(time: string): string {
  return time.replace('T', ' ').replace(/(?:\.\d+)?Z$/, ' UTC');
}
