import type { SummaryRow } from '../../document/ends.ts';
import { type EndKind, isUnknownKind } from '../../evaluate/end.ts';

/** How a share of outcomes looks: a colour and a pattern, of the style sheet's classes `tone-*`. */
export type Tone = 'first' | 'second' | 'third' | 'denied' | 'failed' | 'unknown';

/** The tone of each row of a summary. Answers look different from each other as far as there are tones. */
export function tonesOf(rows: readonly Pick<SummaryRow, 'kind'>[]): readonly Tone[] {
  let answers = 0;
  return rows.map(({ kind }) => {
    const tone = toneOf(kind);
    if (tone !== 'answer') return tone;
    answers += 1;
    return ANSWERS[answers - 1] ?? 'third';
  });
}

const ANSWERS: readonly Tone[] = ['first', 'second', 'third'];

function toneOf(kind: EndKind): Exclude<Tone, 'first' | 'second' | 'third'> | 'answer' {
  if (isUnknownKind(kind)) return 'unknown';
  switch (kind) {
    case 'answer':
      return 'answer';
    case 'nodata':
    case 'nxdomain':
      return 'denied';
    case 'timeout':
    case 'unreachable':
    case 'malformed':
    case 'error':
    case 'lame':
    case 'servfail':
    case 'bogus':
    case 'alias-loop':
    case 'loop':
    case 'no-glue':
    case 'unresolvable-ns':
      return 'failed';
  }
}
