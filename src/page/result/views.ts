import type { TraversalResult, ValidatingRow } from '../../document/result.ts';
import type { View } from '../../document/views.ts';
import { warmthOf } from '../../reading/cold-and-warm.ts';
import { readingsAgree, validatedShares } from '../../reading/validated/validated-shares.ts';

/** A view of a result, with what it is called. */
export interface ShownView {
  readonly key: string;
  readonly title: string;
  /** Whose view it is, in a sentence. */
  readonly note: string;
  readonly view: View;
  /** The same view of the world that was recorded, where another is imagined. */
  readonly before?: View;
}

/** The views of a result that tell something of their own, the most basic first: svc-model(7). */
export function shownViews(result: TraversalResult): readonly ShownView[] {
  const { resolver, warm, validating, recorded } = result;
  const isWarmShown = warm !== undefined && warmthOf(result).kind !== 'same';
  const isFirstTryShown = [validating, recorded?.validating].some(isOtherAtFirst);
  const views: readonly (Omit<ShownView, 'view' | 'before'> & {
    readonly view: View | undefined;
    readonly before: View | undefined;
  })[] = [
    {
      key: 'paths',
      title: 'Paths end in',
      note: 'Every choice of a server counts, and none is tried again.',
      view: result,
      before: recorded,
    },
    {
      key: 'resolver',
      title: isWarmShown ? 'A cold resolver gets' : 'A resolver gets',
      note: 'It moves on to another server where one fails.',
      view: resolver,
      before: recorded?.resolver,
    },
    {
      key: 'warm-paths',
      title: 'Warm paths end in',
      note: "From the zones' own name servers rather than their parents' delegations.",
      view: isWarmShown ? warm : undefined,
      before: undefined,
    },
    {
      key: 'warm-resolver',
      title: 'A warm resolver gets',
      note: "It knows the zones' own name servers, and moves on where one fails.",
      view: isWarmShown ? warm.resolver : undefined,
      before: undefined,
    },
    {
      key: 'validating',
      title: isWarmShown ? 'A cold one that validates gets' : 'One that validates gets',
      note: 'A validating resolver tries another server where a reply does not verify.',
      view: validating,
      before: recorded?.validating,
    },
    {
      key: 'validating-first-try',
      title: 'If it never retries, it gets',
      note: 'A validating resolver that takes the first usable reply, good or bad.',
      view: isFirstTryShown ? validating?.firstTry : undefined,
      before: recorded?.validating?.firstTry,
    },
  ];
  return views.flatMap(({ view, before, ...words }) =>
    view === undefined ? [] : [{ ...words, view, ...(before === undefined ? {} : { before }) }],
  );
}

/** Whether it makes a difference if a resolver retries. */
function isOtherAtFirst(validating: ValidatingRow | undefined): boolean {
  return validating !== undefined && !readingsAgree(validatedShares(validating, (text) => text));
}
