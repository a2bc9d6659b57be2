import type { Problem } from '../../document/api/problem.ts';
import { listed } from '../../reading/words/listed.ts';
import { problemOf } from './problem.ts';
import { RESOURCE_PATHS } from './router.ts';

const PATHS = Object.values(RESOURCE_PATHS);

/** The reply to programs for a path that the API does not have. */
export const NOT_FOUND: Problem = problemOf(
  404,
  `Nothing exists at this path. The service has ${listed(PATHS, PATHS.length)}.`,
);
