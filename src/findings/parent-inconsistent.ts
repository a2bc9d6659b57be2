import { type Delegation, delegationKey, delegationOf } from '../explore/delegation.ts';
import { listed } from '../reading/listed.ts';
import { named, plain } from '../reading/names.ts';
import { isAtOrBelow, type Name } from '../wire/name.ts';
import { hasFlag } from './authority.ts';
import type { Check, Draft } from './draft.ts';
import type { Heard, Panel } from './evidence.ts';
import { firstOfEach } from './first-of-each.ts';
import { isNegative, soasOf } from './soa.ts';

/**
 * PARENT_INCONSISTENT: asked the same, servers of the parent zone give delegations of one child that
 * differ, or some deny what others delegate. Servers that answer from the child itself are no case of
 * it, nor is glue that a referral need not carry.
 */
export const parentInconsistent: Check = ({ panels }) => [...panels.values()].flatMap(childrenOf);

function childrenOf(panel: Panel): readonly Draft[] {
  const children = new Map<Name, Version[]>();
  for (const heard of panel.heard) {
    if (heard.response.kind !== 'referral') continue;
    const { delegation } = heard.response;
    const known = children.get(delegation.zone);
    if (known === undefined) children.set(delegation.zone, [{ heard, delegation }]);
    else known.push({ heard, delegation });
  }
  return [...children].flatMap(([child, versions]) => differing(panel, child, versions));
}

/** What one of the parent's servers makes of the child; no delegation: it says that there is none. */
interface Version {
  readonly heard: Heard;
  readonly delegation?: Delegation;
}

function differing(panel: Panel, child: Name, given: readonly Version[]): readonly Draft[] {
  const denials = panel.heard.filter(deniesFromParent).map((heard): Version => ({ heard }));
  const versions = [...given, ...denials];
  const distinct = firstOfEach(versions, ({ delegation }) => (delegation ? delegationKey(delegation) : ''));
  const firsts = firstOfEach(distinct, ({ delegation }) => (delegation ? contentKey(delegation) : ''));
  if (firsts.length < 2) return [];
  const sides = firsts.map(({ heard, delegation }) => `${named(heard.server)} gives ${content(delegation)}`);
  const message = `The servers of ${plain(panel.zone)} do not agree on the delegation of ${plain(child)}: ${listed(sides)}; bring them to the same version of the zone.`;
  return [{ zone: child, message, proof: versions.map(({ heard }) => heard.exchanged) }];
}

/** Whether the reply says, out of the parent zone (its SOA shows which zone speaks), that there is nothing. */
function deniesFromParent(heard: Heard): boolean {
  return isNegative(heard) && hasFlag(heard, 'aa') && soasOf(heard).some(({ name }) => name === heard.zone);
}

/** The names, and the glue of those within the child: what every referral must carry (RFC 9471). */
function contentKey({ zone, nameservers }: Delegation): string {
  const needed = nameservers.map(({ name, glue }) => [name, isAtOrBelow(name, zone) ? glue : []] as const);
  return delegationKey(delegationOf(zone, new Map(needed)));
}

function content(delegation: Delegation | undefined): string {
  if (delegation === undefined) return 'no such delegation';
  const { zone, nameservers } = delegation;
  return listed(
    nameservers.map(({ name, glue }) =>
      isAtOrBelow(name, zone) ? `${plain(name)} [${listed(glue)}]` : plain(name),
    ),
  );
}
