/* Tells which copies of NS records keep resolvers of a profile at old name servers: svc-model(7), UNTIL WHEN. */

import { isAtOrBelow } from '../../dns/name.ts';
import { listed } from '../../document/words/lists.ts';
import { withAddress } from '../../document/words/names.ts';
import { PROFILES, type ProfileName, productName } from '../../explore/profiles/profiles.ts';
import { type Held, longestTtl } from './held.ts';
import type { ZoneOnWay } from './way.ts';

/** The copies of NS records that keep resolvers at old name servers which still answer. */
export interface Stay {
  /** The copies that busy resolvers hold. `endless`: every reply renews the copy, so it never expires. */
  readonly usual: readonly Held[] | 'endless';
  /** The copies that resolvers which do not renew them can hold at most, one after another. */
  readonly most: readonly Held[];
}

/** The copies that keep resolvers of a profile at the old name servers of a zone. */
export function stayAt(profile: ProfileName, zone: ZoneOnWay): Stay {
  const { learnt, lives } = PROFILES[profile].ownSet;
  const [parent, own] = [copies(zone.parent), copies(zone.own)];
  if (own.length === 0 || (lives === 'as-parents' && parent.length > 0))
    return { usual: parent, most: parent };
  const most = [...parent, ...own];
  if (learnt === 'asked' || zone.carried === 'none') return { usual: parent, most };
  if (lives === 'renewed') return { usual: 'endless', most };
  return zone.carried === 'all' ? { usual: own, most: own } : { usual: own, most };
}

function copies(held: Held | undefined): readonly Held[] {
  return held === undefined ? [] : [held];
}

/** The copies that keep resolvers of a profile at old addresses of name servers: of the server held longest. */
export function stayAtAddress(profile: ProfileName, { zone, servers, addresses }: ZoneOnWay): Stay {
  const usual = longestOf(profile, addresses);
  const [first] = usual;
  const isOwnUsed = PROFILES[profile].ownSet.addresses === 'own';
  if (first === undefined || !isOwnUsed || !isAtOrBelow(first.rrset.name, zone))
    return { usual, most: usual };
  // A resolver can have got the zone's own address from the old server just before the glue expired.
  const ours = new Set([...servers].map(([address, name]) => withAddress({ name, address })));
  const given = (isOurs: boolean) => first.given.filter(({ server }) => ours.has(server) === isOurs);
  const both = [given(false), given(true)].flatMap((some) =>
    some.length === 0 ? [] : [{ ...first, given: some }],
  );
  return { usual, most: both };
}

/** The copies that keep resolvers at the old name servers of several zones, one above the other. */
export function stayAtAll(profile: ProfileName, zones: readonly ZoneOnWay[]): Stay {
  const stays = zones.map((zone) => stayAt(profile, zone));
  const usual = stays.flatMap((stay) => (stay.usual === 'endless' ? [] : stay.usual));
  return {
    usual: stays.some((stay) => stay.usual === 'endless') ? 'endless' : usual,
    most: stays.flatMap(({ most }) => most),
  };
}

/** The copy with the longest TTL for a profile, if there is any. */
export function longestOf(profile: ProfileName, all: readonly Held[]): readonly Held[] {
  const timed = all.map((held) => ({ held, ttl: longestTtl(profile, held) }));
  const [first] = timed.sort((a, b) => b.ttl - a.ttl);
  return first === undefined ? [] : [first.held];
}

/** "X and Y"; profiles that are not the default of a product by their own names. */
export function productWords(names: readonly ProfileName[]): string {
  const products = names.map(productName);
  return listed(products, products.length);
}
