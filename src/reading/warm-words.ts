import type { TraversalResult } from '../document/result.ts';
import { type Warmth, warmthOf } from './cold-and-warm.ts';
import { summaryLine } from './summary-line.ts';
import { percentage } from './words/percent.ts';
import type { Detail } from './words/shortened.ts';

/** Says what a resolver gets once it knows the zones' own name servers; undefined where nothing was compared. */
export function warmWords(result: TraversalResult, detail: Detail): string | undefined {
  const warmth = warmthOf(result);
  switch (warmth.kind) {
    case 'not-compared':
      return undefined;
    case 'same':
      return 'the same';
    case 'unknown':
      return `not known: ${unexaminedWords(warmth)}`;
    case 'differs':
      return result.warm === undefined ? undefined : summaryLine(result.warm.resolver.summary, detail);
  }
}

/** "100 % of warm lookups were not examined" */
function unexaminedWords({ view, unexamined }: Extract<Warmth, { kind: 'unknown' }>): string {
  return `${percentage(unexamined)} of ${VIEW_WORDS[view]} were not examined`;
}

const VIEW_WORDS = {
  paths: 'paths',
  pathsWarm: 'warm paths',
  resolvers: 'lookups',
  resolversWarm: 'warm lookups',
} as const;
