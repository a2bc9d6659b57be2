/**
 * The profiles of resolvers, by the names that options and results have: svc-model(7), PROFILES. Their data are in
 * `explore/profiles/`.
 */
export const PROFILE_NAMES = [
  'bind',
  'unbound',
  'knot',
  'powerdns',
  'unbound-strict',
  'bind-strict',
] as const;

/** The name of a profile. */
export type ProfileName = (typeof PROFILE_NAMES)[number];
