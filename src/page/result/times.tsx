import { useState } from 'preact/hooks';
import type { TraversalResult } from '../../document/result.ts';
import { sentence } from '../../document/words/lists.ts';
import { count } from '../../document/words/quantities.ts';
import { printable } from '../../document/words/shortened.ts';
import { Scrolled } from '../elements.tsx';
import type { TimeLine, TimeLines } from '../model/time-lines.ts';
import { useTimeLines } from './use-time-lines.ts';

/** When users see a change, a row for each kind, as soon as it is worked out. Nothing where no answer is known. */
export function IfYouChangeThis({ result }: { readonly result: TraversalResult }) {
  const known = useTimeLines(result);
  const [isWhole, showAll] = useState(false);
  if (known === undefined) return null;
  if (known === 'failed')
    return <p class="note">The times of changes could not be worked out: load the page again.</p>;
  const { lines, axis, notices } = known;
  if (lines.length === 0) return null;
  return (
    <section class="card times" aria-labelledby="times-title">
      <h2 id="times-title">If you change this</h2>
      <Scrolled label="Changes">
        <table class="rows">
          <thead>
            <tr>
              <th scope="col">Change</th>
              <th scope="col">Waits longest</th>
              <th scope="col">All users see it after; if changed when seen, at</th>
              <th scope="col">
                <Axis axis={axis} />
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.slice(0, isWhole ? lines.length : SHOWN).map((line) => (
              <Line key={line.change} {...line} />
            ))}
          </tbody>
        </table>
      </Scrolled>
      {!isWhole && lines.length > SHOWN && (
        <button type="button" class="button" onClick={() => showAll(true)}>
          Show {count(lines.length - SHOWN, 'more change')}
        </button>
      )}
      {notices.length > 0 && (
        <details>
          <summary>{count(notices.length, 'note')}</summary>
          {notices.map((message) => (
            <p key={message} class="note">
              {printable(message)}
            </p>
          ))}
        </details>
      )}
    </section>
  );
}

/** More are told on demand. */
const SHOWN = 5;

function Line({ change, who, last, until, half, whole, steps }: TimeLine) {
  return (
    <tr>
      <th scope="row">
        {printable(sentence(change))}
        {steps.length > 0 && (
          <details>
            <summary>Steps</summary>
            <ol>
              {steps.map((step) => (
                <li key={step}>{printable(step)}</li>
              ))}
            </ol>
          </details>
        )}
      </th>
      <td>{printable(who)}</td>
      <td>
        {last}
        {until !== '' && <small>{until}</small>}
      </td>
      <td class="time-cell">
        <svg class="time-bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
          <rect class="time-track" width="100" height="6" />
          <rect class="time-last" width={whole} height="6" />
          <rect class="time-half" width={half} height="6" />
        </svg>
      </td>
    </tr>
  );
}

function Axis({ axis }: Pick<TimeLines, 'axis'>) {
  return (
    <span class="time-axis">
      <span class="unseen">Share of users over time: dark until half of them see it, light until all do</span>
      {axis.map(({ words, at }) => (
        <span key={words} style={{ insetInlineStart: `${at}%` }} aria-hidden="true">
          {words}
        </span>
      ))}
    </span>
  );
}
