import { sentence } from '../../document/words/lists.ts';
import { printable } from '../../document/words/shortened.ts';
import { Disclosure } from '../elements.tsx';
import type { TimeLine, TimeRow } from '../model/time-lines.ts';
import type { ShownResult } from './outcomes.tsx';
import { useTimeLines } from './use-time-lines.ts';

/** When users see a change, a time line for each kind, as soon as it is worked out. Nothing where no answer is known. */
export function IfYouChangeThis({ result, history }: IfYouChangeThisProps) {
  const known = useTimeLines(result);
  if (known === undefined) return null;
  if (known === 'failed')
    return <p class="section-note">The times of changes could not be worked out: load the page again.</p>;
  const { lines, notices } = known;
  const [first] = lines;
  if (first === undefined) return null;
  return (
    <section class="times" aria-labelledby="times-title">
      <h2 id="times-title">If you change this</h2>
      <p class="section-note">
        Resolvers keep what they have heard until its time to live has passed, so users see a change at
        different times.
        {history && ' After a change, Compare in the history below shows who still gets the old answer.'}
      </p>
      <Disclosure
        class="time-lines"
        isOpen={false}
        summary={printable(`${first.title}: ${first.rows[0]?.words ?? ''}`)}
      >
        {() => [
          ...lines.map((line) => <Line key={line.title} {...line} />),
          ...notices.map((message) => (
            <p key={message} class="section-note">
              {printable(message)}
            </p>
          )),
        ]}
      </Disclosure>
    </section>
  );
}

interface IfYouChangeThisProps extends Pick<ShownResult, 'result'> {
  /** Whether the history of the name follows. */
  readonly history: boolean;
}

function Line({ title, rows, steps }: TimeLine) {
  return (
    <div class="time-line">
      <h3>{printable(sentence(title))}</h3>
      <ul>
        {rows.map((row) => (
          <li key={row.products ?? ''}>
            {row.products !== undefined && <strong>{row.products}: </strong>}
            {row.words}
            <Bar {...row} />
          </li>
        ))}
      </ul>
      {steps.length > 0 && (
        <ol>
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      )}
    </div>
  );
}

/** From the change on: until half of the users see it, and until the last one does. */
function Bar({ half, last }: TimeRow) {
  return (
    <svg class="time-bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect class="time-track" width="100" height="6" />
      <rect class="time-last" width={last} height="6" />
      <rect class="time-half" width={half} height="6" />
    </svg>
  );
}
