/* What keeps resolvers at old name servers, by their profile. svc-model(7), UNTIL WHEN. */

import type { ProfileName } from '../../base/profile-names.ts';
import { listed } from '../../document/words/lists.ts';
import { PROFILES } from '../../explore/profiles/profiles.ts';
import { type Held, longestTtl } from './held.ts';
import type { ZoneOnWay } from './way.ts';

/** Which copies of NS records keep resolvers at old servers that go on answering. */
export interface Stay {
  /** Those that busy resolvers hold. `endless`: a copy is renewed with every reply, so nothing ends. */
  readonly usual: readonly Held[] | 'endless';
  /** Those that the last of the resolvers that do not renew them can hold, one after another. */
  readonly most: readonly Held[];
}

/** Why resolvers of a profile stay with the old servers of a zone. */
export function stayAt(profile: ProfileName, zone: ZoneOnWay): Stay {
  const { learnt, renewed } = PROFILES[profile].ownSet;
  const [parent, own] = [copies(zone.parent), copies(zone.own)];
  if (learnt === 'never' || own.length === 0) return { usual: parent, most: parent };
  const most = [...parent, ...own];
  if (learnt === 'asked' || zone.carried === 'none') return { usual: parent, most };
  if (renewed === 'yes') return { usual: 'endless', most };
  return zone.carried === 'all' ? { usual: own, most: own } : { usual: own, most };
}

function copies(held: Held | undefined): readonly Held[] {
  return held === undefined ? [] : [held];
}

/** Why they stay with the servers of several zones, one above the other. */
export function stayAtAll(profile: ProfileName, zones: readonly ZoneOnWay[]): Stay {
  const stays = zones.map((zone) => stayAt(profile, zone));
  const usual = stays.flatMap((stay) => (stay.usual === 'endless' ? [] : stay.usual));
  return {
    usual: stays.some((stay) => stay.usual === 'endless') ? 'endless' : usual,
    most: stays.flatMap(({ most }) => most),
  };
}

/** Of copies that may each be the one that is held longest, that one. */
export function longestOf(profile: ProfileName, all: readonly Held[]): readonly Held[] {
  const [first] = [...all].sort((a, b) => longestTtl(profile, b) - longestTtl(profile, a));
  return first === undefined ? [] : [first];
}

/** "BIND and Unbound"; those that are no product's default by the name of the profile. */
export function productWords(names: readonly ProfileName[]): string {
  const products = names.map((name) => {
    const { product, standing } = PROFILES[name];
    return standing === 'default' ? product : name;
  });
  return listed(products, products.length);
}
