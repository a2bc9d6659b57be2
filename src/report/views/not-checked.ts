import type { TraversalOptions } from '../../document/options.ts';
import type { NotChecked, TraversalResult } from '../../document/result.ts';
import { firstOfEach, grouped, listed } from '../../document/words/lists.ts';
import type { Evaluation } from '../../evaluate/evaluate.ts';
import type { ProfileName } from '../../explore/profiles/profiles.ts';
import type { Scope } from '../../explore/recording.ts';

/**
 * The views that an evaluation lacks, and why: svc-model(7), THE FIRST ANSWER. `rotation`: why not all answers were asked
 * for again. Undefined: none.
 */
export function notCheckedIn(
  { warm, validating, profiles }: Pick<Evaluation, 'warm' | 'validating' | 'profiles'>,
  { check, dnssec, profiles: wanted = [] }: Scope,
  options: TraversalOptions,
  rotation: string | undefined,
): readonly NotChecked[] | undefined {
  const left: readonly NotChecked[] = [
    ...(warm === undefined ? [{ view: 'warm', reason: whyNotWarm(options) } as const] : []),
    ...(validating === undefined
      ? [{ view: 'validating', reason: whyNotValidated(options, dnssec) } as const]
      : []),
    ...(profiles === undefined ? [{ view: 'profiles', reason: whyNoProfiles(options) } as const] : []),
    ...tooMuchWork(wanted, profiles),
    ...(rotation === undefined ? [] : [{ view: 'rotation', reason: rotation } as const]),
    ...(check === 'off' ? [{ view: 'audit', reason: whyNoAudit(options) } as const] : []),
  ];
  return left.length === 0 ? undefined : left;
}

/** Results from before there were these options do not say what was left out. */
export const NOT_RECORDED = 'not recorded';

function whyNotWarm({ quick }: TraversalOptions): string {
  if (quick === undefined) return NOT_RECORDED;
  return quick ? '--quick' : '--no-warm';
}

function whyNotValidated({ quick, dnssec, edns }: TraversalOptions, scope: Scope['dnssec']): string {
  if (scope !== undefined) return 'signatures cannot be verified here';
  if (quick === undefined) return NOT_RECORDED;
  if (dnssec === false) return '--no-dnssec';
  if (quick) return '--quick';
  return edns === 'off'
    ? 'signatures cannot be asked for with --no-edns'
    : '--trust-anchor is needed with these root hints';
}

function whyNoProfiles({ quick, profiles }: TraversalOptions): string {
  if (profiles === undefined) return NOT_RECORDED;
  return quick ? '--quick' : '--profiles none';
}

/** Servers of a zone that fail in many ways can make a product's search too much work. */
function tooMuchWork(wanted: readonly ProfileName[], made: Evaluation['profiles']): readonly NotChecked[] {
  const missing = wanted.filter((name) => made?.every((one) => one.name !== name));
  if (missing.length === 0) return [];
  return [{ view: 'profiles', reason: `too much work for ${listed(missing, missing.length)}` }];
}

function whyNoAudit({ quick }: TraversalOptions): string {
  return quick === undefined ? NOT_RECORDED : '--check was not given';
}

/** The views that some of several traversals left out, each with each of its reasons once. */
export function allNotChecked(
  traversals: readonly { readonly notChecked?: readonly NotChecked[] | undefined }[],
): readonly NotChecked[] {
  const all = traversals.flatMap(({ notChecked = [] }) => notChecked);
  return firstOfEach(all, ({ view, reason }) => `${view} ${reason}`);
}

/** The views that were left out, each reason once: "DNSSEC: --trust-anchor is needed with these root hints"; else empty. */
export function notCheckedWords(notChecked: readonly NotChecked[] = []): string {
  const shown = notChecked.filter(({ view }) => VIEW_NAMES[view] !== undefined);
  return grouped(shown, ({ reason }) => reason)
    .map((alike) => `${listed(alike.flatMap(({ view }) => VIEW_NAMES[view] ?? []))}: ${alike[0].reason}`)
    .join('; ');
}

/** What a result leaves out because the user does not want it: "NS_COUNT_LOW (2): --ignore"; else empty. */
export function ignoredWords({
  ignored = {},
  options,
}: Pick<TraversalResult, 'ignored' | 'options'>): string {
  const codes = Object.entries(ignored).map(([code, many]) => (many === 1 ? code : `${code} (${many})`));
  const why = options.configured === undefined ? '--ignore' : `${options.configured} in the configuration`;
  return codes.length === 0 ? '' : `${listed(codes)}: ${why}`;
}

/** What each view is called; the audit (`--check`) is no view of users, and is not missed. */
const VIEW_NAMES: Readonly<Record<NotChecked['view'], string | undefined>> = {
  warm: "the zones' own NS records",
  validating: 'DNSSEC',
  profiles: 'resolver products',
  rotation: 'rotation',
  audit: undefined,
};
