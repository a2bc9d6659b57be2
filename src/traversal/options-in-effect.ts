import { IANA_TRUST_ANCHORS } from '../dns/dnssec/trust-anchors.ts';
import type { TraversalOptions } from '../document/options.ts';
import { type Delegation, delegationKey } from '../explore/delegation.ts';
import { DEFAULT_PROFILES } from '../explore/profiles/profiles.ts';
import { BUILT_IN_HINTS } from '../explore/root-hints.ts';

/**
 * The options that a traversal from these root hints has: svc-model(7), THE FIRST ANSWER. Each view is on or off.
 * Trust anchors are among them where replies are validated: those built in may change, a replay must not. Absent
 * `dnssec` is on the wire, but not validated: queries ask for signatures, so that the cold walk is always the same.
 */
export function optionsInEffect(
  { quick = false, warm, dnssec, profiles, check = false, at, trustAnchors, ...others }: TraversalOptions,
  hints: Delegation,
): TraversalOptions {
  const anchors = trustAnchors ?? builtInAnchors(hints);
  const isValidated = (dnssec ?? !quick) && others.edns === 'on' && anchors !== undefined;
  // In the order of the table.
  return {
    ...others,
    quick,
    warm: warm ?? (check || !quick),
    ...(isValidated ? { dnssec: true } : dnssec === false && { dnssec }),
    profiles: profiles ?? (quick ? [] : DEFAULT_PROFILES),
    check,
    ...(isValidated && at !== undefined && { at }),
    ...(isValidated && { trustAnchors: anchors }),
  };
}

/** The options that make the views of an earlier traversal again. Results from before there were these options name the views that they have. */
export function optionsLike(options: TraversalOptions): TraversalOptions {
  const { quick, check = false, warm = check, dnssec = false, profiles = [] } = options;
  return quick === undefined
    ? { ...options, quick: false, warm, dnssec, profiles, check }
    : { ...options, profiles };
}

/** The built-in trust anchors name keys of the root that the built-in root hints lead to. */
function builtInAnchors(hints: Delegation): readonly string[] | undefined {
  return delegationKey(hints) === delegationKey(BUILT_IN_HINTS) ? IANA_TRUST_ANCHORS : undefined;
}
