import type { SummaryRow } from '../../document/ends.ts';
import type { EndKind } from '../../evaluate/end.ts';
import { bearingOfKind } from '../../reading/bearing.ts';

/**
 * How a share of outcomes looks, in the colours of the result: a class `tone-*` of the style sheet. The first is what
 * most users get who get something; other answers, denials, failures and what is not known look different.
 */
type Tone = 'first' | 'second' | 'third' | 'denied' | 'failed' | 'unknown';

/** The tone of each row of a summary, which has the most probable first. */
export function tonesOf(rows: readonly Pick<SummaryRow, 'kind'>[]): readonly Tone[] {
  const tones = rows.map(({ kind }) => toneOf(kind));
  const first = tones.findIndex((tone) => tone === 'answer' || tone === 'denied');
  let others = 0;
  return tones.map((tone, at) => {
    if (at === first) return 'first';
    if (tone !== 'answer') return tone;
    others += 1;
    return others === 1 ? 'second' : 'third';
  });
}

function toneOf(kind: EndKind): Exclude<Tone, 'first' | 'second' | 'third'> | 'answer' {
  switch (bearingOfKind(kind)) {
    case 'unknown':
      return 'unknown';
    case 'fails':
      return 'failed';
    case 'ends-well':
      return kind === 'answer' ? 'answer' : 'denied';
  }
}
