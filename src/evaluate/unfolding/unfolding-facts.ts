import { getOrMake } from '../../base/memo.ts';
import type { Family } from '../../dns/address.ts';
import type { Question } from '../../dns/message.ts';
import { isAtOrBelow, type Name } from '../../dns/name.ts';
import { lookupTypes } from '../../explore/addresses.ts';
import {
  type Chain,
  Chains,
  chainForLookup,
  type Delegation,
  glueFor,
  locationOf,
  type Nameserver,
  type NameserverLocation,
} from '../../explore/delegation.ts';
import type { MainWalk } from '../world.ts';
import { DistinctEnds } from './distinct-ends.ts';
import { Bits, Cuts } from './footprint.ts';
import { Replies } from './replies.ts';

/** The facts that all unfoldings of one main walk share, however deep they go. */
export interface UnfoldingFacts {
  readonly main: MainWalk;
  readonly chains: Chains;
  readonly bits: Bits;
  readonly cuts: Cuts;
  readonly ends: DistinctEnds;
  readonly replies: Replies;
  /** One for each name server of the chain's last delegation, sorted by name. */
  readonly sourcesAt: (chain: Chain) => readonly AddressSource[];
  /** The chains met that end in an own set which is not the parent's delegation. */
  readonly ownSets: WeakSet<Chain>;
}

/** The facts of a main walk, before its first unfolding. */
export function unfoldingFactsOf(main: MainWalk): UnfoldingFacts {
  const [bits, cuts] = [new Bits(), new Cuts()];
  return {
    main,
    chains: new Chains(),
    bits,
    cuts,
    ends: new DistinctEnds(),
    replies: new Replies(main),
    sourcesAt: addressSources(main, { bits, cuts }),
    ownSets: new WeakSet(),
  };
}

/** Where the addresses of a name server come from, whatever is pending: svc-model(7), WALKING A STEP 2. */
export type AddressSource =
  | {
      readonly kind: 'glue';
      readonly name: Name;
      readonly addresses: readonly string[];
      /** For those who do not take the addresses of names elsewhere; absent: the name is in-domain, or cannot be looked up. */
      readonly lookedUp?: LookupSource;
    }
  /** No delegation before it could be asked. */
  | { readonly kind: 'none'; readonly name: Name }
  | LookupSource;

/** A name server whose addresses are looked up. */
export interface LookupSource {
  readonly kind: 'lookup';
  readonly name: Name;
  readonly start: Chain;
  /** The bit of `Cuts` for starting there. */
  readonly cut: bigint;
  readonly questions: readonly { readonly family: Family; readonly question: Question }[];
  readonly where: NameserverLocation;
  /** Bits of `Bits`: that its name is being looked up, and for an in-domain server that one of the same delegation is. */
  readonly same: bigint;
  readonly siblings: bigint;
  /** Another: that its name was asked on a walk. */
  readonly walked: bigint;
}

/** Where the addresses of the name servers of a chain's last delegation come from. */
function addressSources(
  { recording, world }: MainWalk,
  { bits, cuts }: { readonly bits: Bits; readonly cuts: Cuts },
): UnfoldingFacts['sourcesAt'] {
  const { families } = recording.scope;
  const known = new WeakMap<Chain, readonly AddressSource[]>();
  const sourceOf = (server: Nameserver, chain: Chain, delegation: Delegation): AddressSource => {
    const { name } = server;
    const addresses = glueFor(server, families);
    const where = locationOf(name, chain.delegation.zone);
    if (addresses.length > 0 && where === 'in-domain') return { kind: 'glue', name, addresses };
    const start = chainForLookup(chain, name);
    if (start === undefined)
      return addresses.length > 0 ? { kind: 'glue', name, addresses } : { kind: 'none', name };
    const lookedUp: LookupSource = {
      kind: 'lookup',
      name,
      start,
      cut: cuts.made(chain, name, isAtOrBelow, start),
      questions: lookupTypes(families).map(({ family, type }) => ({ family, question: { name, type } })),
      where,
      same: bits.lookup(name),
      walked: bits.walked(name),
      siblings: where === 'in-domain' ? bits.inDomainLookup(delegation) : 0n,
    };
    return addresses.length > 0 ? { kind: 'glue', name, addresses, lookedUp } : lookedUp;
  };
  return (chain) =>
    getOrMake(known, chain, () => {
      const delegation = world.delegation(chain.delegation);
      return delegation.nameservers.map((server) => sourceOf(server, chain, delegation));
    });
}
