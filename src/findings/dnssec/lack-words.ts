/* Puts into words which NSEC and NSEC3 records a reply brings, and what they lack. */

import type { Lack } from '../../dns/dnssec/denial-lack.ts';
import { denialRecords, denialRrsets, type Nsec, type Nsec3 } from '../../dns/dnssec/denial-records.ts';
import type { Keys } from '../../dns/dnssec/keys.ts';
import { FailedChecks, type Validation } from '../../dns/dnssec/validation.ts';
import type { ReplyToValidate } from '../../dns/dnssec/verdict.ts';
import { listed } from '../../document/words/lists.ts';
import { plain } from '../../document/words/names.ts';

/** The records that a reply brings to prove something: those that count, in words, and the type of those that do not. */
export interface ProofRecords {
  readonly counting: readonly string[];
  readonly type: 'NSEC' | 'NSEC3';
  readonly sent: number;
}

export function recordsIn({ authority }: ReplyToValidate, keys: Keys, validation: Validation): ProofRecords {
  const { nsecs, nsec3s } = denialRecords(authority, keys, { ...validation, failed: new FailedChecks() });
  const sent = denialRrsets(authority);
  return {
    counting: nsecs.length > 0 ? nsecs.map(rangeOf) : nsec3s.map(hashRangeOf),
    type: nsecs.length > 0 || !sent.some(({ type }) => type === 'NSEC3') ? 'NSEC' : 'NSEC3',
    sent: sent.length,
  };
}

function rangeOf({ owner, next }: Nsec): string {
  return `${plain(owner)} to ${plain(next)}`;
}

function hashRangeOf({ hash, next }: Nsec3): string {
  const [from, to] = [shortHash(hash), shortHash(next)];
  // Records that servers make for each reply span next to nothing (RFC 7129, appendix B).
  return from === to ? `${hash} to ${next}` : `${from} to ${to}`;
}

function shortHash(hash: string): string {
  return hash.slice(0, SHOWN_OF_HASH);
}

/** Characters of a hash that a sentence has room for, and that tell the hashes of a reply apart. */
const SHOWN_OF_HASH = 8;

/** Records that a sentence has room for. */
const MOST_RECORDS = 2;

/** What a proof lacks: "its NSEC record (a to www.a) does not cover the wildcard *.a". */
export function lackWords(lack: Lack, { counting, type, sent }: ProofRecords): string {
  if (lack.kind === 'no-record')
    return sent === 0
      ? 'it sends no NSEC or NSEC3 record'
      : `none of its ${type} records counts (${UNUSABLE[type]})`;
  const isOne = counting.length < 2;
  const subject =
    counting.length === 0
      ? 'the reply'
      : `its ${type} ${isOne ? 'record' : 'records'} (${listed(counting, MOST_RECORDS)})`;
  const [verb, no] = isOne ? (['s', 'does not'] as const) : (['', 'do not'] as const);
  switch (lack.kind) {
    case 'not-covered':
      return `${subject} ${no} cover ${nameWords(lack)}`;
    case 'not-matched':
      return lack.of === 'closest-encloser'
        ? `${subject} ${no} match a name above ${plain(lack.name)}, its closest encloser`
        : `${subject} ${no} match ${nameWords(lack)}`;
    case 'exists':
      return `${subject} show${verb} that ${nameWords(lack)} exists`;
    case 'has-type':
      return `${subject} list${verb} ${lack.type} among the types of ${nameWords(lack)}`;
    case 'other-side':
      return lack.side === 'child'
        ? `${subject} came from the zone ${plain(lack.name)} itself (SOA is among its types), but DS belongs to the parent`
        : `${subject} ${isOne ? 'is' : 'are'} of the parent's side of the zone cut at ${plain(lack.name)} (NS without SOA), which can deny only DS`;
    case 'no-cut':
      return `${subject} show${verb} no delegation at ${plain(lack.name)} (NS is not among its types)`;
    case 'ends-authority':
      return `${subject} say${verb} nothing about names below ${plain(lack.name)}, a delegation or DNAME`;
    case 'nearer-name':
      return `${subject} show${verb} that ${plain(lack.name)} exists, so ${plain(lack.wildcard)} does not apply`;
    case 'no-opt-out':
      return `${subject} ${no} have Opt-Out set over ${plain(lack.name)} (hash ${shortHash(lack.hash)})`;
  }
}

/** Why records are of no use to a validator (RFC 4035 5.3, RFC 5155 8.1 and 8.2). */
const UNUSABLE = {
  NSEC: 'not validly signed, or made by a wildcard',
  NSEC3: 'not validly signed, or with a hash algorithm, flags or an owner that validators do not know',
} as const;

/** "the wildcard *.a (hash 0p9mhave)" */
function nameWords({ of, name, hash }: Extract<Lack, { of: unknown }> & { readonly hash?: string }): string {
  const shown = hash === undefined ? '' : ` (hash ${shortHash(hash)})`;
  return `${OF[of]}${plain(name)}${shown}`;
}

const OF = {
  name: '',
  'next-closer': 'the next closer name ',
  wildcard: 'the wildcard ',
  'closest-encloser': 'the closest encloser of ',
} as const;

/** The remedy of most denials. */
export const SIGN_AGAIN = 'Sign the zone again, and update the software of the server';

/** What helps against a lack. */
export function adviceFor(lack: Lack): string {
  switch (lack.kind) {
    case 'no-record':
      return 'Make the server load the signed zone and return NSEC or NSEC3 records to queries that ask for them, and let nothing in front of it strip them';
    case 'exists':
    case 'has-type':
      return 'Make every server load the same version of the signed zone, sign the zone again, and update the software of the server';
    case 'other-side':
      return lack.side === 'child'
        ? 'Update the software of the server: it must answer DS questions from the parent zone'
        : SIGN_AGAIN;
    case 'no-cut':
      return 'Add the NS records of the delegation to the signed zone, and sign it again';
    case 'no-opt-out':
      return 'Sign the zone again, with an NSEC3 record for each delegation or with Opt-Out';
    case 'not-covered':
    case 'not-matched':
    case 'ends-authority':
    case 'nearer-name':
      return SIGN_AGAIN;
  }
}
