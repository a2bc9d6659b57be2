/** What the brute force of signed worlds counts with: chains of delegations, questions, and weighted possibilities. */
import type { Trust } from '../../../src/dns/dnssec/trust.ts';
import { isAtOrBelow, isBelow, type Name } from '../../../src/dns/name.ts';
import type { Delegation } from '../../../src/explore/delegation.ts';
import type { Meaning } from '../../../src/explore/meaning.ts';
import { type Leaf, leaf, mergeLeaves, type Ratio, times } from '../leaf.ts';
import type { Judged } from './literal-rules.ts';

export interface Link {
  readonly delegation: Delegation;
  /** Undefined in lookups, which nobody validates. */
  readonly trust: Trust;
}

export type Chain = readonly Link[];

export interface Asking {
  readonly name: Name;
  readonly type: string;
  readonly depth: number;
  readonly walked: readonly Name[];
  readonly pending: readonly { readonly of: string; readonly name: Name; readonly inDomain: boolean }[];
  readonly isLookup: boolean;
  readonly secure: boolean;
}

export type Dist<T> = readonly { readonly p: Ratio; readonly value: T }[];

/** What a resolver comes to first that it takes. */
export type First =
  | { readonly kind: 'visit'; readonly server: Name; readonly address: string }
  | { readonly kind: 'limit'; readonly end: Leaf }
  | { readonly kind: 'none' };

export interface Stopped {
  readonly kind: 'cut off';
  readonly limit: Leaf;
}

export const INSECURE: Trust = { kind: 'insecure', id: 'insecure' };

/** How an exchange fails that section 7 does not use. */
export function failing(meaning: Meaning): string | undefined {
  switch (meaning.kind) {
    case 'malformed':
    case 'unreachable':
    case 'timeout':
      return meaning.kind;
    case 'error':
      return `error ${meaning.rcode}`;
    case 'lame':
      return `lame ${meaning.reason} ${meaning.referredTo ?? '-'}`;
    default:
      return undefined;
  }
}

/** Why a reply is of no use; one that verifies is of none only where a proof is wanted that it does not give. */
export function reasonOf(judged: Judged | Stopped): string {
  return judged.kind === 'bogus' ? `bogus ${judged.reason}` : 'bogus no-proof';
}

export function servfail(asking: Asking, zone: Name, cause: string): Leaf {
  return leaf('servfail', asking, zone, null, asking.isLookup ? '' : `because ${cause}`);
}

export function limitAt(
  kind: string,
  question: Asking,
  zone: Name,
  { server, address }: First & { kind: 'visit' },
): Leaf {
  return leaf(kind, question, zone, `${server} ${address}`, '');
}

export function last(chain: Chain): Link {
  const link = chain.at(-1);
  if (link === undefined) throw new Error('a chain has a root');
  return link;
}

export function cutAt(chain: Chain, target: Name, type: string): Chain {
  const encloses = type === 'DS' ? isBelow : isAtOrBelow;
  const kept = [...chain];
  while (kept.length > 1 && !encloses(target, last(kept).delegation.zone)) kept.pop();
  return kept;
}

export function flat<T>(dist: Dist<T>, then: (value: T) => readonly Leaf[]): readonly Leaf[] {
  return mergeLeaves(
    dist.flatMap(({ p, value }) => then(value).map((one) => ({ ...one, p: times(p, one.p) }))),
  );
}

export function product<T>(lists: readonly (readonly T[])[]): T[][] {
  return lists.reduce<T[][]>((all, list) => all.flatMap((one) => list.map((item) => [...one, item])), [[]]);
}

export function permutations<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item, i) =>
    permutations([...items.slice(0, i), ...items.slice(i + 1)]).map((rest) => [item, ...rest]),
  );
}
