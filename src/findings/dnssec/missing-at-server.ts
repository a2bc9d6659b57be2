/* Checks whether one server of a zone lacks records that validation needs, and others return. */

import { familyOf } from '../../dns/address.ts';
import type { Name } from '../../dns/name.ts';
import { grouped, listed } from '../../document/words/lists.ts';
import { asked, plain, withAddress } from '../../document/words/names.ts';
import type { Exchanged, Transport } from '../../exchange/exchanged.ts';
import { queryKey } from '../../exchange/query.ts';
import { meaningFor } from '../../explore/classify.ts';
import { type FailedMeaning, isFailure, isUsable, type Meaning } from '../../explore/meaning.ts';
import type { Checks, Draft } from '../check.ts';
import {
  askedExchanges,
  contactAsked,
  type Evidence,
  isOwnTrouble,
  isTurnedAway,
  isWorking,
  type ReplySet,
  triesOver,
} from '../evidence.ts';
import { lossyAddresses } from '../servers.ts';
import { askedIn, type ServerVerdict, signaturesIn } from './verdicts.ts';

/** Does each server of a signed zone return all records that validation needs? */
export const MISSING_CHECKS = {
  DNSSEC_MISSING_AT_SERVER: missingAtServer,
} satisfies Checks;

/** Records that one server does not return, and others of the zone do. */
interface Lack extends Pick<ServerVerdict, 'zone' | 'server' | 'exchanged'> {
  readonly what: string;
  readonly advice: string;
  /** Whether resolvers validate what the others return. */
  readonly matters: boolean;
}

/**
 * DNSSEC_MISSING_AT_SERVER: a server that works returns no keys, DS records, proof or signatures where others of the zone
 * do. Replies that do not validate for want of them are findings of their own.
 */
function missingAtServer(evidence: Evidence): readonly Draft[] {
  if (evidence.evaluation.validation === undefined) return [];
  const lacks = [...unansweredIn(evidence), ...unsignedIn(evidence)];
  return grouped(lacks, ({ zone, server }) => `${zone} ${server.address}`).map((all): Draft => {
    const [{ zone, server }] = all;
    const most = all.find(({ matters }) => matters) ?? all[0];
    const cost = most.matters
      ? 'so validating resolvers must send further queries, and their users wait'
      : 'which will delay users of validating resolvers once the parent has DS records for the zone';
    return {
      zone,
      server,
      ...(most.matters ? {} : { severity: 'notice' }),
      problem: `${withAddress(server)} does not return ${listed(all.map(({ what }) => what))}, although other servers of ${plain(zone)} do, ${cost}`,
      advice: most.advice,
      proof: all.map(({ exchanged }) => exchanged),
    };
  });
}

const ADVICE = {
  tcp: 'Open TCP port 53 on that server and in its firewall',
  silence:
    'Make that server reply to queries for DNSKEY and DS records, and let nothing in front of it drop large replies',
  content: 'Make that server load the signed zone, and update its software if it does not know DNSSEC',
} as const;

/** Queries for keys and DS records to which other servers reply, and this one does not. */
function unansweredIn(evidence: Evidence): readonly Lack[] {
  const { contacts, recording } = evidence;
  const asked = askedExchanges(recording).flatMap((exchanged) => {
    const { type } = exchanged.question;
    if ((type !== 'DNSKEY' && type !== 'DS') || recording.unasked.has(queryKey(exchanged))) return [];
    const where = askedIn(exchanged, evidence);
    const contact = contactAsked(exchanged, contacts);
    // A server that does not work at all is a finding of its own, and one above the zone refers on.
    if (!contact?.observed.some(isWorking) || contact.zone !== where?.zone) return [];
    return [{ ...where, exchanged, meaning: meaningFor(exchanged, where.zone) }];
  });
  return grouped(asked, ({ zone, exchanged: { question } }) => `${zone} ${question.name} ${question.type}`)
    .filter((alike) => alike.some(({ exchanged, meaning }) => gives(exchanged, meaning)))
    .flatMap((alike) =>
      alike.flatMap(({ zone, server, exchanged, meaning }): readonly Lack[] => {
        if (!isFailure(meaning) || !isProven(exchanged, evidence)) return [];
        const { name, type } = exchanged.question;
        const { why, advice } = reasonOf(exchanged, meaning);
        const what = `the ${type} records of ${plain(name)} (${why})`;
        return [{ zone, server, exchanged, what, advice: ADVICE[advice], matters: true }];
      }),
    );
}

/** A denial of DS records serves as well as the records. */
function gives({ question }: Exchanged, { kind }: Meaning): boolean {
  return kind === 'answer' || (question.type === 'DS' && (kind === 'nodata' || kind === 'nxdomain'));
}

/** Whether it is the server that does not reply, rather than packets that were lost or that this network drops. */
function isProven(exchanged: Exchanged, evidence: Evidence): boolean {
  const { outcome, address } = exchanged;
  if (outcome.kind === 'reply' || outcome.kind === 'malformed') return true;
  const tries = triesOver(lastTransport(exchanged), exchanged);
  if (tries.length === 0 || tries.every(isOwnTrouble)) return false;
  return lastTransport(exchanged) === 'tcp'
    ? evidence.reachedOverTcp.has(familyOf(address)) || tries.some(isTurnedAway)
    : !lossyAddresses(evidence).has(address);
}

/** TCP if the server could be asked, and its reply was truncated. */
function lastTransport({ tries }: Exchanged): Transport {
  return tries.at(-1)?.transport ?? 'udp';
}

interface Reason {
  readonly why: string;
  readonly advice: keyof typeof ADVICE;
}

/** The reason for which there is no usable reply. */
function reasonOf(exchanged: Exchanged, meaning: FailedMeaning): Reason {
  switch (meaning.kind) {
    case 'error':
      return { why: meaning.rcode, advice: 'content' };
    case 'lame':
      return {
        why: meaning.reason === 'empty' ? 'an empty reply' : 'a referral instead',
        advice: 'content',
      };
    case 'malformed':
      return { why: 'the reply is broken or cut short', advice: 'silence' };
    case 'timeout':
    case 'unreachable':
      return lastTransport(exchanged) === 'tcp'
        ? { why: `too large for UDP, and ${tcpWords(exchanged)}`, advice: 'tcp' }
        : { why: 'no reply', advice: 'silence' };
  }
}

function tcpWords(exchanged: Exchanged): string {
  const tries = triesOver('tcp', exchanged);
  if (tries.some(({ outcome }) => outcome.kind === 'closed')) return 'cut short over TCP';
  return tries.some(isTurnedAway) ? 'TCP is refused' : 'no reply over TCP';
}

/** Replies without signatures, where other servers sign the same reply. */
function unsignedIn(evidence: Evidence): readonly Lack[] {
  const verdicts = evidence.evaluation.validation?.verdicts;
  const statusOf = (exchanged: Exchanged) => verdicts?.get(queryKey(exchanged))?.status;
  return [...evidence.replySets.values()].flatMap(({ zone, question, observed }: ReplySet) => {
    const usable = observed.filter(({ meaning }) => isUsable(meaning.kind));
    return usable.flatMap(({ server, exchanged, meaning }): readonly Lack[] => {
      const { kind } = meaning;
      if (isSignedBy(zone, exchanged) || statusOf(exchanged) === 'bogus') return [];
      const signed = usable.filter(
        (one) => areAlike(one.meaning, meaning) && isSignedBy(zone, one.exchanged),
      );
      if (signed.length === 0) return [];
      const what =
        kind === 'referral'
          ? `DS records, or a proof that there are none, in referrals for ${plain(question.name)}`
          : `signatures for ${asked(question)}`;
      const matters = signed.some((one) => statusOf(one.exchanged) === 'secure');
      return [{ zone, server, exchanged, what, advice: ADVICE.content, matters }];
    });
  });
}

/** Whether two replies say the same kind of thing; who serves a zone below refers further, with the signatures of that zone. */
function areAlike(one: Meaning, other: Meaning): boolean {
  if (one.kind !== 'referral' || other.kind !== 'referral') return one.kind === other.kind;
  return one.delegation.zone === other.delegation.zone;
}

/** Behind an alias there can be signatures of another zone. */
function isSignedBy(zone: Name, exchanged: Exchanged): boolean {
  return signaturesIn(exchanged).some(({ signature }) => signature.signer === zone);
}
