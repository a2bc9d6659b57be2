import { keysOf } from '../../base/limits.ts';
import type { Family } from '../../dns/address.ts';
import { isQuick, type TraversalOptions } from '../../document/options.ts';
import type { NotChecked } from '../../document/result.ts';
import type { Evaluation, WhyLeftOut } from '../../evaluate/evaluate.ts';
import type { Scope } from '../../explore/recording.ts';

/**
 * The views that an evaluation lacks, and why: svc-model(7), THE FIRST ANSWER. `rotation`: why not all answers were asked
 * for again. Undefined: none.
 */
export function notCheckedIn(
  evaluation: Pick<Evaluation, 'views' | 'leftOut'>,
  scope: Scope,
  options: TraversalOptions,
  {
    rotation,
    silentFamily,
  }: { readonly rotation: string | undefined; readonly silentFamily: Family | undefined },
): readonly NotChecked[] | undefined {
  const left = NOT_CHECKED_VIEWS.flatMap((view): readonly NotChecked[] => {
    const reason = WHY[view]({ ...evaluation, scope, options, rotation, silentFamily });
    const all = reason === undefined ? [] : [{ view, reason }];
    return view === 'profiles' ? [...all, ...productsLeftOut(evaluation)] : all;
  });
  return left.length === 0 ? undefined : left;
}

/** What decides about views. */
interface Made extends Pick<Evaluation, 'views'> {
  readonly scope: Scope;
  readonly options: TraversalOptions;
  readonly rotation: string | undefined;
  readonly silentFamily: Family | undefined;
}

/** Results from before there were these options do not say what was left out. */
export const NOT_RECORDED = 'not recorded';

/** Why each is left out; undefined: it is not. */
const WHY: Readonly<Record<NotChecked['view'], (made: Made) => string | undefined>> = {
  warm: ({ views, options }) => (views.has('warm') ? undefined : whyNotMade(options)),
  validating: ({ views, scope, options }) => {
    if (views.has('validating')) return undefined;
    if (scope.dnssec !== undefined) return 'signatures cannot be verified here';
    if (!options.views?.includes('validating')) return whyNotMade(options);
    return options.edns === 'off'
      ? 'signatures cannot be asked for with --no-edns'
      : '--trust-anchor is needed with these root hints';
  },
  profiles: ({ scope, options }) => {
    if (scope.profiles !== undefined) return undefined;
    return options.views?.includes('profiles') ? '--profiles none' : whyNotMade(options);
  },
  rotation: ({ rotation }) => rotation,
  ipv4: ({ silentFamily }) => (silentFamily === 4 ? NO_REPLY : undefined),
  ipv6: ({ silentFamily }) => (silentFamily === 6 ? NO_REPLY : undefined),
  audit: ({ scope, options: { views } }) => {
    if (scope.check === 'on') return undefined;
    return views === undefined ? NOT_RECORDED : '--check was not given';
  },
};

function whyNotMade(options: TraversalOptions): string {
  if (options.views === undefined) return NOT_RECORDED;
  return isQuick(options) ? '--quick' : '--views';
}

const NO_REPLY = 'no server replied over it from here';

const NOT_CHECKED_VIEWS = keysOf(WHY);

/** The views of some products alone. */
function productsLeftOut({ leftOut }: Pick<Evaluation, 'leftOut'>): readonly NotChecked[] {
  return keysOf(WHY_LEFT_OUT).flatMap((why): readonly NotChecked[] => {
    const only = [...leftOut].flatMap(([name, one]) => (one === why ? [name] : []));
    return only.length === 0 ? [] : [{ view: 'profiles', only, reason: WHY_LEFT_OUT[why] }];
  });
}

/** Servers of a zone that fail in many ways can make a product's search too much work. */
const WHY_LEFT_OUT: Readonly<Record<WhyLeftOut, string>> = {
  work: 'too much work',
  unasked: 'not all questions were asked',
};
