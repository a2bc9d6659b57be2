/* Checks whether the addresses of name servers can be looked up, and at what risk. */

import { getOrMake } from '../base/memo.ts';
import { isAtOrBelow, isBelow, labelCount, type Name } from '../dns/name.ts';
import { END_TERMS } from '../document/words/end-words.ts';
import { listed } from '../document/words/lists.ts';
import { plain } from '../document/words/names.ts';
import { causeOf, type End, endKey } from '../evaluate/end.ts';
import type { Exchanged } from '../exchange/exchanged.ts';
import { aliasAt } from '../explore/aliases.ts';
import { disownsZone, servesSomeZone } from '../explore/classify.ts';
import type { Checks, Draft } from './check.ts';
import {
  askedExchanges,
  type Evidence,
  exchangesOf,
  hasFlag,
  isFinal,
  type Observation,
  oncePer,
  soasOf,
} from './evidence.ts';
import { namedIn } from './host-addresses.ts';
import { endProof, isUnproven, overFamilies, zonesOfOtherFamily } from './outcomes.ts';

/** Can the addresses of name servers be looked up, and at what risk? */
export const LOOKUP_CHECKS = {
  NS_UNRESOLVABLE: unresolvable,
  NS_DOMAIN_UNREGISTERED: unregistered,
  NS_PROVIDER_DANGLING: providerDangling,
  NS_IS_ALIAS: serverIsAlias,
  DEPENDENCY_CYCLE: dependencyCycle,
  DEPENDENCY_WIDE: dependencyWide,
} satisfies Checks;

/**
 * NS_UNRESOLVABLE: no path finds an address of a name server. Dependency cycles and missing glue have
 * codes of their own, and a traversal of one family does not prove that the other one has no address.
 */
function unresolvable(evidence: Evidence): readonly Draft[] {
  return evidence.resolutions.flatMap(({ zone, name, addresses, failed }): Draft[] => {
    if (addresses.size > 0 || failed.length === 0) return [];
    const leaves = failed.map(causeOf);
    if (!leaves.every((leaf) => isProof(evidence, leaf))) return [];
    const problem = `${plain(name)}, a name server of ${plain(zone)}, ${reason(evidence, name, leaves)}`;
    const advice = `Correct the name in ${namedIn(name, zone, evidence)} or give it an address`;
    const proof = failed.flatMap((end) => endProof(evidence, end));
    return [{ zone, server: { name }, problem, advice, proof }];
  });
}

function isProof(evidence: Evidence, leaf: End): boolean {
  if (leaf.kind === 'loop' || leaf.kind === 'no-glue' || isUnproven(evidence, leaf)) return false;
  return leaf.kind !== 'nodata' || evidence.scope.families.length > 1;
}

function reason({ scope }: Evidence, name: Name, leaves: readonly End[]): string {
  const isAll = (kind: End['kind']) =>
    leaves.every((leaf) => leaf.kind === kind && leaf.question.name === name);
  if (isAll('nxdomain')) return 'does not exist';
  if (isAll('nodata')) return 'has no address';
  // Who has addresses of one type only is right to deny the other.
  const failing = leaves.filter(({ kind }) => kind !== 'nodata');
  const shown = failing.length > 0 ? failing : leaves;
  const seen = new Set(shown.map(({ kind, question }) => `${END_TERMS[kind]} for ${plain(question.name)}`));
  return `cannot be looked up${overFamilies(scope)} (${listed([...seen])})`;
}

/** NS_IS_ALIAS: the name of a server is an alias, which many resolvers do not follow. */
function serverIsAlias(evidence: Evidence): readonly Draft[] {
  return delegatedNames(evidence).flatMap(({ zone, name }): Draft[] => {
    const proof = aliasedHosts(evidence).get(name);
    if (proof === undefined) return [];
    const problem = `${plain(name)}, a name server of ${plain(zone)}, is an alias (CNAME), which many resolvers do not follow`;
    const advice = 'Name the host itself in the delegation';
    return [{ zone, server: { name }, problem, advice, proof }];
  });
}

/** By name: the replies to questions for addresses that have an alias instead. */
const aliasedHosts = oncePer(({ recording }: Evidence): ReadonlyMap<Name, readonly Exchanged[]> => {
  const hosts = new Map<Name, Exchanged[]>();
  const probes = recording.probes.filter(({ probe }) => probe === 'host-address');
  for (const exchanged of [...askedExchanges(recording), ...probes]) {
    const { outcome, question } = exchanged;
    const isAlias =
      isAboutAddresses({ exchanged }) && outcome.kind === 'reply' && outcome.rcode === 'NOERROR';
    if (isAlias && aliasAt(outcome.answer, question.name).cnames.length > 0)
      getOrMake(hosts, question.name, (): Exchanged[] => []).push(exchanged);
  }
  return hosts;
});

/**
 * NS_DOMAIN_UNREGISTERED: the registry above a name server denies the name with authority and from its
 * own zone. So the domain of that name is not delegated, and whoever registers it answers for the zone.
 * In an ordinary zone NXDOMAIN is only a typing error. If another server knows the name, or a delegation
 * on the way to it, nothing is proven.
 */
function unregistered(evidence: Evidence): readonly Draft[] {
  return delegatedNames(evidence).flatMap(({ zone, name, observed }): Draft[] => {
    const denials = observed.filter((one) => registryDenying(one) !== undefined);
    const [first] = denials;
    const registry = first && registryDenying(first);
    if (registry === undefined || observed.some((one) => contradicts(one, registry))) return [];
    const problem = `The domain of ${plain(name)}, a name server of ${plain(zone)}, is not registered in ${plain(registry)} (any more), so anyone who registers it can take over ${plain(zone)}`;
    const advice = 'Remove that server from the delegation at once';
    return [{ zone, server: { name }, problem, advice, proof: exchangesOf(denials) }];
  });
}

/** The registry whose zone a denial comes from, as its SOA record shows: a server may have several zones. */
function registryDenying(observed: Observation): Name | undefined {
  if (observed.meaning.kind !== 'nxdomain' || !hasFlag(observed, 'aa')) return undefined;
  const { name } = observed.exchanged.question;
  return soasOf(observed)
    .map((soa) => soa.name)
    .find((owner) => isRegistry(owner) && isBelow(name, owner));
}

/**
 * Whether the public registers names directly below the zone: a top-level domain, or one like co.uk.
 * The DNS alone does not tell, so only certain ones count.
 */
function isRegistry(zone: Name): boolean {
  return (labelCount(zone) === 1 && zone !== 'arpa.') || SECOND_LEVEL.test(zone);
}

const SECOND_LEVEL = /^(?:ac|co|com|edu|go|gob|gov|mil|ne|net|or|org)\.[a-z]{2}\.$/;

function contradicts(observed: Observation, registry: Name): boolean {
  const { meaning } = observed;
  if (meaning.kind === 'referral') return !isAtOrBelow(registry, meaning.delegation.zone);
  return isFinal(observed) && registryDenying(observed) !== registry;
}

/**
 * DEPENDENCY_CYCLE: the address of a name server is needed to look that address up. Reported where the
 * ring is entered: at the name whose lookup ends because the same name is wanted again. If nobody who
 * comes to the zone with no lookup pending finds any of its servers, there is no way out (error);
 * otherwise only some paths go round (warning).
 */
function dependencyCycle(evidence: Evidence): readonly Draft[] {
  const isWayOut = waysOut(evidence);
  const zonesByLoop = zonesRound(evidence);
  return evidence.resolutions.flatMap(({ zone, name, failed }): Draft[] => {
    const loops = failed.map(causeOf).filter((leaf) => leaf.kind === 'loop' && leaf.nameserver === name);
    if (loops.length === 0) return [];
    const zones = new Set(loops.flatMap((leaf) => [...(zonesByLoop.get(endKey(leaf)) ?? [])]));
    // A zone whose servers are in the ring, and on which nothing in the ring depends, is not one of it.
    const ring = [...zones].filter((one) => holdsServerOf(evidence, one, zones));
    const own = ring.includes(zone) ? zone : (ring.find((one) => isAtOrBelow(name, one)) ?? zone);
    const others = ring.filter((other) => other !== own).map(plain);
    const over = others.length === 0 ? '' : ` (by way of ${listed(others)})`;
    const who = `${plain(name)}, a name server of ${plain(zone)}, cannot be resolved`;
    const why = `its own address is needed to look it up${over}`;
    const subject = { server: { name }, proof: referralsTo(evidence, zones) };
    if (isWayOut(zone)) {
      const advice = 'Break the cycle with glue or with a name server elsewhere';
      return [{ zone, ...subject, severity: 'warning', problem: `${who} on some paths: ${why}`, advice }];
    }
    const advice = 'Give one of the zones a name server whose address does not depend on the others';
    const needs = `${listed([plain(own), ...others])} each need the ${others.length > 1 ? 'others' : 'other'}`;
    const problem =
      others.length === 0
        ? `${who}: ${why}`
        : `${needs} to find their name servers: the address of ${plain(name)} is needed to look it up`;
    return [{ zone: own, ...subject, problem, advice }];
  });
}

/** Whether the name of a server of another of these zones is in this one. */
function holdsServerOf({ resolutions }: Evidence, holder: Name, zones: ReadonlySet<Name>): boolean {
  return resolutions.some(
    ({ zone, name }) => zone !== holder && zones.has(zone) && isAtOrBelow(name, holder),
  );
}

function waysOut(evidence: Evidence): (zone: Name) => boolean {
  const { resolutions, openZones, mainSteps } = evidence;
  const found = new Set(resolutions.filter(({ addresses }) => addresses.size > 0).map(({ zone }) => zone));
  const afresh = new Set([...mainSteps].map(({ delegation }) => delegation.zone));
  const other = zonesOfOtherFamily(evidence);
  return (zone) => found.has(zone) || openZones.has(zone) || other.has(zone) || !afresh.has(zone);
}

/** The zones whose name servers cannot be found because of a loop, by the loop's `endKey`. */
function zonesRound({ resolutions }: Evidence): ReadonlyMap<string, ReadonlySet<Name>> {
  const rings = new Map<string, Set<Name>>();
  for (const { zone, failed, notLookedUp } of resolutions) {
    for (const end of [...failed, ...notLookedUp]) {
      const leaf: End = causeOf(end);
      if (leaf.kind !== 'loop') continue;
      getOrMake(rings, endKey(leaf), () => new Set()).add(zone);
    }
  }
  return rings;
}

function referralsTo({ referrals }: Evidence, zones: Iterable<Name>) {
  return exchangesOf([...zones].flatMap((zone) => referrals.get(zone) ?? []));
}

/** Fewer foreign domains than this are not worth reporting. */
const MANY_DOMAINS = 10;

/** DEPENDENCY_WIDE: many domains other than the name's own have to work for it, or can be attacked. */
function dependencyWide(evidence: Evidence): readonly Draft[] {
  const own = new Set<Name>();
  const foreign = new Set<Name>();
  for (const step of evidence.mainSteps) own.add(step.question.name);
  for (const { delegation } of evidence.steps) {
    const { zone } = delegation;
    // Counting zones directly below top-level domains roughly counts operators.
    if (labelCount(zone) === 2 && ![...own].some((name) => isAtOrBelow(name, zone))) foreign.add(zone);
  }
  if (foreign.size < MANY_DOMAINS) return [];
  const names = listed([...foreign].map(plain).sort());
  const problem = `Looking up ${plain(evidence.scope.question.name)} can involve ${foreign.size} other domains (${names}), each of which has to keep working`;
  return [{ problem, advice: 'Use name servers in fewer domains', proof: referralsTo(evidence, foreign) }];
}

/** A name server that a delegation of a zone names, and the exchanges about its addresses. */
interface DelegatedName {
  readonly zone: Name;
  readonly name: Name;
  readonly observed: readonly Observation[];
}

/** Every name server of every delegation, each zone and name once. */
function delegatedNames({ referred, byName }: Evidence): readonly DelegatedName[] {
  const names = new Map<string, DelegatedName>();
  for (const { delegation } of referred) {
    for (const { name } of delegation.nameservers) {
      const observed = (byName.get(name) ?? []).filter(isAboutAddresses);
      names.set(`${delegation.zone} ${name}`, { zone: delegation.zone, name, observed });
    }
  }
  return [...names.values()];
}

function isAboutAddresses({ exchanged }: Pick<Observation, 'exchanged'>): boolean {
  return exchanged.question.type === 'A' || exchanged.question.type === 'AAAA';
}

/**
 * NS_PROVIDER_DANGLING: every server of a zone is alive and at work for others, but disowns this zone,
 * whichever way one comes there. Silence proves nothing, and neither does a server that disowns all it is
 * asked for: it may be broken.
 */
function providerDangling(evidence: Evidence): readonly Draft[] {
  const drafts: Draft[] = [];
  const signs = signsOfLife(evidence);
  const unexamined = new Set([...evidence.openWhenWarm, ...zonesOfOtherFamily(evidence)]);
  for (const [zone, facts] of evidence.zones) {
    const contacts = evidence.contacts.filter((contact) => contact.zone === zone);
    const alive = contacts.map(({ server }) => signs.get(server.address)).filter((one) => one !== undefined);
    if (unexamined.has(zone) || contacts.length === 0 || alive.length < contacts.length) continue;
    if (
      !contacts.every(
        (one) =>
          one.observed.length > 0 && one.observed.every(({ exchanged }) => disownsZone(exchanged, zone)),
      ) ||
      facts.servers.some(({ soa, ns }) => (soa ?? ns) !== undefined) ||
      isSelfHosted(evidence, zone)
    )
      continue;
    const names = [...new Set(contacts.map(({ server }) => plain(server.name)))].sort();
    drafts.push({
      zone,
      problem: `All name servers of ${plain(zone)} (${listed(names)}) answer for other zones but do not serve it, so anyone who can add the zone there can take it over`,
      advice: 'Set up the zone there again, or remove the delegation at once',
      proof: [...contacts.flatMap(({ observed }) => exchangesOf(observed)), ...alive],
    });
  }
  return drafts;
}

/** By address: a reply that shows that the server there serves something. */
function signsOfLife({ recording }: Evidence): ReadonlyMap<string, Exchanged> {
  const signs = new Map<string, Exchanged>();
  for (const one of [...recording.exchanges.values(), ...recording.probes]) {
    if (servesSomeZone(one)) getOrMake(signs, one.address, () => one);
  }
  return signs;
}

/** The owner of a zone can mend a server in it, and nobody else can get it to serve the zone. */
function isSelfHosted({ resolutions }: Evidence, zone: Name): boolean {
  return resolutions.some(
    (one) => one.zone === zone && (one.failed.length > 0 || isAtOrBelow(one.name, zone)),
  );
}
