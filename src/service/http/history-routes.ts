/* Handles the requests for what a name gave before, where the operator lets anybody ask. */

import { type Issue, readShape, ShapeError } from '../../base/shape.ts';
import { HISTORY_REQUEST, type HistoryAsked, historyAsked } from '../../document/api/history.ts';
import { pastJobText } from '../jobs/job.ts';
import type { PastJobs } from '../jobs/jobs.ts';
import { AWAY, jsonReply, problemOf, problemReply } from './reply.ts';
import { type Handler, RESOURCE_PATHS } from './router.ts';

/** GET /api/traversals?name=. */
export const getHistory: Handler = async ({ query }, { jobs }) => {
  const asked = readAsked(query);
  if ('errors' in asked) return problemReply(problemOf(400, 'The query is not valid.', asked.errors));
  const past = await jobs.history(asked);
  if (past === 'away') return AWAY;
  return jsonReply(200, [Buffer.from(historyText(past, query))]);
};

function readAsked(query: URLSearchParams): HistoryAsked | { readonly errors: readonly Issue[] } {
  try {
    return historyAsked(readShape(HISTORY_REQUEST, Object.fromEntries(query)));
  } catch (error) {
    if (error instanceof ShapeError) return { errors: error.issues };
    throw error;
  }
}

function historyText({ jobs, more }: PastJobs, asked: URLSearchParams): string {
  const last = jobs.at(-1);
  const next = new URLSearchParams(asked);
  if (last !== undefined) next.set('before', last.id);
  const link =
    more && last !== undefined ? `,"next":${JSON.stringify(`${RESOURCE_PATHS.history}?${next}`)}` : '';
  return `{"traversals":[${jobs.map(pastJobText).join(',')}]${link}}`;
}
