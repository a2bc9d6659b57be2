import t from 'tap';
import { rdataOctets } from '../../../src/dns/dnssec/canonical.ts';
import { countsAsKey, type Keys, keysOf, zoneKeyIn } from '../../../src/dns/dnssec/keys.ts';
import { NODE_CRYPTO } from '../../../src/dns/dnssec/node-crypto.ts';
import { validateReply } from '../../../src/dns/dnssec/validate-reply.ts';
import { SignatureChecks, type Validation } from '../../../src/dns/dnssec/validation.ts';
import { type Claim, NO_ZONE_FACTS, type Verdict, type ZoneFacts } from '../../../src/dns/dnssec/verdict.ts';
import { parseName } from '../../../src/dns/name.ts';
import { recordLines } from './signing.ts';

/** Validation by Node's cryptography at a moment, as RRSIG records write it. */
export function validationAt(moment: string): Validation {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(moment) ?? [];
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) / 1000;
  return { time, digest: NODE_CRYPTO.digest, checks: new SignatureChecks(NODE_CRYPTO) };
}

/** The keys of a zone out of DNSKEY records, believed without further proof. */
export function keysIn(zone: string, records: string): Keys {
  const octets = recordLines(records).map(rdataOctets);
  const keys = octets.filter((one) => one !== undefined).map(zoneKeyIn);
  return keysOf(parseName(zone), keys.filter(countsAsKey));
}

/** What a reply claims, and the records that it rests on: sections as zone files. */
interface Reply {
  readonly claim: Claim;
  readonly answer?: string;
  readonly authority?: string;
}

export function answer(answer = '', authority = ''): Reply {
  return { claim: { kind: 'answer' }, answer, authority };
}

export function nodata(authority: string): Reply {
  return { claim: { kind: 'nodata' }, authority };
}

export function nxdomain(authority: string): Reply {
  return { claim: { kind: 'nxdomain' }, authority };
}

export function referral(to: string, authority = ''): Reply {
  return { claim: { kind: 'referral', to: parseName(to) }, authority };
}

/** An alias from one name to another. */
export function alias(answer: string, owner: string, target: string): Reply {
  const kind = owner === target ? 'alias-loop' : 'alias';
  return { claim: { kind, link: { owner: parseName(owner), target: parseName(target) } }, answer };
}

/** A reply in a table, to a question such as "www.zone.test A", and its verdict in words. */
export type ReplyRow = readonly [
  says: string,
  question: string,
  reply: Reply,
  is: string,
  knowing?: ZoneFacts,
];

/** Checks the verdict on each reply under the keys of one zone. */
export function checkReplies(title: string, rows: readonly ReplyRow[], keys: Keys, moment: string): void {
  t.test(title, async (t) => {
    const validation = validationAt(moment);
    for (const [says, question, reply, is, knowing] of rows)
      t.equal(verdictText(verdictOn(question, reply, keys, validation, knowing)), is, says);
  });
}

/** What such a reply is under keys. */
export function verdictOn(
  question: string,
  { claim, answer = '', authority = '' }: Reply,
  keys: Keys,
  validation: Validation,
  knowledge: ZoneFacts = NO_ZONE_FACTS,
): Verdict {
  const [name = '', type = ''] = question.split(' ');
  const asked = { name: parseName(name), type };
  const sections = { answer: recordLines(answer), authority: recordLines(authority) };
  return validateReply({ question: asked, claim, ...sections }, keys, knowledge, validation);
}

/** A verdict in a word or two: "secure", "insecure", "bogus expired", "needs cut a.example.". */
export function verdictText(verdict: Verdict): string {
  switch (verdict.kind) {
    case 'good': {
      const trust = verdict.trust === undefined ? '' : `, zone ${verdict.trust.kind}`;
      return `${verdict.security}${trust}`;
    }
    case 'bogus':
      return `bogus ${verdict.reason}`;
    case 'needs':
      return `needs ${verdict.need.kind} ${verdict.need.kind === 'cut' ? verdict.need.name : verdict.need.zone}`;
    case 'unproven':
      return 'unproven';
  }
}
