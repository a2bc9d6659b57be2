import type { TraversalResult } from '../../document/result.ts';
import { MARKS } from '../../reading/bearing.ts';
import { endWords } from '../../reading/end-words.ts';
import type { Wording } from '../../reading/wording.ts';
import { percent } from '../../reading/words/percent.ts';
import { printable } from '../../reading/words/printable.ts';
import { type Advice, actionSentence } from '../../report/explain/advice.ts';
import { type Explanation, explained, WHO_ENDS } from '../../report/explain/explanations.ts';
import { FirstFew } from './first-few.tsx';

/** The meaning of each end, the repair, and who can make it. */
export function WhatToDo({
  result,
  wording,
}: {
  readonly result: TraversalResult;
  readonly wording: Wording;
}) {
  const { ends, remarks } = explained(result);
  return (
    <section class="advice" aria-labelledby="advice-title">
      <h2 id="advice-title">What this means, and what to do</h2>
      <FirstFew
        items={ends}
        most={EXPLAINED}
        noun={['end', 'ends']}
        around={(shown) => shown}
        each={(one) => (
          <article key={headingOf(one, wording)} class={`advice-end bearing-${one.bearing}`}>
            <h3>
              <span class="bearing-mark" aria-hidden="true">
                {MARKS[one.bearing] || '✓'}
              </span>
              {printable(headingOf(one, wording))}
            </h3>
            <Given {...one} />
          </article>
        )}
      />
      {remarks.map((one) => (
        <article key={one.title} class="advice-end">
          <h3>{printable(one.title)}</h3>
          <Given {...one} />
        </article>
      ))}
    </section>
  );
}

/** The most ends that are explained at first. */
const EXPLAINED = 12;

function headingOf({ view, end, probability }: Explanation, { shorten }: Wording): string {
  return `${percent(probability)} ${WHO_ENDS[view]}${endWords(end, shorten)}`;
}

function Given({ means, actions }: Advice) {
  return (
    <>
      <p>{printable(means)}</p>
      {actions.length > 0 && (
        <ul>
          {actions.map((action) => (
            <li key={actionSentence(action)}>{printable(actionSentence(action))}</li>
          ))}
        </ul>
      )}
    </>
  );
}
