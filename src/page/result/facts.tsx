import type { TraversalResult } from '../../document/result.ts';
import { printable } from '../../reading/words/printable.ts';
import { factRows } from '../../report/text/fact-rows.ts';

export function Facts({ result }: { readonly result: TraversalResult }) {
  return (
    <section class="facts" aria-labelledby="facts-title">
      <h2 id="facts-title">In figures</h2>
      <dl>
        {factRows(result, 'terse').map(([term, words]) => (
          <div key={term?.text} class="fact">
            <dt>{term?.text}</dt>
            <dd>{printable(words?.text ?? '')}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
