import type { TraversalResult } from '../../document/result.ts';
import { count } from '../../document/words/quantities.ts';
import { printable } from '../../document/words/shortened.ts';
import type { EffectOf } from '../../report/views/effects.ts';
import { deviationSentences } from '../../report/views/user-shares.ts';
import type { Wording } from '../../report/views/wording.ts';
import { Disclosure, FirstFew } from '../elements.tsx';
import {
  firstTryView,
  type OutcomeShare,
  type ShownView,
  userGroupViews,
  viewShares,
} from '../model/outcome-views.ts';
import { Explained } from '../terms.tsx';

/** Which users get what: each group of them as a bar, and its shares below it; users of certain products in a line. */
export function Outcomes({ result, ...look }: ShownResult) {
  const views = userGroupViews(result);
  const products = views.filter((view) => view.of === 'products');
  return (
    <section class="outcomes" aria-labelledby="outcomes-title">
      <h2 id="outcomes-title" class={views.length === 1 ? 'unseen' : ''}>
        Users get
      </h2>
      {products.map((view) => (
        <ProductOutcomes key={view.key} view={view} {...look} />
      ))}
      {deviationSentences(result).map((words) => (
        <p key={words} class="section-note">
          May differ: {words}
        </p>
      ))}
      <div class="outcomes-views">
        {views.map((view) => view.of === 'others' && <ViewOutcomes key={view.key} view={view} {...look} />)}
      </div>
    </section>
  );
}

/** What first tries end in, where that is not what users get. */
export function FirstTries({ result, ...look }: ShownResult) {
  const view = firstTryView(result);
  return (
    view !== undefined && (
      <section class="outcomes" aria-labelledby="first-tries-title">
        <h2 id="first-tries-title">First tries</h2>
        <div class="outcomes-views">
          <ViewOutcomes view={view} {...look} />
        </div>
      </section>
    )
  );
}

/** A result, with what its ends mean and how they are told. */
export interface ShownResult {
  readonly result: TraversalResult;
  readonly effectOf: EffectOf;
  readonly wording: Wording;
}

interface ViewProps extends Omit<ShownResult, 'result'> {
  readonly view: ShownView;
}

/** The shares of users of a product, in a line that opens. */
function ProductOutcomes({ view, effectOf, wording }: ViewProps) {
  const { now } = viewShares(view, effectOf, wording);
  const shown = now.slice(0, SHOWN_IN_LINE);
  const more = now.length - shown.length;
  const summary = (
    <>
      <strong>{view.title}</strong>{' '}
      {shown.map(({ key, effect, mark, percent, words }, at) => (
        <span key={key} class={`effect-${effect}`}>
          {at > 0 && ', '}
          {percent} <span class="effect-mark">{mark || '✓'}</span>
          {printable(words)}
        </span>
      ))}
      {more > 0 && ` and ${count(more, 'other end')}`}
    </>
  );
  return (
    <Disclosure class="product" isOpen={false} summary={summary}>
      {() => (
        <>
          <p class="section-note">{view.note}</p>
          <ShareList items={now.map((share) => ({ share, was: undefined }))} />
        </>
      )}
    </Disclosure>
  );
}

/** The most ends of a product that its line has. */
const SHOWN_IN_LINE = 3;

function ViewOutcomes({ view, effectOf, wording }: ViewProps) {
  const { now, before } = viewShares(view, effectOf, wording);
  const was = new Map(before?.map((share) => [share.key, share]));
  const gone = (before ?? []).filter(({ key }) => !now.some((share) => share.key === key));
  return (
    <article class="view">
      <h3>{view.title}</h3>
      <p class="view-note">
        <Explained text={view.note} />
      </p>
      {before !== undefined && <Bar shares={before} title="now" />}
      <Bar shares={now} title={before === undefined ? '' : 'then'} />
      <ShareList
        items={[
          ...now.map((share) => ({ share, was: before && (was.get(share.key)?.percent ?? NONE) })),
          ...gone.map((share) => ({
            share: { ...share, percent: NONE, fraction: '', longFraction: '', places: [] },
            was: share.percent,
          })),
        ]}
      />
    </article>
  );
}

interface ListedShare {
  readonly share: OutcomeShare;
  /** Its percentage in the world that was recorded, where another is imagined. */
  readonly was: string | undefined;
}

function ShareList({ items }: { readonly items: readonly ListedShare[] }) {
  return (
    <FirstFew
      items={items}
      most={SHOWN}
      noun={['end', 'ends']}
      around={(shown) => <ul class="outcome-list">{shown}</ul>}
      each={({ share, was }) => <ShareItem key={share.key} share={share} was={was} />}
    />
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
        {shares.map(({ key, effect, size, percent, mark, words }) => (
          <span key={key} class={`bar-part effect-${effect}`} style={{ flexGrow: size }}>
            <span class="bar-words">
              {`${mark} ${percent}`.trim()} <span class="bar-what">{printable(words)}</span>
            </span>
          </span>
        ))}
      </div>
    </div>
  );
}

function ShareItem({ share, was }: ListedShare) {
  const { effect, mark, percent, fraction, longFraction, words, places, placesTitle } = share;
  const [only, ...others] = places;
  return (
    <li class={`outcome effect-${effect}`}>
      <span class="outcome-percent">{percent}</span>
      <span class="outcome-fraction">{fraction}</span>
      <div class="outcome-what">
        <span class="outcome-words">
          <span class="effect-mark" aria-hidden="true">
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
            <summary>{placesTitle}</summary>
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
