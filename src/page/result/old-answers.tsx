/* Who still gets the old answers after a change: the share of users over time, for each old answer. */

import { useEffect, useMemo, useState } from 'preact/hooks';
import type { TraversalResult } from '../../document/result.ts';
import type { ChangeRow } from '../../document/when.ts';
import { sentence } from '../../document/words/lists.ts';
import { momentWords } from '../../document/words/moments.ts';
import { printable } from '../../document/words/shortened.ts';
import { along, type Curve, curvesOf, replacedWords, spanOf } from '../../report/when/old-end-curves.ts';
import { comparisonOf, oldEnds } from '../../report/when/old-ends.ts';
import { changedAtWords, curveRows } from '../../report/when/times-text.ts';

/** The answers that a change replaced, and until when users get them. Nothing if the change replaced none. */
export function OldAnswers({ before, after }: OldAnswersProps) {
  const at = after.finishedAt;
  const changes = useMemo(() => oldEnds(comparisonOf(before, after, new Date(at))), [before, after, at]);
  const now = useNowSince(at);
  if (changes.length === 0) return null;
  return (
    <div class="old-answers">
      <h3>Who still gets the old answer</h3>
      <p class="note">
        {sentence(changedAtWords({ at }, { now }))}, or earlier: a result of that time has the new answer. If
        the change was earlier, so are all moments below.
      </p>
      {changes.map((change, at) => (
        <OldAnswer key={at} change={change} now={now} />
      ))}
    </div>
  );
}

interface OldAnswersProps {
  readonly before: TraversalResult;
  /** The first result that has the new answers. */
  readonly after: TraversalResult;
}

/** A curve for each group of products, and their moments as a table. */
function OldAnswer({ change, now }: { readonly change: ChangeRow; readonly now: Date }) {
  const curves = curvesOf(change);
  const title = printable(replacedWords(change));
  const [heads = [], ...rows] = curveRows(curves, { now, sums: 'hidden' });
  return (
    <figure>
      <figcaption>{title}</figcaption>
      {lasts(curves) && <Curves curves={curves} now={now} />}
      <table class="rows" aria-label={title}>
        <thead>
          <tr>
            {heads.map(({ text }) => (
              <th key={text} scope="col" class="text-faint">
                {text || 'users of'}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([products, ...cells], at) => (
            <tr key={products?.text}>
              <th scope="row">
                <LineKey curve={curves[at]} />
                {products?.text.trim()}
              </th>
              {cells.map(({ text }, column) => {
                const free = column === cells.length - 1 ? heads.length - cells.length : 1;
                return (
                  <td
                    key={column}
                    data-head={free === 1 ? heads[column + 1]?.text : undefined}
                    colSpan={free}
                  >
                    {text}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}

/** Whether there is anything to draw: not where no answer of before has a TTL, such as a denial without a SOA record. */
function lasts(curves: readonly Curve[]): boolean {
  const { start, end } = spanOf(curves);
  return end > start;
}

/** The time, which goes on; not before `at`, as the reader's clock may be slow. */
function useNowSince(at: string): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return new Date(Math.max(now.getTime(), Date.parse(at)));
}

/** Shares are shown in percent, and TTLs are minutes at least. */
const TICK_MS = 5_000;

/** The table has in words what this shows. */
function Curves({ curves, now }: { readonly curves: readonly Curve[]; readonly now: Date }) {
  const span = spanOf(curves);
  const x = (ms: number) => Math.round(1_000 * along(span, ms)) / 10;
  const today = x(now.getTime());
  return (
    <div class="curves" aria-hidden="true">
      <div class="curves-levels">
        <span>100 %</span>
        <span>50 %</span>
        <span>0 %</span>
      </div>
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
        <path class="curve-grid" d="M0 0H100M0 50H100M0 100H100" />
        {curves.map(({ products, points, line: { effect, dashes } }) => (
          <polyline
            key={products}
            class={`curve effect-${effect}`}
            stroke-dasharray={dashes}
            points={points.map(({ at, share }) => `${x(Date.parse(at))},${100 - 100 * share}`).join(' ')}
          />
        ))}
        {today <= 100 && <path class="curve-now" d={`M${today} 0V100`} />}
      </svg>
      {today <= 100 && (
        <div class="curves-now">
          <span style={{ insetInlineStart: `${today}%` }}>now</span>
        </div>
      )}
      <div class="curves-span">
        <span>{momentWords(new Date(span.start), now)}</span>
        <span>{momentWords(new Date(span.end), now)}</span>
      </div>
    </div>
  );
}

function LineKey({ curve }: { readonly curve: Curve | undefined }) {
  if (curve === undefined) return null;
  const { effect, dashes } = curve.line;
  return (
    <svg class="curve-key" viewBox="0 0 30 6" aria-hidden="true">
      <path class={`curve effect-${effect}`} stroke-dasharray={dashes} d="M0 3H30" />
    </svg>
  );
}
