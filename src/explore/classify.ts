import type { Failure, Reply } from '../exchanged.ts';
import { isAtOrBelow, isBelow, labelCount, type Name } from '../wire/name.ts';
import type { Question } from '../wire/question.ts';
import { fitsType, type ResourceRecord, targetOf } from '../wire/record.ts';
import { addressIn } from './addresses.ts';
import { type Delegation, delegationOf } from './delegation.ts';
import { followAliases } from './follow-aliases.ts';
import type { LameReason, Meaning } from './meaning.ts';

/**
 * What an exchange means for `question` put to a server of `zone`. The first rule of svc-model(7),
 * EXCHANGES that fits wins; the comments have its number. The same exchange can mean something else for
 * another zone.
 */
export function classify(outcome: Reply | Failure, question: Question, zone: Name): Meaning {
  // 1
  if (outcome.kind !== 'reply') return { kind: outcome.kind };
  // 2
  if (outcome.rcode !== 'NOERROR' && outcome.rcode !== 'NXDOMAIN') {
    return { kind: 'error', rcode: outcome.rcode };
  }
  const answer = outcome.answer.filter(isInternet);
  const authority = outcome.authority.filter(isInternet);
  // 3
  const { aliases, reached, end } = followAliases(answer, question, zone);
  if (end === 'came-back') return { kind: 'alias-loop', target: reached };
  // 4
  const records = isAtOrBelow(reached, zone) ? recordsAt(answer, reached, question.type) : [];
  const authoritative = outcome.flags.includes('aa');
  if (records.length > 0) return { kind: 'answer', records, aliases, authoritative };
  // 5
  if (aliases.length > 0) return { kind: 'alias', target: reached };
  // 6
  if (outcome.rcode === 'NXDOMAIN') return { kind: 'nxdomain' };
  // 7, RFC 2308 2.2
  if (authority.some((record) => record.type === 'SOA')) return { kind: 'nodata' };
  // 8
  const nameservers = authority.filter((record) => record.type === 'NS' && fitsType(record));
  const cut = deepestCut(nameservers, question.name, zone);
  if (cut !== undefined) {
    return { kind: 'referral', delegation: delegationAt(cut, nameservers, outcome.additional, zone) };
  }
  // 9
  const [first] = nameservers;
  if (first !== undefined) {
    return { kind: 'lame', reason: direction(first.name, zone), referredTo: first.name };
  }
  // 10, 11
  return authoritative ? { kind: 'nodata' } : { kind: 'lame', reason: 'empty' };
}

function isInternet(record: ResourceRecord): boolean {
  return record.class === undefined;
}

function recordsAt(answer: readonly ResourceRecord[], name: Name, type: string): ResourceRecord[] {
  return answer.filter((record) => record.name === name && isOfType(record, type));
}

/** RRSIG records are content only for those who ask for them: they come along with other types unasked. */
function isOfType(record: ResourceRecord, type: string): boolean {
  return record.type === type || (type === 'ANY' && record.type !== 'RRSIG');
}

function deepestCut(nameservers: readonly ResourceRecord[], name: Name, zone: Name): Name | undefined {
  return nameservers
    .map((record) => record.name)
    .filter((owner) => isBelow(owner, zone) && isAtOrBelow(name, owner))
    .sort((a, b) => labelCount(b) - labelCount(a))[0];
}

function delegationAt(
  cut: Name,
  nameservers: readonly ResourceRecord[],
  additional: readonly ResourceRecord[],
  zone: Name,
): Delegation {
  const glue = new Map<Name, string[]>();
  for (const record of nameservers) {
    const target = targetOf(record);
    if (record.name === cut && target !== undefined) glue.set(target, []);
  }
  for (const record of additional) {
    const address = addressIn(record);
    // A server is believed only about the zone it was asked for (RFC 2181 5.4.1, RFC 9471 2).
    if (address !== undefined && isAtOrBelow(record.name, zone)) glue.get(record.name)?.push(address);
  }
  return delegationOf(cut, glue);
}

function direction(referredTo: Name, zone: Name): Exclude<LameReason, 'empty'> {
  if (referredTo === zone) return 'self';
  return isBelow(zone, referredTo) ? 'upward' : 'sideways';
}
