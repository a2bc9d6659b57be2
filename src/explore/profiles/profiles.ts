/*
 * profiles: how resolver products resolve, as data. svc-model(7), PROFILES.
 *
 * Each file holds one product, without code; profile.ts says what its members mean, reactions.ts what a reply leads to by
 * them, and stages.ts which minimised questions a style asks. Exploring reads the minimisation, evaluation the rest.
 */
import { keysOf } from '../../base/limits.ts';
import { getOrMake } from '../../base/memo.ts';
import { BIND } from './bind.ts';
import { BIND_9_18 } from './bind-9.18.ts';
import { BIND_STRICT } from './bind-strict.ts';
import { KNOT } from './knot.ts';
import { KNOT_5_6 } from './knot-5.6.ts';
import { POWERDNS } from './powerdns.ts';
import { POWERDNS_4_8 } from './powerdns-4.8.ts';
import type { MinimisationStyle, Profile } from './profile.ts';
import { UNBOUND } from './unbound.ts';
import { UNBOUND_1_17 } from './unbound-1.17.ts';
import { UNBOUND_STRICT } from './unbound-strict.ts';

/** Every profile, a row each: the name that options and results have, and the data. */
export const PROFILES = {
  bind: BIND,
  unbound: UNBOUND,
  knot: KNOT,
  powerdns: POWERDNS,
  'unbound-strict': UNBOUND_STRICT,
  'bind-strict': BIND_STRICT,
  'bind-9.18': BIND_9_18,
  'unbound-1.17': UNBOUND_1_17,
  'knot-5.6': KNOT_5_6,
  'powerdns-4.8': POWERDNS_4_8,
} as const satisfies Readonly<Record<string, Profile>>;

/** The profiles of versions that are still in use, each with that of the version of today. */
const EARLIER: Readonly<Partial<Record<ProfileName, ProfileName>>> = {
  'bind-9.18': 'bind',
  'unbound-1.17': 'unbound',
  'knot-5.6': 'knot',
  'powerdns-4.8': 'powerdns',
};

/** The profile of today's version of an earlier one; undefined for any other. */
export function todaysProfile(name: ProfileName): ProfileName | undefined {
  return EARLIER[name];
}

/** The profiles of products with another setting for minimised questions, and for nothing else: each with the usual one. */
const STRICT: Readonly<Partial<Record<ProfileName, ProfileName>>> = {
  'bind-strict': 'bind',
  'unbound-strict': 'unbound',
};

/** The usual profile of a product that is set to minimise strictly; undefined for any other. */
export function usualProfile(name: ProfileName): ProfileName | undefined {
  return STRICT[name];
}

/** The name of a product as texts have it, with a version if it is an earlier one; of what is no product's default the profile's name. */
export function productName(name: ProfileName): string {
  const { standing, product } = PROFILES[name];
  return standing === 'default' || EARLIER[name] !== undefined ? product : name;
}

/** The same for sentences: a product and what is set otherwise. */
export function settingName(name: ProfileName): string {
  const { product, setting } = PROFILES[name];
  return setting === undefined ? product : `${product} with ${setting}`;
}

/** The name of a profile. */
export type ProfileName = keyof typeof PROFILES;

/** The names of all profiles, in the order of results. */
export const PROFILE_NAMES: readonly ProfileName[] = keysOf(PROFILES);

/** The profiles of products at their defaults. */
export const DEFAULT_PROFILES = PROFILE_NAMES.filter((name) => PROFILES[name].standing === 'default');

/** The profiles that results show: those named, and beside all defaults also those that are no product's default. */
export function profilesShown(named: readonly ProfileName[] = []): readonly ProfileName[] {
  return DEFAULT_PROFILES.every((name) => named.includes(name)) ? PROFILE_NAMES : named;
}

/** Profiles that ask the same minimised questions, whatever comes of them. */
export interface StyledProfiles {
  readonly style: MinimisationStyle;
  readonly names: readonly ProfileName[];
}

/** The profiles with these names, together by their style of minimisation. */
export function byStyle(names: readonly ProfileName[]): readonly StyledProfiles[] {
  const styles = new Map<string, { readonly style: MinimisationStyle; readonly names: ProfileName[] }>();
  for (const name of PROFILE_NAMES.filter((one) => names.includes(one))) {
    const { style } = PROFILES[name].minimisation;
    getOrMake(styles, styleKey(style), () => ({ style, names: [] })).names.push(name);
  }
  return [...styles.values()];
}

/** The text that is equal exactly for equal styles. */
export function styleKey(style: MinimisationStyle): string {
  const { type, apex, labels, mostAtZone, mostLabels, wholeNameWithA } = style;
  return [type, apex, labels, mostAtZone ?? '-', mostLabels ?? '-', wholeNameWithA].join(' ');
}
