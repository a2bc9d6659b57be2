/* Words for the parts of a reply that a chain of trust shows: keys, DS records, data or a denial, with their signatures. */

import { algorithmName } from '../../dns/codes.ts';
import {
  digestName,
  isEntryPoint,
  isRevoked,
  rsaBits,
  type ZoneKey,
  zoneKeysIn,
} from '../../dns/dnssec/keys.ts';
import { type Rrset, rrsetsIn, type Signature, signaturesOf } from '../../dns/dnssec/rrset.ts';
import { signedOwner, validityAt } from '../../dns/dnssec/verify.ts';
import { questionKey } from '../../dns/message.ts';
import { isAtOrBelow, type Name } from '../../dns/name.ts';
import { fitsType, type Records, type ResourceRecord } from '../../dns/record.ts';
import type { ExchangeRow } from '../../document/exchanges.ts';
import { type Finding, onlyCauseOf } from '../../document/finding.ts';
import type { TraversalResult } from '../../document/result.ts';
import type { AddressRow, StepRow } from '../../document/steps.ts';
import { grouped } from '../../document/words/lists.ts';
import { shortened } from '../../document/words/shortened.ts';
import { HEADINGS } from '../../findings/catalogue.ts';
import { mainWalk, type ResultIndex, resultIndex } from './result-index.ts';

/** A record in words, or nothing, and a signature beside it. */
export interface ChainLine {
  readonly what: string;
  readonly signature?: SignatureWords;
}

/** A signature: the tag of its key, and from when until when it is valid. */
interface SignatureWords {
  readonly by: string;
  readonly valid: string;
}

/** The time and the keys by which signatures are judged. */
export interface Judged {
  /** Seconds since 1970. */
  readonly time: number;
  /** The keys of a zone by its name, as any of its servers gives them; absent if nobody was asked. */
  readonly keysOf: (zone: Name) => readonly ZoneKey[] | undefined;
  /** `valid`: of several signatures only those that can have verified. */
  readonly signatures: 'all' | 'valid';
}

type Reply = Pick<ExchangeRow, 'answer' | 'authority'>;

/** The keys in a reply, those that usually sign the others first. */
export function keysIn({ answer }: Reply, zone: Name): readonly ZoneKey[] {
  const records = rrset(answer, zone, 'DNSKEY')?.records ?? [];
  return zoneKeysIn(records).sort(
    (a, b) => Number(isEntryPoint(b)) - Number(isEntryPoint(a)) || a.tag - b.tag,
  );
}

/** The keys of a zone in a reply, with the signatures of the whole set. */
export function keyLines(reply: Reply, zone: Name, judged: Judged): readonly ChainLine[] {
  const keys = keysIn(reply, zone);
  const isSplit = keys.some(isEntryPoint) && !keys.every(isEntryPoint);
  return beside(
    keys.map((key) => keyWords(key, isSplit)),
    rrset(reply.answer, zone, 'DNSKEY'),
    judged,
  );
}

/** "20326 KSK RSASHA256 2048" */
function keyWords(key: ZoneKey, isSplit: boolean): string {
  const role = isEntryPoint(key) ? 'KSK' : 'ZSK';
  const bits = rsaBits(key);
  return [
    key.tag,
    isSplit ? role : 'CSK',
    algorithmName(key.algorithm),
    ...(bits === undefined ? [] : [bits]),
    ...(isRevoked(key) ? ['revoked'] : []),
  ].join(' ');
}

/** The DS records of a zone in a reply, or what denies them. Undefined if the reply has neither. */
export function dsLines(reply: Reply, zone: Name, judged: Judged): readonly ChainLine[] | undefined {
  const found = rrset(reply.answer, zone, 'DS') ?? rrset(reply.authority, zone, 'DS');
  if (found === undefined) {
    const proof = proofLines(reply.authority, judged);
    return proof.length === 0 ? undefined : [{ what: 'none' }, ...proof];
  }
  const signers = found.records.filter(fitsType).map(({ data }) => data);
  return beside(signers.sort().flatMap(dsWords(judged.keysOf(zone))), found, judged);
}

/** DS data in words: "20326 SHA-256" if the zone has a key with that tag and algorithm, else with the algorithm. */
export function dsWords(keys: readonly ZoneKey[] | undefined): (data: string) => readonly string[] {
  return (data) => {
    const [tag, algorithm = 0, digestType = 0] = data.split(' ').map(Number);
    const [signer, digest] = [`${tag} ${algorithmName(algorithm)}`, digestName(digestType)];
    if (keys === undefined) return [`${signer} ${digest}`];
    const isNamed = keys.some((key) => key.tag === tag && key.algorithm === algorithm);
    return isNamed ? [`${tag} ${digest}`] : [signer, `${digest} ${NO_SUCH_KEY}`];
  };
}

const NO_SUCH_KEY = '(no such key)';

/** The data of an answer or an alias, without what follows the alias, or what denies them. */
export function dataLines(
  reply: Pick<ExchangeRow, 'answer' | 'authority' | 'question'>,
  judged: Judged,
): readonly ChainLine[] {
  const { answer = [], authority, question } = reply;
  const own = rrsetsIn(answer).all.filter(({ owner, type }) => owner === question.name || type === 'DNAME');
  const found = own.map((one) =>
    beside([...dataWords(one, question.name), ...wildcardWords(one, judged)], one, judged),
  );
  return [...found.flat(), ...proofLines(authority, judged)];
}

/** The most records of a set that are shown. */
const MOST_RECORDS = 3;

function dataWords({ owner, type, records }: Rrset, asked: Name): readonly string[] {
  const data = records.map((record) => record.data).sort();
  const [shown, more] = [data.slice(0, MOST_RECORDS), data.length - MOST_RECORDS];
  const words = shown.map((one) =>
    type === 'CNAME' || type === 'DNAME'
      ? `${owner === asked ? '' : `${owner} `}${type} ${one}`
      : shortened(one, 'terse'),
  );
  return more > 0 ? [...words, `and ${more} more`] : words;
}

/** "from *.example.", if a wildcard made the records, as their signature shows (RFC 4034 3.1.3). */
function wildcardWords(set: Rrset, judged: Judged): readonly string[] {
  const [signature] = shownOf(signaturesOf(set), judged);
  const signed = signature === undefined ? set.owner : signedOwner(signature, set.owner);
  return signed === set.owner ? [] : [`from ${signed}`];
}

/** What proves that something is missing: NSEC or NSEC3 records, each with its signatures. */
function proofLines(authority: Records = [], judged: Judged): readonly ChainLine[] {
  const proofs = rrsetsIn(authority).all.filter(({ type }) => type === 'NSEC' || type === 'NSEC3');
  return proofs.flatMap((one) => beside(one.records.flatMap(spanWords), one, judged));
}

/** "NSEC a.example." and "to b.example.": between these there is no name. */
function spanWords({ name, type, data }: ResourceRecord): readonly string[] {
  const fields = data.split(' ');
  if (type === 'NSEC') return [`NSEC ${name}`, `to ${fields[0]}`];
  // RFC 5155 3.3: the fifth field. Enough of a hash tells it from others.
  return [`NSEC3 ${name.slice(0, HASH_SHOWN)}… to ${fields[4]?.slice(0, HASH_SHOWN)}…`];
}

const HASH_SHOWN = 6;

function rrset(section: Records | undefined, owner: Name, type: string): Rrset | undefined {
  return section && rrsetsIn(section).find(owner, type);
}

/** Puts a set's signatures beside its records. */
function beside(words: readonly string[], set: Rrset | undefined, judged: Judged): readonly ChainLine[] {
  const signatures = set === undefined ? [] : shownOf(signaturesOf(set), judged);
  return Array.from({ length: Math.max(words.length, signatures.length) }, (_, at) => {
    const signature = signatures[at];
    const what = words[at] ?? '';
    return signature === undefined ? { what } : { what, signature: signatureWords(signature, judged) };
  });
}

/** The most signatures of a set that are shown. */
const MOST_SIGNATURES = 4;

function shownOf(signatures: readonly Signature[], judged: Judged): readonly Signature[] {
  const { time } = judged;
  const valid = signatures.filter(
    (one) => validityAt(time, one.inception, one.expiration) === 'valid' && !lacksKey(one, judged),
  );
  const shown = judged.signatures === 'valid' && valid.length > 0 ? valid : signatures;
  return [...shown].sort((a, b) => a.keyTag - b.keyTag).slice(0, MOST_SIGNATURES);
}

function signatureWords(signature: Signature, judged: Judged): SignatureWords {
  const { keyTag, inception, expiration } = signature;
  const { time } = judged;
  return {
    by: `by ${keyTag}${lacksKey(signature, judged) ? ` ${NO_SUCH_KEY}` : ''}`,
    valid: `${momentWords(inception, time)} to ${momentWords(expiration, time)}`,
  };
}

/** Whether the zone that signed has no key of that tag and algorithm, as far as its keys are known. */
function lacksKey({ signer, keyTag, algorithm }: Signature, { keysOf }: Judged): boolean {
  const keys = keysOf(signer);
  return keys !== undefined && !keys.some((key) => key.tag === keyTag && key.algorithm === algorithm);
}

/** Closer moments have the time of day. */
const NEAR = 2 * 86_400;

/** "2026-12-24", in UTC, with the time of day if that is near. Signatures count seconds modulo 2³² (RFC 4034 3.1.5). */
function momentWords(seconds: number, now: number): string {
  const distance = (seconds - now) | 0;
  const moment = new Date((now + distance) * 1000).toISOString();
  return Math.abs(distance) > NEAR ? moment.slice(0, 10) : moment.slice(0, 16).replace('T', ' ');
}

/** The parts of a result from which its chain of trust is made. */
export class ChainEvidence {
  readonly index: ResultIndex;
  /** Those of the main walk. */
  readonly steps: readonly StepRow[];
  readonly #result: TraversalResult;
  /** The exchanges about the keys and the DS records of a name, by question. */
  readonly #asked: ReadonlyMap<string, readonly ExchangeRow[]>;
  readonly #keys: ReadonlyMap<Name, readonly ZoneKey[]>;
  readonly #time: number;

  constructor(result: TraversalResult) {
    const { options, startedAt } = result;
    this.#result = result;
    this.index = resultIndex(result);
    this.steps = mainWalk(this.index).steps;
    this.#time = Math.floor(Date.parse(options.at ?? startedAt) / 1000);
    const asked = grouped(this.#aboutProof(), ({ question }) => questionKey(question));
    this.#asked = new Map(asked.map((same) => [questionKey(same[0].question), same]));
    const keys = asked.flatMap((same): readonly (readonly [Name, readonly ZoneKey[]])[] => {
      const [{ question }] = same;
      const known = same.flatMap((row) => keysIn(row, question.name));
      return question.type === 'DNSKEY' && known.length > 0 ? [[question.name, known]] : [];
    });
    this.#keys = new Map(keys);
  }

  /** Queries for keys and DS records to servers that paths come to, without those that are imagined to be down. */
  #aboutProof(): readonly ExchangeRow[] {
    const rows = this.steps.flatMap(addressesAt);
    const met = new Set(rows.map(({ address }) => address));
    const isDown = (row: AddressRow) =>
      row.class === 'timeout' && this.index.exchange(row)?.failure === undefined;
    for (const { address } of rows.filter(isDown)) met.delete(address);
    const referrals = new Set(rows.flatMap((row) => (row.class === 'referral' ? row.exchange : []) ?? []));
    return this.#result.exchanges.filter(
      ({ id, server, question: { type } }) =>
        (type === 'DNSKEY' || type === 'DS') && met.has(server.address) && !referrals.has(id),
    );
  }

  /** Queries for the keys or the DS records of a name. */
  about(name: Name, type: 'DNSKEY' | 'DS'): readonly ExchangeRow[] {
    return this.#asked.get(questionKey({ name, type })) ?? [];
  }

  /** Zones at or above a name to which no referral leads, because servers of a zone above have them, too. */
  zonesAbove(name: Name): readonly Name[] {
    const rows = [...this.#asked.values()].flat();
    return rows
      .filter((row) => isAtOrBelow(name, row.question.name) && isZone(row))
      .map((row) => row.question.name);
  }

  judged(signatures: Judged['signatures']): Judged {
    return { time: this.#time, keysOf: (zone) => this.#keys.get(zone), signatures };
  }

  /** The records of the root that validating begins with. */
  anchors() {
    return (this.#result.options.trustAnchors ?? []).map((anchor) => {
      const [, type = '', data = ''] = ANCHOR.exec(anchor) ?? [];
      return { type, data };
    });
  }

  /**
   * The codes of findings that tell more of these exchanges: the DNSSEC findings that they prove; if `all` are wanted and each
   * of these follows from another finding, the causes, which may be none of DNSSEC, such as a closed port.
   */
  codes(exchanges: readonly ExchangeRow[], wanted: 'causes' | 'all'): readonly string[] {
    const ids = new Set(exchanges.map(({ id }) => id));
    const proven = this.#result.findings.filter(
      (finding) => Object.hasOwn(HEADINGS.DNSSEC, finding.code) && finding.evidence.some((id) => ids.has(id)),
    );
    const causes = proven.filter((finding) => onlyCauseOf(finding) === undefined);
    const shown = causes.length > 0 || wanted === 'causes' ? causes : proven.map((one) => this.#causeOf(one));
    return [...new Set(shown.map(({ code }) => code))].slice(0, MOST_CODES);
  }

  #causeOf(finding: Finding): Finding {
    return this.#result.findings.find(({ id }) => id === onlyCauseOf(finding)) ?? finding;
  }
}

/** As `parseTrustAnchors` writes them. */
const ANCHOR = /^\. IN (DS|DNSKEY) (.*)$/;

/** The most findings that a link refers to. */
const MOST_CODES = 2;

/** Every address of a step. */
export function addressesAt({ nameservers }: StepRow): readonly AddressRow[] {
  return nameservers.flatMap(({ addresses }) => addresses);
}

/** Whether a question about keys or DS records shows that there is a zone. */
function isZone({ question: { name, type }, answer, security }: ExchangeRow): boolean {
  if (type === 'DNSKEY' || security?.status === 'insecure') return true;
  return answer?.some((record) => record.type === 'DS' && record.name === name) ?? false;
}
