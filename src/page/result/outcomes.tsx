import type { TraversalResult } from '../../document/result.ts';
import type { Judge } from '../../reading/bearing.ts';
import { warmthOf } from '../../reading/cold-and-warm.ts';
import type { Wording } from '../../reading/wording.ts';
import { printable } from '../../reading/words/printable.ts';
import { FirstFew } from './first-few.tsx';
import { type OutcomeShare, viewShares } from './shares.ts';
import { type ShownView, shownViews } from './views.ts';

/** A result, with what its ends mean and how they are told. */
export interface ShownResult {
  readonly result: TraversalResult;
  readonly judge: Judge;
  readonly wording: Wording;
}

/** Who gets what: each view as a bar, and its shares below it. */
export function Outcomes({ result, judge, wording }: ShownResult) {
  return (
    <section class="outcomes" aria-labelledby="outcomes-title">
      <h2 id="outcomes-title">Who gets what</h2>
      <div class="outcomes-views">
        {shownViews(result).map((view) => (
          <ViewOutcomes key={view.key} view={view} judge={judge} wording={wording} />
        ))}
      </div>
      {warmthOf(result).kind === 'same' && <p class="outcomes-warm">Once warm: the same.</p>}
    </section>
  );
}

function ViewOutcomes({ view, judge, wording }: Omit<ShownResult, 'result'> & { readonly view: ShownView }) {
  const { now, before } = viewShares(view, judge, wording);
  const was = new Map(before?.map((share) => [share.key, share]));
  const gone = (before ?? []).filter(({ key }) => !now.some((share) => share.key === key));
  return (
    <article class="view">
      <h3>{view.title}</h3>
      <p class="view-note">{view.note}</p>
      {before !== undefined && <Bar shares={before} title="now" />}
      <Bar shares={now} title={before === undefined ? '' : 'then'} />
      <FirstFew
        items={[
          ...now.map((share) => ({ share, was: before && (was.get(share.key)?.percent ?? NONE) })),
          ...gone.map((share) => ({
            share: { ...share, percent: NONE, fraction: '', longFraction: '', places: [] },
            was: share.percent,
          })),
        ]}
        most={SHOWN}
        noun={['end', 'ends']}
        around={(shown) => <ul class="outcome-list">{shown}</ul>}
        each={({ share, was: before }) => <ShareItem key={share.key} share={share} was={before} />}
      />
    </article>
  );
}

const NONE = '0 %';

/** The most ends of a view that are shown at first. */
const SHOWN = 12;

/** The list below says the same, so nobody has to read the bar. */
function Bar({ shares, title }: { readonly shares: readonly OutcomeShare[]; readonly title: string }) {
  return (
    <div class="bar-line" aria-hidden="true">
      {title !== '' && <span class="bar-title">{title}</span>}
      <div class="bar">
        {shares.map(({ key, bearing, size, percent, mark, words }) => (
          <span key={key} class={`bar-part bearing-${bearing}`} style={{ flexGrow: size }}>
            <span class="bar-words">
              {`${mark} ${percent}`.trim()} <span class="bar-what">{printable(words)}</span>
            </span>
          </span>
        ))}
      </div>
    </div>
  );
}

function ShareItem({ share, was }: { readonly share: OutcomeShare; readonly was: string | undefined }) {
  const { bearing, mark, percent, fraction, longFraction, words, places } = share;
  const [only, ...others] = places;
  return (
    <li class={`outcome bearing-${bearing}`}>
      <span class="outcome-percent">{percent}</span>
      <span class="outcome-fraction">{fraction}</span>
      <div class="outcome-what">
        <span class="outcome-words">
          <span class="bearing-mark" aria-hidden="true">
            {mark || '✓'}
          </span>
          {printable(words)}
        </span>
        {was !== undefined && was !== percent && <span class="outcome-was">was {was}</span>}
        {only !== undefined && others.length === 0 && (
          <span class="outcome-place">{printable(only.words)}</span>
        )}
        {longFraction !== '' && (
          <details class="outcome-places">
            <summary>the exact share</summary>
            {longFraction}
          </details>
        )}
        {others.length > 0 && (
          <details class="outcome-places">
            <summary>{places.length} places</summary>
            <ul>
              {places.map((place) => (
                <li key={place.words}>
                  {place.percent} {printable(place.words)}
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
    </li>
  );
}
