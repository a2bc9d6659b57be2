import type { TraversalResult } from '../../document/result.ts';
import { MARKS } from '../../reading/bearing.ts';
import { culpritWords, verdictOn } from '../../reading/verdict.ts';
import { whatIfWords } from '../../reading/what-if-words.ts';
import { printable } from '../../reading/words/printable.ts';

/** The verdict. */
export function Headline({ result }: { readonly result: TraversalResult }) {
  const { whatIf, finishedAt } = result;
  const { words, bearing } = verdictOn(result);
  const where = culpritWords(result);
  return (
    <header class={`headline bearing-${bearing}`}>
      {whatIf !== undefined && <p class="headline-if">If {printable(whatIfWords(whatIf))}:</p>}
      <h2 class="headline-verdict">
        <span class="bearing-mark" aria-hidden="true">
          {MARKS[bearing] || '✓'}
        </span>
        {sentence(printable(words))}
      </h2>
      {where !== '' && <p class="headline-where">{printable(where)}</p>}
      <p class="headline-when">
        Seen at <time dateTime={finishedAt}>{finishedAt.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')}</time>
      </p>
    </header>
  );
}

function sentence(words: string): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}
