import { type Delegation, delegationKey, delegationOf } from '../explore/delegation.ts';
import { firstOfEach } from '../reading/grouped.ts';
import { listed } from '../reading/listed.ts';
import { named, plain } from '../reading/names.ts';
import { addressBytes, familyOf } from '../wire/address.ts';
import { type EncodableRecord, encodeMessage } from '../wire/encode.ts';
import { isAtOrBelow, type Name, nameToWire, ROOT } from '../wire/name.ts';
import type { Check, Draft } from './check.ts';
import type { Heard, Panel, Referred } from './evidence.ts';
import { hasFlag, isNegative, soasOf } from './heard.ts';

/**
 * PARENT_INCONSISTENT: asked the same, servers of the parent zone give delegations of one child that
 * differ, or some deny what others delegate. Servers that answer from the child itself are no case of
 * it, nor is glue that a referral need not carry.
 */
export const parentInconsistent: Check = ({ panels }) => [...panels.values()].flatMap(childrenOf);

function childrenOf(panel: Panel): readonly Draft[] {
  const children = new Map<Name, Version[]>();
  for (const heard of panel.heard) {
    if (heard.meaning.kind !== 'referral') continue;
    const { delegation } = heard.meaning;
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

/** NS_COUNT_LOW: the delegation names one server, whose loss is the zone's. */
export const countLow: Check = ({ referred }) =>
  referred.flatMap(({ delegation, heard }): Draft[] => {
    const { zone, nameservers } = delegation;
    const [only] = nameservers;
    if (only === undefined || nameservers.length > 1) return [];
    const message = `The delegation of ${plain(zone)} names a single server, ${plain(only.name)}: add at least one more, in another place.`;
    return [{ zone, server: { name: only.name }, message, proof: heard.map(({ exchanged }) => exchanged) }];
  });

/** GLUE_MISSING: a server's name is within the zone, so only the referral can give its address, and it does not. */
export const glueMissing: Check = ({ referred }) =>
  forNames(
    referred,
    (name, zone, glue) => glue.length === 0 && isAtOrBelow(name, zone),
    (name, zone) =>
      `The delegation of ${plain(zone)} has no address for ${plain(name)}, a name inside the zone: add its glue at the parent.`,
  );

/** NS_NAME_SYNTAX: no host can have this name, or it is an address that somebody entered as a name. */
export const nameSyntax: Check = ({ referred }) =>
  forNames(
    referred,
    (name) => !isHostName(name),
    (name, zone) =>
      `The delegation of ${plain(zone)} names ${plain(name)} as a server, which ${isLikeAddress(name) ? 'looks like an address' : 'is not a host name'}: enter the name of a host.`,
  );

function forNames(
  referred: readonly Referred[],
  isWrong: (name: Name, zone: Name, glue: readonly string[]) => boolean,
  message: (name: Name, zone: Name) => string,
): readonly Draft[] {
  return referred.flatMap(({ delegation: { zone, nameservers }, heard }) =>
    nameservers
      .filter(({ name, glue }) => isWrong(name, zone, glue))
      .map(({ name }) => ({
        zone,
        server: { name },
        message: message(name, zone),
        proof: heard.map(({ exchanged }) => exchanged),
      })),
  );
}

/** RFC 952 and RFC 1123 2.1: letters, digits and inner hyphens; the last label is not a number. */
function isHostName(name: Name): boolean {
  return HOST_NAME.test(name) && !NUMERIC_END.test(name) && name !== ROOT;
}

function isLikeAddress(name: Name): boolean {
  return NUMERIC_END.test(name);
}

const HOST_NAME = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+$/;
const NUMERIC_END = /(?:^|\.)[0-9]+\.$/;

/** What fits into a datagram without EDNS (RFC 1035 4.2.1). */
const PLAIN_UDP = 512;

/**
 * REFERRAL_TOO_BIG: even the smallest referral that is allowed does not fit into a plain datagram, or
 * one came truncated.
 */
export const referralTooBig: Check = ({ referred }) =>
  referred.flatMap(({ delegation, heard }): Draft[] => {
    const { zone } = delegation;
    const octets = smallestReferral(delegation);
    if (octets > PLAIN_UDP) {
      const message = `A referral to ${plain(zone)} takes ${octets} octets at least, more than the ${PLAIN_UDP} of a plain datagram: name fewer servers or shorten their names.`;
      return [{ zone, message, proof: heard.map(({ exchanged }) => exchanged) }];
    }
    const truncated = heard.filter(cameTruncated);
    if (truncated.length === 0) return [];
    const message = `Referrals to ${plain(zone)} come truncated, so that resolvers must ask again over TCP: name fewer servers or send less beside them.`;
    return [{ zone, message, proof: truncated.map(({ exchanged }) => exchanged) }];
  });

function cameTruncated({ exchanged }: Heard): boolean {
  return exchanged.tries.some(
    ({ transport, outcome }) => transport === 'udp' && outcome.kind === 'reply' && outcome.truncated,
  );
}

/** Octets of the referral with the shortest question, names compressed, and no more glue than RFC 9471 asks for. */
function smallestReferral({ zone, nameservers }: Delegation): number {
  const record = (name: EncodableRecord['name'], type: string, rdata: Uint8Array): EncodableRecord => {
    return { name, type, ttl: 0, rdata };
  };
  const needed = nameservers.filter(({ name }) => isAtOrBelow(name, zone));
  return encodeMessage({
    id: 0,
    flags: ['qr'],
    rcode: 'NOERROR',
    questions: [{ nameAsSent: zone, type: 'A', class: 'IN' }],
    answer: [],
    authority: nameservers.map(({ name }) => record(zone, 'NS', nameToWire(name))),
    additional: needed.flatMap(({ name, glue }) =>
      glue.map((address) => record(name, familyOf(address) === 4 ? 'A' : 'AAAA', addressBytes(address))),
    ),
  }).length;
}
