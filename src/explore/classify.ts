/* Says what a reply means for a zone. */

import { getOrMake } from '../base/memo.ts';
import type { Question } from '../dns/message.ts';
import { isAtOrBelow, isBelow, type Name, parentOf } from '../dns/name.ts';
import { fitsType, type Records, type ResourceRecord, recordsWhere, targetOf } from '../dns/record.ts';
import type { Exchanged, Failure, Reply } from '../exchange/exchanged.ts';
import { addressIn } from './addresses.ts';
import { firstAlias } from './aliases.ts';
import { type Delegation, delegationOf } from './delegation.ts';
import type { LameReason, Meaning } from './meaning.ts';

/**
 * What an exchange means for a zone. Exploring, events and evaluation all ask this of the same
 * exchanges, wherever paths meet them, so each is read once and classified once per zone, and keeps what
 * it means for as long as it lives.
 */
export function meaningFor(exchanged: Exchanged, zone: Name): Meaning {
  const { classify, meanings } = getOrMake(known, exchanged, () => {
    return { classify: classifier(exchanged.outcome, exchanged.question), meanings: new Map() };
  });
  return getOrMake(meanings, zone, () => classify(zone));
}

/** An exchange as it was read for its question, and what it turned out to mean by zone. */
interface Known {
  readonly classify: Classifier;
  readonly meanings: Map<Name, Meaning>;
}

const known = new WeakMap<Exchanged, Known>();

/** Whether a reply shows that the server serves some zone. */
export function servesSomeZone({ outcome }: Exchanged): boolean {
  if (outcome.kind !== 'reply' || !outcome.flags.includes('aa')) return false;
  return outcome.rcode === 'NOERROR' || outcome.rcode === 'NXDOMAIN';
}

/** Whether a reply says that the server does not serve the zone, or cannot. */
export function disownsZone(exchanged: Exchanged, zone: Name): boolean {
  if (!isAtOrBelow(exchanged.question.name, zone)) return false;
  const meaning = meaningFor(exchanged, zone);
  if (meaning.kind === 'lame') return true;
  return meaning.kind === 'error' && DISOWNING.has(meaning.rcode);
}

const DISOWNING: ReadonlySet<string> = new Set(['REFUSED', 'SERVFAIL', 'NOTAUTH']);

/** What an exchange means for a zone that its server was asked for. */
type Classifier = (zone: Name) => Meaning;

/**
 * Reads an exchange for its question once, and tells then what it means for each zone: by the first rule
 * of svc-model(7), EXCHANGES that fits; the comments have its number. Of a reply's records only those
 * are kept that matter to the question, because there may be thousands, and many zones.
 */
export function classifier(outcome: Reply | Failure, question: Question): Classifier {
  // 1
  if (outcome.kind !== 'reply') return failed(outcome);
  const { rcode } = outcome;
  // 2
  if (rcode !== 'NOERROR' && rcode !== 'NXDOMAIN') return () => ({ kind: 'error', rcode });
  const answered = answers(outcome, question);
  let rest: Classifier | undefined;
  return (zone) => {
    const meaning = answered(zone);
    if (meaning !== undefined) return meaning;
    rest ??= withoutAnswer(outcome, question);
    return rest(zone);
  };
}

function failed({ kind }: Failure): Classifier {
  return () => ({ kind });
}

function answers({ answer, flags }: Reply, question: Question): (zone: Name) => Meaning | undefined {
  if (answer.length === 0) return () => undefined;
  const { name, type } = question;
  const alias = firstAlias(answer, question);
  const isAnswer = (record: ResourceRecord) =>
    record.name === name && isOfType(record, type) && isInternet(record);
  const records = recordsWhere(answer, isAnswer);
  const authoritative = flags.includes('aa');
  const answered: Meaning | undefined =
    records.length === 0 ? undefined : { kind: 'answer', records, authoritative };
  return (zone) => {
    // 3, 4
    if (alias !== undefined && isAtOrBelow(alias.owner, zone)) {
      const { target } = alias;
      return { kind: target === name ? 'alias-loop' : 'alias', target };
    }
    // 5
    return isAtOrBelow(name, zone) ? answered : undefined;
  };
}

function withoutAnswer({ rcode, flags, authority, additional }: Reply, question: Question): Classifier {
  const { hasSoa, nameservers, cuts } = authorityIn(authority, additional);
  const cut = deepestCut(nameservers, question.name);
  const referral =
    cut === undefined ? undefined : getOrMake(cuts, cut, () => referralTo(cut, nameservers, additional));
  const referredTo = nameservers[0]?.name;
  const isAuthoritative = flags.includes('aa');
  return (zone) => {
    // 6
    if (rcode === 'NXDOMAIN') return { kind: 'nxdomain' };
    // 7, RFC 2308 2.2
    if (hasSoa) return { kind: 'nodata' };
    // 8
    const delegation = referral?.(zone);
    if (delegation !== undefined) return { kind: 'referral', delegation };
    // 9
    if (referredTo !== undefined) return { kind: 'lame', reason: direction(referredTo, zone), referredTo };
    // 10, 11
    return isAuthoritative ? { kind: 'nodata' } : { kind: 'lame', reason: 'empty' };
  };
}

/** What the authority section of replies says whatever the question is. */
interface Authority {
  readonly additional: Records;
  readonly hasSoa: boolean;
  readonly nameservers: readonly ResourceRecord[];
  /** What it delegates by each cut that some question is below, by the zone that a server was asked for. */
  readonly cuts: Map<Name, Referral>;
}

const authorities = new WeakMap<Records, Authority>();

/** Many replies can have the same sections, which are looked through once. */
function authorityIn(authority: Records, additional: Records): Authority {
  const before = authorities.get(authority);
  if (before?.additional === additional) return before;
  const meaningful = authority.filter((record) => MEANINGFUL.has(record.type) && isInternet(record));
  const hasSoa = meaningful.some(({ type }) => type === 'SOA');
  const nameservers = meaningful.filter((record) => record.type === 'NS' && fitsType(record));
  const read = { additional, hasSoa, nameservers, cuts: new Map<Name, Referral>() };
  authorities.set(authority, read);
  return read;
}

/** The types that mean something in an authority section. */
const MEANINGFUL: ReadonlySet<string> = new Set(['SOA', 'NS']);

function isInternet(record: ResourceRecord): boolean {
  return record.class === undefined;
}

/** RRSIG records are content only for those who ask for them: they come along with other types unasked. */
function isOfType(record: ResourceRecord, type: string): boolean {
  return record.type === type || (type === 'ANY' && record.type !== 'RRSIG');
}

/** What is delegated, by the zone that the server was asked for; nothing by one that is not above the cut. */
type Referral = (zone: Name) => Delegation | undefined;

function referralTo(cut: Name, nameservers: readonly ResourceRecord[], additional: Records): Referral {
  const targets = nameservers.filter((record) => record.name === cut).map(targetOf);
  const glue = new Map<Name, string[]>(
    targets.flatMap((target) => (target === undefined ? [] : [[target, []]])),
  );
  for (const record of additional) {
    const addresses = glue.get(record.name);
    const address = addresses && addressIn(record);
    if (address !== undefined) addresses?.push(address);
  }
  // The zones above one cut lie above each other: those that believe as much glue believe the same.
  const known = new Map<number, Delegation>();
  return (zone) => {
    if (!isBelow(cut, zone)) return undefined;
    // A server is believed only about the zone it was asked for (RFC 2181 5.4.1, RFC 9471 2).
    const believed = [...glue.keys()].filter((target) => isAtOrBelow(target, zone));
    return getOrMake(known, believed.length, () => {
      const within = new Set(believed);
      return delegationOf(
        cut,
        new Map([...glue].map(([target, all]) => [target, within.has(target) ? all : []])),
      );
    });
  };
}

/** The deepest zone with NS records that is or encloses the name. */
function deepestCut(nameservers: readonly ResourceRecord[], name: Name): Name | undefined {
  const owners = new Set(nameservers.map((record) => record.name));
  let cut: Name | undefined = name;
  while (cut !== undefined && !owners.has(cut)) cut = parentOf(cut);
  return cut;
}

function direction(referredTo: Name, zone: Name): Exclude<LameReason, 'empty'> {
  if (referredTo === zone) return 'self';
  return isBelow(zone, referredTo) ? 'upward' : 'sideways';
}
