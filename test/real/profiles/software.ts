import { keysOf } from '../../../src/base/limits.ts';
import type { ProfileName } from '../../../src/explore/profiles/profiles.ts';
import { run } from '../daemon.ts';
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

/** A product that can be measured, with its settings. */
interface Software extends ResolverSoftware {
  /** The profile that its own begins with, before it is measured for the first time. */
  readonly like: ProfileName;
}

/** Products, versions and settings that can be measured; those of profiles have their names. */
export const SOFTWARE = {
  bind: { ...ofDebian13(bind), like: 'bind' },
  unbound: { ...ofDebian13(unbound), like: 'unbound' },
  knot: { ...ofDebian13(knotResolver), like: 'knot' },
  powerdns: { ...ofDebian13(powerdnsRecursor), like: 'powerdns' },
  'unbound-strict': {
    ...ofDebian13(unboundWith('unbound-strict', 'qname-minimisation-strict: yes')),
    like: 'unbound',
  },
  'bind-strict': { ...ofDebian13(bindWith('bind-strict', 'qname-minimization strict;')), like: 'bind' },
  'bind-9.18': { ...bind, like: 'bind' },
  'unbound-1.17': { ...unbound, like: 'unbound' },
  'knot-5.6': { ...knotResolver, like: 'knot' },
  'powerdns-4.8': { ...powerdnsRecursor, like: 'powerdns' },
  'hickory-0.24': { ...ofDebian13(hickory), like: 'unbound' },
} as const satisfies Readonly<Record<string, Software>> & Readonly<Record<ProfileName, Software>>;

export type SoftwareName = keyof typeof SOFTWARE;

export const SOFTWARE_NAMES = keysOf(SOFTWARE);

/** The version that is installed, as its makers count: "9.20.30". */
export async function versionOf(name: SoftwareName): Promise<string> {
  const { packageName, root = '' } = SOFTWARE[name] satisfies ResolverSoftware;
  const version = await run({
    program: 'dpkg-query',
    args: [`--admindir=${root}/var/lib/dpkg`, '-W', packageName],
  });
  // "bind9	1:9.20.30-1~deb13u1"
  return version.replace(/^.*\t(\d+:)?([\d.]+).*\n$/, '$2');
}
