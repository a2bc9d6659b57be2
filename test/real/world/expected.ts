import type { Expectation } from './expectation.ts';
import { foreign } from './expected-foreign.ts';
import { inDomain } from './expected-in-domain.ts';
import { tangled } from './expected-tangled.ts';

/** Every question the suite asks, first of the traversal, then of the resolvers. */
export const expected: readonly Expectation[] = [...inDomain, ...foreign, ...tangled];
