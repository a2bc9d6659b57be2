import { isAtOrBelow, type Name, parentOf, substituteSuffix } from '../wire/name.ts';
import type { Question } from '../wire/question.ts';
import { targetOf } from '../wire/record.ts';
import type { Bogus } from './bogus.ts';
import type { AliasLink, Claim, JudgedReply } from './claim.ts';
import { FailedChecks } from './failed-checks.ts';
import { judgeDenial } from './judge-denial.ts';
import { judgeReferral } from './judge-referral.ts';
import { judgeRrset } from './judge-rrset.ts';
import { type Judging, type PartVerdict, PROVEN_INSECURE, type Reach } from './judging.ts';
import type { Keys } from './keys.ts';
import type { Knowledge } from './knowledge.ts';
import { type Rrset, rrsetsIn } from './rrset.ts';
import { INSECURE, trustFrom } from './trust.ts';
import type { Validation } from './validation.ts';
import type { Good, Security, Verdict } from './verdict.ts';

/**
 * What a reply to a question put to a server of a zone is under the zone's keys, or what has to be known first:
 * svc-model(7), VALIDATING. The reply must be usable by svc-model(7), RESOLVER VIEW.
 *
 * It is a function of its arguments alone. Whoever wants to know what to ask calls it with what is known so far, for
 * each value that this may have; whoever evaluates, with what was drawn.
 */
export function judgeReply(
  reply: JudgedReply,
  keys: Keys,
  knowledge: Knowledge,
  validation: Validation,
): Verdict {
  const verdict = judge(
    { reply, knowledge, validation: { ...validation, failed: new FailedChecks() } },
    keys,
  );
  // Where a reply to a DS question is insecure, so is whatever is below its name.
  const isInsecureCut =
    verdict.kind === 'good' && verdict.security === 'insecure' && reply.question.type === 'DS';
  return isInsecureCut ? { ...verdict, trust: INSECURE } : verdict;
}

function judge(judging: Judging, keys: Keys): Verdict {
  const { claim, question } = judging.reply;
  switch (claim.kind) {
    case 'answer':
    case 'alias':
    case 'alias-loop':
      return judgeAnswer(claim, keys, judging);
    case 'nxdomain':
    case 'nodata':
      return judgeDenial(claim.kind, reachOf(question.name, question), keys, judging);
    case 'referral':
      return judgeReferral(claim.to, keys, judging);
  }
}

/** RFC 4035 3.1.4.1: DS belongs to the parent's side of a cut. */
function reachOf(name: Name, { type }: Question): Reach {
  return { name, side: type === 'DS' ? 'parent' : 'either' };
}

type Answering = Extract<Claim, { links: unknown }>;

/** Every RRset used must verify. What follows the last alias that does is cut off. */
function judgeAnswer({ kind, links }: Answering, keys: Keys, judging: Judging): Verdict {
  const { question } = judging.reply;
  let security: Security = 'secure';
  let at = question.name;
  for (const [index, link] of links.entries()) {
    const judged = judgeRrset(aliasRrset(at, link, keys, judging), reachOf(at, question), keys, judging);
    if (judged.kind === 'bogus' && index > 0) return cutDown(at, security, judged);
    if (judged.kind !== 'good') return judged;
    security = weaker(security, judged.security);
    at = link.target;
  }
  if (kind !== 'answer') return { kind: 'good', security };
  const judged = judgeRecords(at, keys, judging);
  if (judged.kind === 'bogus' && links.length > 0) return cutDown(at, security, judged);
  if (judged.kind !== 'good') return judged;
  const good: Good = { kind: 'good', security: weaker(security, judged.security) };
  const signers = question.type === 'DS' && links.length === 0 ? recordsAt(at, judging) : [];
  return signers.length === 0
    ? good
    : { ...good, trust: trustFrom(signers.flatMap(({ records }) => records)) };
}

/** What is left of a reply of which what follows an alias does not verify. */
function cutDown(cutDownTo: Name, security: Security, because: Bogus): Good {
  return { kind: 'good', security, cutDownTo, because };
}

function weaker(one: Security, other: Security): Security {
  return one === 'insecure' ? one : other;
}

/** What an alias rests on: its CNAME RRset, or the DNAME RRset that gives it. */
function aliasRrset(at: Name, { owner, target }: AliasLink, keys: Keys, judging: Judging): Rrset {
  const rrsets = rrsetsIn(judging.reply.answer);
  if (owner !== at) return rrsets.find(owner, 'DNAME') ?? missing(owner, 'DNAME');
  return dnameFor(at, target, keys, judging) ?? rrsets.find(at, 'CNAME') ?? missing(at, 'CNAME');
}

/** The DNAME RRset that gives such a CNAME record, and that alone is signed then (RFC 6672 5.3.1). */
function dnameFor(at: Name, target: Name, { zone }: Keys, { reply }: Judging): Rrset | undefined {
  const rrsets = rrsetsIn(reply.answer);
  for (let above = parentOf(at); above !== undefined && isAtOrBelow(above, zone); above = parentOf(above)) {
    const dname = rrsets.find(above, 'DNAME');
    if (dname !== undefined && makes(dname, at, target)) return dname;
  }
  return undefined;
}

function makes({ owner, records }: Rrset, at: Name, target: Name): boolean {
  const suffixes = records.map(targetOf);
  return suffixes.some((suffix) => suffix !== undefined && substituteSuffix(at, owner, suffix) === target);
}

/** The records of an answer, each RRset of them; of type RRSIG, which nobody signs, none. */
function judgeRecords(at: Name, keys: Keys, judging: Judging): PartVerdict {
  const { question } = judging.reply;
  if (question.type === 'RRSIG') return PROVEN_INSECURE;
  let security: Security = 'secure';
  for (const rrset of recordsAt(at, judging)) {
    const judged = judgeRrset(signedFor(rrset, keys, judging), reachOf(at, question), keys, judging);
    if (judged.kind !== 'good') return judged;
    security = weaker(security, judged.security);
  }
  return { kind: 'good', security };
}

function recordsAt(at: Name, { reply: { answer, question } }: Judging): readonly Rrset[] {
  const rrsets = rrsetsIn(answer);
  return question.type === 'ANY'
    ? rrsets.at(at)
    : [rrsets.find(at, question.type) ?? missing(at, question.type)];
}

/** What is signed for an RRset: itself, or the DNAME RRset that gives it if it is a CNAME asked for. */
function signedFor(rrset: Rrset, keys: Keys, judging: Judging): Rrset {
  const [record, another] = rrset.records;
  if (rrset.type !== 'CNAME' || record === undefined || another !== undefined) return rrset;
  const target = targetOf(record);
  return (target && dnameFor(rrset.owner, target, keys, judging)) ?? rrset;
}

/** An RRset that a claim rests on and that is not there: nobody signed it. */
function missing(owner: Name, type: string): Rrset {
  return { owner, type, records: [], signatures: [] };
}
