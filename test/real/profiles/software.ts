import { keysOf } from '../../../src/base/limits.ts';
import type { ProfileName } from '../../../src/explore/profiles/profiles.ts';
import {
  bind,
  bindWith,
  hickory,
  knotResolver,
  ofDebian13,
  powerdnsRecursor,
  type ResolverSoftware,
  unbound,
  unboundWith,
} from '../resolvers.ts';

/** Products, versions and settings that can be measured; those of profiles have their names. */
export const SOFTWARE = {
  bind,
  unbound,
  knot: knotResolver,
  powerdns: powerdnsRecursor,
  'unbound-strict': unboundWith('unbound-strict', 'qname-minimisation-strict: yes'),
  'bind-strict': bindWith('bind-strict', 'qname-minimization strict;'),
  'bind-9.20': ofDebian13(bind),
  'unbound-1.26': ofDebian13(unbound),
  'knot-5.7': ofDebian13(knotResolver),
  'powerdns-5.4': ofDebian13(powerdnsRecursor),
  'hickory-0.24': ofDebian13(hickory),
} satisfies Readonly<Record<string, ResolverSoftware>> & Readonly<Record<ProfileName, ResolverSoftware>>;

export type SoftwareName = keyof typeof SOFTWARE;

export const SOFTWARE_NAMES = keysOf(SOFTWARE);
