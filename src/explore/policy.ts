import { parsePrefix, prefixOf } from '../dns/address.ts';
import { asciiName } from '../dns/idn.ts';
import { type Name, NameError, parentOf, parseName, ROOT } from '../dns/name.ts';
import { destinationOf } from '../dns/special-purpose.ts';

/** Says of addresses and names whether they are to be left alone. */
export interface Policy {
  /** What is in force: another object once that has changed. */
  readonly list: DenyList;
  readonly deniesAddress: (address: string) => boolean;
  /** Whether the name is, or is below, one that is denied. */
  readonly deniesName: (name: Name) => boolean;
}

/** Whom an operator wants left alone. */
export interface DenyList {
  /** In CIDR notation, with zeros beyond the prefix. */
  readonly prefixes: readonly string[];
  readonly names: readonly Name[];
}

/** A deny list without an entry. */
export const EMPTY_DENY_LIST: DenyList = { prefixes: [], names: [] };

/** The policy that denies nothing. */
export const DENY_NOTHING: Policy = {
  list: EMPTY_DENY_LIST,
  deniesAddress: () => false,
  deniesName: () => false,
};

/** A server, as far as it is known. */
interface KnownServer {
  readonly address: string;
  readonly names: readonly Name[];
}

/** Whether a query about a name may be sent to a server. Every query is checked by this when it is about to leave. */
export function maySend(policy: Policy, { address, names }: KnownServer, about: Name): boolean {
  return !(policy.deniesAddress(address) || [about, ...names].some((name) => policy.deniesName(name)));
}

/** Keeps a packet from leaving that the policy has come to forbid. */
export class Denied extends Error {
  override readonly name = 'Denied';
}

/** The policy of a deny list. It takes as long for a list of thousands as for a short one. */
export function policyOf(list: DenyList): Policy {
  const { prefixes, names } = list;
  const denied = new Set(prefixes);
  const lengths = [...new Set(prefixes.map((prefix) => Number(prefix.split('/')[1])))];
  const zones = new Set(names);
  return {
    list,
    deniesAddress: (address) => {
      const destination = destinationOf(address);
      return [address, destination].some((one) =>
        lengths.some((bits) => bits <= bitsOf(one) && denied.has(prefixOf(one, bits))),
      );
    },
    deniesName: (name) => {
      if (zones.size === 0) return false;
      for (let at: Name | undefined = name; at !== undefined; at = parentOf(at))
        if (zones.has(at)) return true;
      return false;
    },
  };
}

function bitsOf(address: string): number {
  return address.includes(':') ? 128 : 32;
}

/** What is wrong with a deny list, in one line. */
export class DenyListError extends Error {
  override readonly name = 'DenyListError';
}

/**
 * Reads a deny list: one prefix (an address is one) or one name per line, comments after `#`. Throws a
 * `DenyListError` that names the line.
 */
export function parseDenyList(text: string): DenyList {
  const prefixes: string[] = [];
  const names: Name[] = [];
  text.split(/\r?\n/).forEach((line, index) => {
    const entry = line.replace(/#.*/, '').trim();
    if (entry === '') return;
    const prefix = prefixIn(entry);
    if (prefix === undefined) names.push(nameIn(entry, index + 1));
    else prefixes.push(prefix);
  });
  return { prefixes, names };
}

function prefixIn(entry: string): string | undefined {
  const prefix = parsePrefix(entry);
  const [address = ''] = entry.split('/');
  return prefix === undefined ? undefined : prefixOf(address, prefix.bits);
}

function nameIn(entry: string, line: number): Name {
  try {
    const name = MEANT_AS_PREFIX.test(entry) ? ROOT : parseName(asciiName(entry));
    if (name !== ROOT) return name;
  } catch (error) {
    if (!(error instanceof NameError)) throw error;
  }
  throw new DenyListError(`line ${line}: ${entry} is neither a prefix, such as 192.0.2.0/24, nor a name`);
}

const MEANT_AS_PREFIX = /[\s/:]|^[\d.]+$/;
