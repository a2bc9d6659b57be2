/* The jobs that this browser has shown, so that a question that was asked before leads to its result. */

import { type Of, readShape, ShapeError } from '../../base/shape.ts';
import { object } from '../../base/shape-object.ts';
import { list, TEXT } from '../../base/shape-values.ts';
import { JOB_ID } from '../../document/api/jobs.ts';
import { addressOf, type WrittenQuestion } from './page-url.ts';

const JOBS = list(
  object({
    /** The address that asks its question: jobs with other options are others. */
    asked: TEXT,
    id: JOB_ID,
    /** When it was last shown, in ISO 8601. */
    seenAt: TEXT,
  }),
);

/** A job that this browser has shown. */
export type EarlierJob = Of<typeof JOBS>[number];

/** The jobs in a text that was kept, the latest first; none if the text is not one of ours. */
export function readJobs(kept: string | null): readonly EarlierJob[] {
  try {
    return readShape(JOBS, JSON.parse(kept ?? '[]'));
  } catch (error) {
    if (error instanceof ShapeError || error instanceof SyntaxError) return [];
    throw error;
  }
}

/** The text to keep once a job is shown. */
export function withJob(kept: string | null, question: WrittenQuestion, id: string, now: Date): string {
  const others = readJobs(kept).filter((one) => one.id !== id);
  const job: EarlierJob = { asked: addressOf({ kind: 'start', question }), id, seenAt: now.toISOString() };
  return JSON.stringify([job, ...others].slice(0, MOST_KEPT));
}

const MOST_KEPT = 100;

/** The latest job with the same question and options. */
export function jobFor(kept: string | null, question: WrittenQuestion): EarlierJob | undefined {
  const asked = addressOf({ kind: 'start', question });
  return readJobs(kept).find((one) => one.asked === asked);
}
