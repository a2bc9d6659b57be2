/* Says whether an effect follows from a finding, by what the two have in common. */

import { familyOf } from '../../dns/address.ts';
import { isAtOrBelow, isBelow } from '../../dns/name.ts';
import { grouped } from '../../document/words/lists.ts';
import { type Exchanged, isProbed } from '../../exchange/exchanged.ts';
import { meaningFor } from '../../explore/classify.ts';
import type { FindingCode } from '../catalogue.ts';
import { haveDsRecords } from '../dnssec/ds-records.ts';
import { areSignedByFaultyKeys } from '../dnssec/key-faults.ts';
import { isSignedBySomeKeysOnly } from '../dnssec/key-sets.ts';
import { hasUnreadableSignatures } from '../dnssec/signature-words.ts';
import { contentKeyOf } from '../evidence.ts';
import { SLOW_MEAN_MS } from '../user-impact.ts';
import type { Found } from './found.ts';
import type { Situation } from './situation.ts';

/** What a tie needs to know of an effect. */
export interface Effect extends Pick<Found, 'zone' | 'server'>, Partial<Pick<Found, 'severity'>> {
  readonly proof: ReadonlySet<Exchanged>;
}

/** Whether an effect follows from a finding, by what they have in common. */
export type Tie = (effect: Effect, cause: Found, situation: Situation) => boolean;

/** Both are about one address of a zone. */
export function areAtOneAddress(effect: Effect, cause: Found): boolean {
  return effect.zone === cause.zone && effect.server?.address === cause.server?.address;
}

/** Both are about one address of one server of a zone. */
export function areOne(effect: Effect, cause: Found): boolean {
  return areAtOneAddress(effect, cause) && effect.server?.name === cause.server?.name;
}

/** Both are about one address of a zone, and an exchange that failed proves both. */
export function isShownThere(effect: Effect, cause: Found): boolean {
  return areAtOneAddress(effect, cause) && shareProof(effect, cause);
}

/** Both are about one zone. */
export function areInOneZone(effect: Effect, cause: Found): boolean {
  return effect.zone === cause.zone;
}

/** The cause is at the same address, or at all servers of the zone. */
export function isThereOrEverywhere(effect: Effect, cause: Found): boolean {
  return cause.server === undefined ? areInOneZone(effect, cause) : areAtOneAddress(effect, cause);
}

/** Findings about a name, or about its addresses of one family, concern each of these addresses. */
export function areAtOneServer({ zone, server }: Effect, cause: Found): boolean {
  if (zone !== cause.zone || server?.name !== cause.server?.name) return false;
  const [address, wrong] = [server?.address, cause.server?.address];
  return address === undefined || wrong === undefined || familyOf(address) === familyOf(wrong);
}

/** The lookup of one name server fails because the lookup of another one does. */
export function failsForTheOthersName({ server, proof }: Effect, cause: Found): boolean {
  const other = cause.server?.name;
  if (other === undefined || other === server?.name) return false;
  return cause.proof.some((exchanged) => proof.has(exchanged) && exchanged.question.name === other);
}

/** The cause has no way out of a ring into which the effect leads on some paths. */
export function entersTheRingFromThere(effect: Effect, cause: Found, { mainZones }: Situation): boolean {
  if (effect.zone === undefined || mainZones.has(effect.zone)) return false;
  return effect.severity === 'warning' && cause.severity !== 'warning' && shareProof(effect, cause);
}

/** An exchange that failed proves both. */
export function shareProof({ proof }: Effect, cause: Found): boolean {
  return failuresOf(cause).some((exchanged) => proof.has(exchanged));
}

/** A probe proves both. */
export function shareProbe({ proof }: Effect, cause: Found): boolean {
  return cause.proof.some((one) => isProbed(one) && proof.has(one));
}

/** The cause is that the server fails for a zone below, and the effect that it does so for names there. */
export function isOfZoneBelow(effect: Effect, cause: Found): boolean {
  const { zone: below, scope, server } = cause;
  if (below === undefined || effect.zone === undefined || scope?.kind !== 'everything') return false;
  const isThere = isBelow(below, effect.zone) && server?.address === effect.server?.address;
  return isThere && [...effect.proof].every(({ question: { name } }) => isAtOrBelow(name, below));
}

/** All that proves the effect proves the cause, too. */
export function isPartOfProof({ proof }: Effect, cause: Found): boolean {
  const whole = new Set(cause.proof);
  return [...proof].every((exchanged) => whole.has(exchanged));
}

/** A denial proves both: a server that denies what exists differs from those that do not. */
export function shareDenial({ proof }: Effect, cause: Found): boolean {
  return cause.proof.some(
    (one) => proof.has(one) && one.outcome.kind === 'reply' && one.outcome.rcode === 'NXDOMAIN',
  );
}

/** The cause is a failure in the zone, or in one on which the addresses of its servers depend. */
export function happensInOrBehindTheZone(
  { zone }: Effect,
  cause: Found,
  { zonesBehind }: Situation,
): boolean {
  if (zone === undefined || cause.zone === undefined || failuresOf(cause).length === 0) return false;
  return zonesBehind.get(zone)?.has(cause.zone) ?? false;
}

/** The cause is a failure in a zone in which lookups fail. */
export function happensWhereLookupsFail(_: Effect, cause: Found, { failingZones }: Situation): boolean {
  return cause.zone !== undefined && failingZones.has(cause.zone) && failuresOf(cause).length > 0;
}

/** What does not verify was signed with a key that some servers of the zone publish, and others do not. */
export function isSignedByKeysThatDiffer({ zone, proof }: Effect, cause: Found): boolean {
  return zone !== undefined && zone === cause.zone && isSignedBySomeKeysOnly(proof, zone, cause.proof);
}

/** What does not verify is in a zone to which there is no delegation, as a reply to the question for its DS records shows. */
export function isInZoneWithoutCut({ proof }: Effect, cause: Found): boolean {
  const apexes = cause.proof
    .filter(({ question }) => question.type === 'DS')
    .map(({ question }) => question.name);
  return [...proof].some(({ question }) => apexes.some((apex) => isAtOrBelow(question.name, apex)));
}

/** A reply proves both in which signatures do not fit their type. */
export function shareUnreadableSignatures({ proof }: Effect, cause: Found): boolean {
  return cause.proof.some((exchanged) => proof.has(exchanged) && hasUnreadableSignatures(exchanged));
}

/** What does not verify was signed with a key that nobody can use. */
export function isSignedByFaultyKeys({ zone, proof }: Effect, cause: Found): boolean {
  return zone !== undefined && zone === cause.zone && areSignedByFaultyKeys(proof, zone, cause.proof);
}

/** The keys that nobody can use are those that DS records of the zone name. */
export function isTrustInFaultyKeys({ zone }: Effect, cause: Found): boolean {
  return zone !== undefined && zone === cause.zone && haveDsRecords(cause.proof, zone);
}

/** The same DS records prove both. */
export function shareDsRecords({ zone, proof }: Effect, cause: Found): boolean {
  if (zone === undefined || zone !== cause.zone) return false;
  return haveDsRecords(
    cause.proof.filter((one) => proof.has(one)),
    zone,
  );
}

/** Whether the server with the older version of the zone is one of those that differ. */
export function isHeardThere({ zone, proof }: Effect, { zone: lagging, server }: Found): boolean {
  return zone === lagging && [...proof].some(({ address }) => address === server?.address);
}

/** The same, for servers of a zone above, whose versions of it differ in this delegation. */
export function isHeardAbove({ zone, proof }: Effect, { zone: lagging, server }: Found): boolean {
  if (zone === undefined || lagging === undefined || !isBelow(zone, lagging)) return false;
  return [...proof].some(({ address }) => address === server?.address);
}

/** Only old versions of a zone above name the server, that of the cause among them. */
export function isNamedOfOld({ zone, server }: Effect, cause: Found, { isNamedOfOldBy }: Situation): boolean {
  const [parent, address] = [cause.zone, cause.server?.address];
  if (zone === undefined || server === undefined || parent === undefined || address === undefined)
    return false;
  return isBelow(zone, parent) && isNamedOfOldBy(server.name, zone, parent, address);
}

/** Only the delegation names the server, or only the zone itself does. */
export function isNamedByOneSide(effect: Effect, cause: Found, { mismatches }: Situation): boolean {
  const { server, zone } = effect;
  const mismatch = zone === undefined || !areInOneZone(effect, cause) ? undefined : mismatches.get(zone);
  if (mismatch === undefined || server === undefined) return false;
  return [...mismatch.onlyDelegated, ...mismatch.onlyOwn].includes(server.name);
}

/** Only the delegation names the server: nobody who keeps to the zone itself keeps it up to date. */
export function isLeftBehind(effect: Effect, cause: Found, situation: Situation): boolean {
  const { server, zone } = effect;
  const own = zone === undefined ? undefined : situation.mismatches.get(zone)?.own;
  if (server === undefined || own === undefined) return false;
  return isNamedByOneSide(effect, cause, situation) && !own.includes(server.name);
}

/** About a server that only the delegation names, or a zone that all servers are named in, each only by the delegation. */
export function isOfServersToLeave(effect: Effect, cause: Found, situation: Situation): boolean {
  const { server, zone } = effect;
  if (server !== undefined) return isLeftBehind(effect, cause, situation);
  const mismatch = cause.zone === undefined ? undefined : situation.mismatches.get(cause.zone);
  if (zone === undefined || mismatch === undefined) return false;
  const { parents, onlyDelegated } = mismatch;
  return (
    onlyDelegated.length === parents.set.length && onlyDelegated.every((name) => isAtOrBelow(name, zone))
  );
}

/** What servers say depends on nothing but which sets of name servers they are in and give. */
export function goesBySides({ zone, proof }: Effect, cause: Found, { sideOf }: Situation): boolean {
  if (zone === undefined || zone !== cause.zone) return false;
  const bySide = grouped([...proof], ({ address }) => sideOf(zone, address));
  return bySide.every((alike) => {
    const said = alike.map((exchanged) => contentKeyOf({ exchanged, meaning: meaningFor(exchanged, zone) }));
    return new Set(said).size === 1;
  });
}

/** Whether the cause rules out other servers of the same zone, for what the name's walk asks. Says nothing of a whole zone. */
export function leavesOneServer(
  { zone, server }: Effect,
  cause: Found,
  { mainExchanges }: Situation,
): boolean {
  if (server === undefined || zone !== cause.zone) return false;
  const isWhole = cause.scope === undefined || cause.scope.kind === 'everything';
  return failuresOf(cause).some((exchanged) => isWhole || mainExchanges.has(exchanged));
}

/** The replies of another server of the zone do not validate. */
export function leavesOneValidServer(effect: Effect, cause: Found, situation: Situation): boolean {
  return leavesOneServer(effect, cause, situation) && effect.server?.name !== cause.server?.name;
}

/** The cause costs much time. */
export function takesLong(_: Effect, cause: Found): boolean {
  return failuresOf(cause).some(({ elapsedMs }) => elapsedMs >= SLOW_MEAN_MS);
}

/** The cause was observed on the main walk. */
export function isOnMainWalk(_: Effect, { proof }: Found, { mainExchanges }: Situation): boolean {
  return proof.some((exchanged) => mainExchanges.has(exchanged));
}

/** Codes of faults despite which the server may have answered. */
const MAY_PASS: ReadonlySet<FindingCode> = new Set([
  'NS_LOSSY',
  'REPLY_QUESTION_MISMATCH',
  'REPLY_MALFORMED',
]);

/** The exchanges of its proof that failed. No path contains a probe, so none ends because of one. */
function failuresOf({ code, proof }: Found): readonly Exchanged[] {
  const exchanges = proof.filter((one) => !isProbed(one));
  return MAY_PASS.has(code) ? exchanges.filter(({ outcome }) => outcome.kind !== 'reply') : exchanges;
}
