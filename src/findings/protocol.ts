/* Checks whether servers speak the protocol, and to whom. */

import { familyOf } from '../dns/address.ts';
import { rejectsEdns } from '../dns/codes.ts';
import { UNDEFINED_OPTION } from '../dns/edns.ts';
import { labelCount, ROOT } from '../dns/name.ts';
import { listed } from '../document/words/lists.ts';
import { plain, withAddress } from '../document/words/names.ts';
import type { Exchanged, Probed, ProbeKind, Reply, Try } from '../exchange/exchanged.ts';
import {
  atProbedServer,
  atRoughExchange,
  atServer,
  type Checks,
  type Draft,
  either,
  everything,
  probedServers,
  type ShownFault,
} from './check.ts';
import {
  type Evidence,
  exchangesOf,
  hasFlag,
  isFinal,
  isLost,
  isTurnedAway,
  type Observation,
  triesOver,
} from './evidence.ts';

/** Do servers speak the protocol, and to whom? */
export const PROTOCOL_CHECKS = {
  PATH_INTERCEPTED: pathIntercepted,
  EDNS_ABSENT_OR_WRONG: ednsWrong,
  REPLY_QUESTION_MISMATCH: atRoughExchange({
    when: (observed) => isIgnoredFor(observed, ['wrong-question', 'wrong-id']),
    problem: ({ server, zone, first }) =>
      `${withAddress(server)} replies to queries for ${plain(zone)} with ${isIgnoredFor(first, ['wrong-question']) ? 'a question' : 'an ID'} that does not match the query`,
    advice: 'Repair that server or the device in front of it, and check whether somebody forges replies',
  }),
  REPLY_MALFORMED: atRoughExchange({
    when: (observed) => flaw(observed) !== undefined,
    problem: ({ server, zone, first }) =>
      `${withAddress(server)} sends broken replies for ${plain(zone)} (${flaw(first)})`,
    advice: 'Repair or replace that server or the device in front of it',
  }),
  NS_MANGLES_CASE: atRoughExchange({
    when: ({ exchanged }) => exchanged.tries.some(({ outcome }) => outcome.kind === 'case-mismatch'),
    problem: ({ server, zone }) =>
      `${withAddress(server)} changes the case of names from queries for ${plain(zone)}, so resolvers that check the case against forgery have to retry`,
    advice: 'Update the software of that server',
    // Probes do not show it: they ask in lower case.
    scope: everything,
  }),
  EDNS_BREAKS: either(
    atRoughExchange({
      when: passesOnlyWithoutEdns,
      problem: ({ server, zone }) =>
        `${withAddress(server)} rejects EDNS queries for ${plain(zone)}, so resolvers have to retry without EDNS`,
      advice: 'Update that server or the firewall in front of it',
      scope: everything,
    }),
    // A server that is silent as long as queries have EDNS.
    atProbedServer({
      probe: 'no-edns',
      when: ({ outcome }) => outcome.kind === 'reply',
      problem: ({ server, zone }) =>
        `${withAddress(server)} does not answer EDNS queries for ${plain(zone)}, only queries without EDNS, so most resolvers get no reply`,
      advice: 'Update that server or the firewall in front of it',
      scope: everything,
    }),
  ),
  // TCP was used because of a truncated reply, by choice or to try it.
  TCP_UNREACHABLE: either(
    atRoughExchange({
      when: ({ exchanged }, evidence) => failsOverTcp(exchanged, evidence),
      problem: noTcp,
      advice: 'Open TCP port 53 on that server and in its firewall',
    }),
    atProbedServer({
      probe: 'tcp',
      when: (probed, zone, evidence) => probed.question.name === zone && failsOverTcp(probed, evidence),
      problem: noTcp,
      advice: 'Open TCP port 53 on that server and in its firewall',
    }),
  ),
  // If recursion was tried and the server declined, its offer means nothing.
  OPEN_RECURSION: either(
    atServer({
      when: (observed, evidence) => hasFlag(observed, 'ra') && !isRecursionTried(observed, evidence),
      problem: ({ server, zone }) =>
        `${withAddress(server)}, a name server of ${plain(zone)}, offers recursion to anyone (RA bit)`,
      advice: 'Disable recursion there or restrict it to its own clients',
    }),
    atProbedServer({
      probe: 'recursion',
      when: ({ outcome }) => outcome.kind === 'reply' && isLookedUp(outcome),
      problem: ({ server, zone }) =>
        `${withAddress(server)}, a name server of ${plain(zone)}, resolves names in other zones for anyone, so it can be abused in attacks on others`,
      advice: 'Disable recursion there or restrict it to its own clients',
    }),
  ),
} satisfies Checks;

type Reason = Try['ignored'][number]['reason'];

function isIgnoredFor({ exchanged }: Observation, reasons: readonly Reason[]): boolean {
  return exchanged.tries.some(({ ignored }) => ignored.some(({ reason }) => reasons.includes(reason)));
}

function flaw({ exchanged }: Observation): string | undefined {
  const broken = exchanged.tries
    .flatMap(({ ignored }) => ignored)
    .find(({ reason }) => reason === 'undecodable' || reason === 'not-a-reply');
  if (broken !== undefined) return broken.detail ?? 'cannot be decoded';
  const truncatedOverTcp = exchanged.tries.some(
    ({ transport, outcome }) => transport === 'tcp' && outcome.kind === 'reply' && outcome.truncated,
  );
  return truncatedOverTcp ? 'truncated over TCP' : undefined;
}

/** Whether the same question fails with EDNS and passes without. */
function passesOnlyWithoutEdns({ exchanged: { tries, outcome } }: Observation): boolean {
  const choked = tries.some(
    (one) => one.edns && one.outcome.kind === 'reply' && rejectsEdns(one.outcome.rcode),
  );
  return choked && outcome.kind === 'reply' && !rejectsEdns(outcome.rcode) && tries.at(-1)?.edns === false;
}

function noTcp({ server, zone }: Pick<ShownFault, 'server' | 'zone'>): string {
  return `${withAddress(server)} does not accept TCP, so resolvers do not get its replies for ${plain(zone)} that are too large for UDP`;
}

/** A refusal proves itself. Silence proves nothing where TCP may not even leave this network. */
function failsOverTcp(exchanged: Exchanged, { reached, reachedOverTcp }: Evidence): boolean {
  const family = familyOf(exchanged.address);
  const tries = triesOver('tcp', exchanged);
  if (tries.length === 0 || !reached.has(family)) return false;
  if (!tries.every((one) => isLost(one) || one.outcome.kind === 'closed')) return false;
  return reachedOverTcp.has(family) || tries.some(isTurnedAway);
}

function isRecursionTried({ server }: Observation, { recording }: Evidence): boolean {
  return recording.probes.some(
    ({ probe, address, outcome }) =>
      probe === 'recursion' && address === server.address && outcome.kind === 'reply',
  );
}

/** Data of a zone that is not the server's own. */
function isLookedUp({ rcode, flags, answer }: Reply): boolean {
  return rcode === 'NOERROR' && !flags.includes('aa') && answer.some(({ type }) => type === 'SOA');
}

/**
 * PATH_INTERCEPTED: every root server that replied behaves like a resolver. Real ones never offer
 * recursion and never give final data without authority. A single one may be at fault itself, so it takes
 * at least two.
 */
function pathIntercepted({ contacts }: Evidence): readonly Draft[] {
  const fromRoot = contacts.filter(({ zone }) => zone === ROOT).flatMap(({ observed }) => observed);
  const replies = fromRoot.filter(({ exchanged }) => exchanged.outcome.kind === 'reply');
  const addresses = new Set(replies.map(({ exchanged }) => exchanged.address));
  if (addresses.size < 2 || !replies.every(isLikeResolver)) return [];
  return [
    {
      zone: ROOT,
      problem:
        'Every root server that replied behaves like a resolver, so something on the network path probably intercepts DNS queries',
      advice: 'Trust nothing in this result, and run it again from another network',
      proof: exchangesOf(replies),
    },
  ];
}

function isLikeResolver(observed: Observation): boolean {
  if (hasFlag(observed, 'ra')) return true;
  // The root has no data of its own below a top-level domain.
  return isFinal(observed) && !hasFlag(observed, 'aa') && labelCount(observed.exchanged.question.name) > 1;
}

/**
 * EDNS_ABSENT_OR_WRONG: the server sends OPT records, but takes a version for its own that it cannot know, or
 * an option that means nothing. A server without OPT records is in its rights (RFC 6891 7), and silence
 * proves nothing.
 */
function ednsWrong(evidence: Evidence): readonly Draft[] {
  const drafts: Draft[] = [];
  for (const { zone, server, probes } of probedServers(evidence)) {
    const wrong = KINDS.flatMap((kind) => {
      const probed = probes.get(kind);
      const mistake = probed?.question.name === zone ? MISTAKES[kind](probed) : undefined;
      return probed === undefined || mistake === undefined ? [] : [{ probed, mistake }];
    });
    if (wrong.length === 0) continue;
    drafts.push({
      zone,
      server,
      problem: `${withAddress(server)}, a name server of ${plain(zone)}, ${listed(wrong.map(({ mistake }) => mistake))}`,
      advice: 'Update the software of that server or the firewall in front of it',
      proof: wrong.map(({ probed }) => probed),
    });
  }
  return drafts;
}

const KINDS = ['edns-version', 'edns-option'] as const satisfies readonly ProbeKind[];

/** What is wrong with the reply to each kind of probe, as a predicate; undefined if nothing is. */
const MISTAKES: Readonly<Record<(typeof KINDS)[number], (probed: Probed) => string | undefined>> = {
  'edns-version': ({ outcome }) => {
    if (outcome.kind !== 'reply' || (outcome.edns?.version ?? 0) > 0) return undefined;
    if (outcome.rcode === 'NOERROR' || outcome.rcode === 'NXDOMAIN')
      return 'answers queries of EDNS version 1 as if it knew that version';
    const isOther = outcome.rcode !== 'BADVERS' && rejectsEdns(outcome.rcode);
    return isOther ? `answers queries of EDNS version 1 with ${outcome.rcode} instead of BADVERS` : undefined;
  },
  'edns-option': ({ outcome }) => {
    if (outcome.kind !== 'reply') return undefined;
    if (outcome.edns?.options.some(({ code }) => code === UNDEFINED_OPTION))
      return 'sends back EDNS options that it cannot know';
    return rejectsEdns(outcome.rcode)
      ? `rejects queries with an EDNS option that it does not know (${outcome.rcode})`
      : undefined;
  },
};
