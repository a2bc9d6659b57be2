import type { End } from '../../evaluate/end.ts';
import { endWords } from '../../reading/end-words.ts';

/**
 * How an end reads in a graph: the same for name servers that cannot be found for the same reason, so
 * that they share a box. Their names stand in it, and beside the lookups.
 */
export function endPhrase(end: End): string {
  switch (end.kind) {
    case 'unresolvable-ns':
      return `no address${because(end.cause)}`;
    case 'no-glue':
      return `no glue${because(end.cause)}`;
    default:
      return endWords(end);
  }
}

function because(cause: End | undefined): string {
  return cause === undefined ? '' : `: ${endWords(cause)}`;
}
