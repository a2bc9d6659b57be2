import type { TraversalResult } from '../../document/result.ts';
import { endWords } from '../../document/words/end-words.ts';
import { percent } from '../../document/words/quantities.ts';
import { printable } from '../../document/words/shortened.ts';
import { type Advice, actionSentence } from '../../report/advice.ts';
import { type Explanation, explained, VIEW_WORDS } from '../../report/explanations.ts';
import { MARKS } from '../../report/views/effects.ts';
import type { Wording } from '../../report/views/wording.ts';
import { FirstFew } from '../elements.tsx';

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
          <article key={headingOf(one, wording)} class={`advice-end effect-${one.effect}`}>
            <h3>
              <span class="effect-mark" aria-hidden="true">
                {MARKS[one.effect] || '✓'}
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
  return `${percent(probability)} ${VIEW_WORDS[view]}${endWords(end, shorten)}`;
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
