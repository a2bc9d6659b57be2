import { IANA_TRUST_ANCHORS } from '../dns/dnssec/trust-anchors.ts';
import type { TraversalOptions } from '../document/options.ts';
import { CHOSEN_VIEWS, QUICK_VIEWS } from '../evaluate/views.ts';
import { type Delegation, delegationKey } from '../explore/delegation.ts';
import { DEFAULT_PROFILES } from '../explore/profiles/profiles.ts';
import { BUILT_IN_HINTS } from '../explore/root-hints.ts';

/**
 * The options that a traversal from these root hints has: svc-model(7), THE FIRST ANSWER. Each view is on or off.
 * Trust anchors are among them where replies are validated: those built in may change, a replay must not. Queries ask
 * for signatures even where replies are not validated, so that the cold walk is always the same.
 */
export function optionsInEffect(
  { views = CHOSEN_VIEWS, profiles, check = false, at, trustAnchors, ...others }: TraversalOptions,
  hints: Delegation,
): TraversalOptions {
  // The built-in trust anchors name keys of the root that the built-in root hints lead to.
  const isBuiltIn = delegationKey(hints) === delegationKey(BUILT_IN_HINTS);
  const anchors = trustAnchors ?? (isBuiltIn ? IANA_TRUST_ANCHORS : undefined);
  const isValidated = views.includes('validating') && others.edns === 'on' && anchors !== undefined;
  // In the order of the table.
  return {
    ...others,
    views: CHOSEN_VIEWS.filter((view) => views.includes(view) || QUICK_VIEWS.includes(view)),
    profiles: profiles ?? (views.includes('profiles') ? DEFAULT_PROFILES : []),
    check,
    ...(isValidated && at !== undefined && { at }),
    ...(isValidated && { trustAnchors: anchors }),
  };
}

/** The options that make the views of an earlier traversal again. The earliest results do not say which they have. */
export function optionsLike({
  views = QUICK_VIEWS,
  profiles = [],
  ...others
}: TraversalOptions): TraversalOptions {
  return { ...others, views, profiles };
}
