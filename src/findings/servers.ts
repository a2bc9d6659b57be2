/* Checks whether servers answer, and for the zone. */

import { familyOf } from '../dns/address.ts';
import { isAtOrBelow, isBelow, type Name } from '../dns/name.ts';
import { fitsType, type Records, type ResourceRecord, reasonOfMisfit } from '../dns/record.ts';
import { listed } from '../document/words/lists.ts';
import { asked, plain, withAddress } from '../document/words/names.ts';
import { causeOf } from '../evaluate/end.ts';
import type { Exchanged, Try } from '../exchange/exchanged.ts';
import { meaningFor } from '../explore/classify.ts';
import { givesOrDenies, isUsable, type LameReason } from '../explore/meaning.ts';
import { atFailingServer, atServer, type Checks, type Draft, either, everything } from './check.ts';
import {
  type Contact,
  type Evidence,
  exchangesOf,
  hasFlag,
  isAnswered,
  isFinal,
  isLost,
  isWorking,
  type Observation,
  oncePer,
  saidItself,
  triesOver,
} from './evidence.ts';
import { existenceReplies } from './existence.ts';
import { althoughItAnswers, answersSomething, faultScope, queriesIn, usableReplies } from './fault-scope.ts';
import { hostAddresses, namedIn, serveOrRemove } from './host-addresses.ts';
import { overFamilies, zonesOfOtherFamily } from './outcomes.ts';
import { isOutOfPlace } from './server-addresses.ts';

/** Do servers answer, and for the zone? */
export const SERVER_CHECKS = {
  NS_NO_RESPONSE_UDP: noResponse,
  NS_LOSSY: lossy,
  NS_V6_DEAD: deadIpv6,
  ZONE_NO_WORKING_NS: zoneBroken,
  NS_REFUSED: atFailingServer({
    when: (observed) => rcodeOf(observed) === 'REFUSED',
    does: (queries) => `refuses ${queries}`,
    advice: serveOrRemove,
    advicePartly: 'Let it answer these queries as it answers others: look at its access rules and views',
  }),
  NS_SERVFAIL: atFailingServer({
    when: (observed) => rcodeOf(observed) === 'SERVFAIL',
    does: (queries) => `fails to answer ${queries} (SERVFAIL)`,
    advice: () => 'Check its log to find out why the zone is not loaded or has expired',
    advicePartly: 'Check its log to find out why these queries fail',
  }),
  // Even without EDNS.
  NS_FORMERR_NOTIMP: atFailingServer({
    when: (observed) =>
      ['FORMERR', 'NOTIMP'].includes(rcodeOf(observed) ?? '') &&
      observed.exchanged.tries.at(-1)?.edns === false,
    does: (queries, first) => `rejects ${queries} with ${rcodeOf(first)}, even without EDNS`,
    advice: () => 'Repair or replace that server',
    advicePartly: 'Make it reply to these queries as well, with data or NODATA',
  }),
  NS_UPWARD_REFERRAL: atFailingServer({
    when: (observed) => isLame(observed, ['upward']),
    does: (queries, first, { kind }) =>
      kind === 'everything'
        ? `does not serve ${plain(first.zone)} but refers queries up to ${referredTo(first)}`
        : `does not answer ${queries} but refers them up to ${referredTo(first)}`,
    advice: serveOrRemove,
    advicePartly: 'Make it answer these queries as it answers others, with data, NODATA or NXDOMAIN',
  }),
  NS_SIDEWAYS_REFERRAL: atFailingServer({
    when: (observed) => isLame(observed, ['self', 'sideways']),
    does: (queries, first) => `does not answer ${queries} but refers them to ${referredTo(first)}`,
    advice: serveOrRemove,
    advicePartly: 'Make it answer these queries as it answers others, with data, NODATA or NXDOMAIN',
  }),
  // RFC 2308 2.2 knows no such reply.
  NS_EMPTY_NOERROR: atFailingServer({
    when: (observed) => isLame(observed, ['empty']),
    does: (queries) => `answers ${queries} with an empty message: no data, no SOA record, no referral`,
    advice: serveOrRemove,
    advicePartly: 'Make it reply with NODATA there: no data, and the SOA record of the zone',
  }),
  // Names below a zone cut do not count: a server has no authority over the zones that it delegates.
  NS_NOT_AUTHORITATIVE: either(
    atServer({
      when: (observed, evidence) =>
        isFinal(observed) && !hasFlag(observed, 'aa') && !isBelowCut(observed, evidence),
      problem: ({ server, zone }) =>
        `${withAddress(server)} answers queries for ${plain(zone)} without the AA bit, as a cache would`,
      advice: serveOrRemove,
      scope: ({ evidence, zone, server }, proof) => {
        const alike = usableReplies(evidence, zone, server.address).filter(
          (exchanged) =>
            givesOrDenies(meaningFor(exchanged, zone)) &&
            !hasFlag({ exchanged }, 'aa') &&
            !isBelowCut({ zone, exchanged }, evidence),
        );
        return faultScope(evidence, { zone, server }, [...proof, ...alike]);
      },
    }),
    deniesAsCache,
  ),
  NS_AA_ON_REFERRAL: atServer({
    when: (observed) =>
      observed.meaning.kind === 'referral' &&
      hasFlag(observed, 'aa') &&
      saidItself(observed).kind === 'referral',
    problem: ({ server, zone }) =>
      `${withAddress(server)} sets the AA bit on referrals from ${plain(zone)}, although most resolvers tolerate that`,
    advice: 'Update the software of that server',
  }),
  // Such data serves as no address, name or alias (RFC 3597). Records of classes other than IN are passed over.
  RDATA_MALFORMED: atServer({
    when: (observed) => misfitsIn(observed).length > 0,
    problem: ({ server, zone, first }) =>
      `${withAddress(server)} sends records for ${plain(zone)} whose data does not fit their type (${listed(misfitsIn(first))})`,
    advice: 'Correct those records or update that server',
  }),
} satisfies Checks;

/** NS_NOT_AUTHORITATIVE, of a server that otherwise speaks for the zone: NXDOMAIN without the AA bit, also to a probe. */
function deniesAsCache(evidence: Evidence): readonly Draft[] {
  const drafts: Draft[] = [];
  for (const { zone, server, replies } of existenceReplies(evidence)) {
    const showing = replies.filter((exchanged) => {
      const observed = { zone, exchanged };
      const isDenial =
        isBelow(exchanged.question.name, zone) && meaningFor(exchanged, zone).kind === 'nxdomain';
      return isDenial && !hasFlag(observed, 'aa') && !isBelowCut(observed, evidence);
    });
    if (showing.length === 0) continue;
    const names = [...new Set(showing.map(({ question }) => plain(question.name)))];
    drafts.push({
      zone,
      server,
      problem: `${withAddress(server)} returns NXDOMAIN for ${listed(names)} without the AA bit, as a cache would`,
      advice: 'Update or replace that server: it must set the AA bit in replies for its own zones',
      proof: showing,
    });
  }
  return drafts;
}

/** NS_NO_RESPONSE_UDP: no try over UDP was answered, whatever the server was asked for the zone, or of certain questions. */
function noResponse(evidence: Evidence): readonly Draft[] {
  const lossy = lossyAddresses(evidence);
  const working = new Set(evidence.contacts.filter(worksOverIpv4).map(nameKey));
  return evidence.roughAnywhere.flatMap((contact): readonly Draft[] => {
    const { zone, server, observed } = contact;
    const scope = { kind: 'everything' } as const;
    const problem = `${withAddress(server)} ${silenceWords(observed, zone)}`;
    return isSilent(evidence, contact, lossy)
      ? [
          {
            zone,
            server,
            scope,
            problem,
            advice: silenceAdvice(evidence, contact, working),
            proof: exchangesOf(observed),
          },
        ]
      : silentPartly(evidence, contact, lossy);
  });
}

/** Of a server that answers other questions at once. */
function silentPartly(evidence: Evidence, contact: Contact, lossy: ReadonlySet<string>): readonly Draft[] {
  const { zone, server } = contact;
  const proof = exchangesOf(contact.observed.filter((one) => isLostWholly(one) && isTriedAgain(one)));
  if (proof.length === 0 || lossy.has(server.address)) return [];
  const scope = faultScope(evidence, contact, proof);
  if (scope.kind === 'everything') return [];
  const problem = `${withAddress(server)} does not answer ${queriesIn(scope, zone)}${althoughItAnswers(evidence, contact, scope)}`;
  const advice =
    'Make it reply to these queries as well, or the firewall or load balancer in front of it let them through';
  return [{ zone, server, scope, problem, advice, proof }];
}

function isTriedAgain({ exchanged }: Observation): boolean {
  return triesOver('udp', exchanged).length > 1;
}

/** In accord with what NS_ADDR_NOT_GLOBAL and NS_V6_DEAD advise about the same address. */
function silenceAdvice(evidence: Evidence, contact: Contact, workingOverIpv4: ReadonlySet<string>): string {
  const { zone, server } = contact;
  const removal = `remove it from ${namedIn(server.name, zone, evidence)}`;
  if (isOutOfPlace(evidence, server.address)) return `Give it an address that resolvers reach or ${removal}`;
  const isDead = familyOf(server.address) === 6 && workingOverIpv4.has(nameKey(contact));
  return isDead
    ? 'Repair its IPv6 connection or remove the IPv6 address'
    : `Repair the server or its firewall, or ${removal}`;
}

function silenceWords(observed: readonly Observation[], zone: Name): string {
  const tries = observed.flatMap(({ exchanged }) => triesOver('udp', exchanged));
  if (tries.some(({ outcome }) => outcome.kind === 'unreachable'))
    return `cannot be reached over UDP for ${plain(zone)}, as the network reports`;
  return tries.length === 1
    ? `did not answer a UDP query for ${plain(zone)}`
    : `answered none of ${tries.length} UDP queries for ${plain(zone)}`;
}

/** NS_LOSSY: some tries were answered, some were not. Such a server is not dead. */
function lossy(evidence: Evidence): readonly Draft[] {
  const addresses = lossyAddresses(evidence);
  return evidence.roughAnywhere.flatMap(({ zone, server, observed }): readonly Draft[] => {
    const affected = observed.filter(({ exchanged }) => triesOver('udp', exchanged).some(isLost));
    if (affected.length === 0) return [];
    const isLossy = addresses.has(server.address);
    if (!isLossy && affected.every(isTriedAgain)) return [];
    const tries = observed.flatMap(({ exchanged }) => triesOver('udp', exchanged));
    if (!tries.some(isAnswered) && !isLossy) return [];
    const all = triesTo(evidence, server.address);
    const problem = `${withAddress(server)} left ${all.filter(isLost).length} of ${all.length} UDP queries unanswered`;
    const advice = 'Look for a rate limit, packet loss or overload there';
    return [{ zone, server, scope: everything(), problem, advice, proof: exchangesOf(affected) }];
  });
}

/** NS_V6_DEAD: no IPv6 address of a name server answers, although its IPv4 and other servers' IPv6 work. */
function deadIpv6(evidence: Evidence): readonly Draft[] {
  const lossy = lossyAddresses(evidence);
  const working = new Set(evidence.contacts.filter(worksOverIpv4).map(nameKey));
  const overIpv6 = evidence.contacts.filter(({ server }) => familyOf(server.address) === 6);
  const dead = new Set(overIpv6.filter((contact) => isSilent(evidence, contact, lossy)));
  const alive = new Set(overIpv6.filter((contact) => !dead.has(contact)).map(nameKey));
  return [...dead]
    .filter((contact) => working.has(nameKey(contact)) && !alive.has(nameKey(contact)))
    .map(({ zone, server, observed }) => ({
      zone,
      server,
      problem: `${withAddress(server)} does not answer over IPv6 for ${plain(zone)}, although ${plain(server.name)} answers over IPv4`,
      advice: 'Repair its IPv6 connection or remove the IPv6 address',
      proof: exchangesOf(observed),
    }));
}

function triesTo({ recording }: Evidence, to: string): readonly Try[] {
  const all = [...recording.exchanges.values(), ...recording.probes];
  return all.filter(({ address }) => address === to).flatMap((one) => triesOver('udp', one));
}

function worksOverIpv4({ server, observed }: Contact): boolean {
  return familyOf(server.address) === 4 && observed.some(isWorking);
}

function nameKey({ zone, server }: Contact): string {
  return `${zone} ${server.name}`;
}

/** Nothing came from there for this zone, although other addresses of the family answer and it is not mere loss. */
function isSilent(evidence: Evidence, contact: Contact, lossy: ReadonlySet<string>): boolean {
  const { server, observed } = contact;
  if (observed.length === 0 || !evidence.reached.has(familyOf(server.address))) return false;
  return observed.every(isLostWholly) && !lossy.has(server.address);
}

function isLostWholly({ exchanged }: Observation): boolean {
  const tries = triesOver('udp', exchanged);
  return tries.length > 0 && tries.every(isLost);
}

/** Addresses that answered one try of a question and not another. */
export const lossyAddresses = oncePer(({ recording }: Pick<Evidence, 'recording'>): ReadonlySet<string> => {
  return new Set([...recording.exchanges.values()].filter(isPartlyLost).map(({ address }) => address));
});

function isPartlyLost(exchanged: Exchanged): boolean {
  if (exchanged.tries.length < 2) return false;
  const tries = triesOver('udp', exchanged);
  return tries.some(isLost) && tries.some(isAnswered);
}

/**
 * ZONE_NO_WORKING_NS: every server of a zone was tried, and none is usable. A zone that only
 * lookups came to may still work for others if the addresses of its servers depended on what was pending:
 * it is not reported.
 */
function zoneBroken(evidence: Evidence): readonly Draft[] {
  const onMainWalk = new Set([...evidence.mainSteps].map(({ delegation }) => delegation.zone));
  const met = new Set(evidence.steps.map(({ delegation }) => delegation.zone));
  const ruledOut = new Set([
    ...evidence.openZones,
    ...zonesOfOtherFamily(evidence),
    ...evidence.contacts.filter((contact) => answersSomething(evidence, contact)).map(({ zone }) => zone),
    ...dependentZones(evidence).filter((zone) => !onMainWalk.has(zone)),
  ]);
  return [...met]
    .filter((zone) => !ruledOut.has(zone) && !isServedElsewhere(evidence, zone))
    .map((zone) => broken(evidence, zone));
}

/** Whether servers answer for a zone at the addresses that their own zones give them, where a registry has old ones. */
function isServedElsewhere(evidence: Evidence, zone: Name): boolean {
  const hosts = evidence.referred.flatMap(({ delegation }) =>
    delegation.zone === zone ? delegation.nameservers.filter(({ glue }) => glue.length > 0) : [],
  );
  const own = new Set(
    ([4, 6] as const).flatMap((family) =>
      hosts.flatMap(({ name }) => hostAddresses(evidence, name, family)?.addresses ?? []),
    ),
  );
  return [...evidence.recording.exchanges.values()].some(
    (one) =>
      own.has(one.address) && isAtOrBelow(one.question.name, zone) && isUsable(meaningFor(one, zone).kind),
  );
}

/** Zones with a server that could not be looked up because another lookup was pending. */
function dependentZones({ resolutions }: Evidence): readonly Name[] {
  return resolutions
    .filter(
      ({ failed, notLookedUp }) =>
        notLookedUp.length > 0 || failed.some((end) => causeOf(end).kind === 'loop'),
    )
    .map(({ zone }) => zone);
}

function broken({ scope, contacts, referrals }: Evidence, zone: Name): Draft {
  const asked = contacts.filter((contact) => contact.zone === zone).flatMap(({ observed }) => observed);
  return {
    zone,
    problem: `No name server of ${plain(zone)} gives a usable reply${overFamilies(scope)}, so nothing in the zone can be looked up`,
    advice: 'Repair its name servers or correct its delegation',
    proof: exchangesOf(asked.length > 0 ? asked : (referrals.get(zone) ?? [])),
  };
}

function rcodeOf({ meaning }: Observation): string | undefined {
  return meaning.kind === 'error' ? meaning.rcode : undefined;
}

function isLame({ meaning }: Observation, reasons: readonly LameReason[]): boolean {
  return meaning.kind === 'lame' && reasons.includes(meaning.reason);
}

function referredTo({ zone, meaning }: Observation): string {
  const to = meaning.kind === 'lame' ? meaning.referredTo : undefined;
  return to === undefined || to === zone ? 'the zone itself' : plain(to);
}

/** Whether the name asked is in a zone below the server's, as referrals or the reply itself show. */
function isBelowCut(
  { zone, exchanged }: Pick<Observation, 'zone' | 'exchanged'>,
  { cuts }: Evidence,
): boolean {
  const { outcome, question } = exchanged;
  if (outcome.kind !== 'reply') return false;
  const owners = outcome.authority.filter(({ type }) => type === 'NS').map((record) => record.name);
  return [...owners, ...(cuts.get(zone) ?? [])].some(
    (cut) => isBelow(cut, zone) && isAtOrBelow(question.name, cut),
  );
}

/** Owner and type of the records whose data does not fit their type, and why not. */
function misfitsIn({ exchanged: { outcome } }: Observation): readonly string[] {
  if (outcome.kind !== 'reply') return [];
  const { answer, authority, additional } = outcome;
  const misfits = [...misfitsOf(answer), ...misfitsOf(authority), ...misfitsOf(additional)];
  return misfits.length === 0 ? misfits : [...new Set(misfits)];
}

/** By section: servers of a zone usually refer alike, and many names can stand for one address. */
const misfitsOf = oncePer((section: Records) => section.filter(isMisfit).map(misfitText));

function misfitText(record: ResourceRecord): string {
  const reason = reasonOfMisfit(record);
  return reason === undefined ? asked(record) : `${asked(record)}: ${reason}`;
}

function isMisfit(record: ResourceRecord): boolean {
  return record.class === undefined && !fitsType(record);
}
