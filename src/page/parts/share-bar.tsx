import type { SummaryRow } from '../../document/ends.ts';
import { readFraction } from '../../evaluate/fraction.ts';
import { endTerm } from '../../reading/summary-line.ts';
import { percentages } from '../../reading/words/percent.ts';
import { printable } from '../../reading/words/printable.ts';
import { shortening } from '../../reading/words/shortened.ts';
import { tonesOf } from './tone.ts';

/** A summary as a bar and its legend. The legend says all that the bar shows. */
export function ShareBar({ summary }: { readonly summary: readonly SummaryRow[] }) {
  const tones = tonesOf(summary);
  const terms = summary.map(endTerm);
  const shorten = shortening(terms);
  const percents = percentages(summary.map(({ fraction }) => readFraction(fraction)));
  return (
    <div class="shares">
      <div class="shares-bar" aria-hidden="true">
        {summary.map(({ probability }, at) => (
          <div key={terms[at]} class={`shares-part tone-${tones[at]}`} style={{ flexGrow: probability }} />
        ))}
      </div>
      <ul class="shares-list">
        {terms.map((term, at) => (
          <li key={term}>
            <span class={`swatch tone-${tones[at]}`} aria-hidden="true" />
            <b>{percents[at]}</b>
            <span>{printable(shorten(term))}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
