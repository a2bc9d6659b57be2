/* Says which NSEC and NSEC3 records a reply has, and what they fail to prove. */

import { denialRecords, denialRrsets, type Nsec, type Nsec3 } from '../../dns/dnssec/denial-records.ts';
import type { Keys } from '../../dns/dnssec/keys.ts';
import { FailedChecks, type Validation } from '../../dns/dnssec/validation.ts';
import type { Lack, ReplyToValidate } from '../../dns/dnssec/verdict.ts';
import { listed } from '../../document/words/lists.ts';
import { plain } from '../../document/words/names.ts';

/** The NSEC or NSEC3 records of a reply: the usable ones in words, the type, and how many RRsets the server sent. */
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

/** What a proof lacks: "the reply's NSEC record (a to www.a) does not cover the wildcard *.a". */
export function lackWords(lack: Lack, { counting, type, sent }: ProofRecords): string {
  if (lack.kind === 'no-record')
    return sent === 0
      ? 'the reply has no NSEC or NSEC3 record'
      : `none of the reply's ${type} records is usable (${UNUSABLE[type]})`;
  const isOne = counting.length < 2;
  const subject =
    counting.length === 0
      ? 'the reply'
      : `the reply's ${type} ${isOne ? 'record' : 'records'} (${listed(counting, MOST_RECORDS)})`;
  const [verb, no] = isOne ? (['s', 'does not'] as const) : (['', 'do not'] as const);
  switch (lack.kind) {
    case 'not-covered':
      return `${subject} ${no} cover ${nameWords(lack)}`;
    case 'not-matched':
      return lack.of === 'closest-encloser'
        ? `${subject} ${no} match any name above ${plain(lack.name)}, so its closest encloser is not proven`
        : `${subject} ${no} match ${nameWords(lack)}`;
    case 'exists':
      return `${subject} show${verb} that ${nameWords(lack)} exists`;
    case 'has-type':
      return `${subject} list${verb} ${lack.type} among the types of ${nameWords(lack)}`;
    case 'other-side':
      return lack.side === 'child'
        ? `${subject} come${verb} from the zone ${plain(lack.name)} itself (SOA is among the types), but only the parent can deny DS records`
        : `${subject} come${verb} from the parent of the zone cut at ${plain(lack.name)} (NS without SOA among the types), which can deny only DS records`;
    case 'no-cut':
      return `${subject} show${verb} no delegation at ${plain(lack.name)} (NS is not among the types)`;
    case 'ends-authority':
      return `${subject} prove${verb} nothing about names below ${plain(lack.name)}, a delegation or DNAME`;
    case 'nearer-name':
      return `${subject} show${verb} that ${plain(lack.name)} exists, so ${plain(lack.wildcard)} does not apply`;
    case 'no-opt-out':
      return `${subject} cover${verb} ${plain(lack.name)} (hash ${shortHash(lack.hash)}) without the Opt-Out flag`;
  }
}

/** Why a validator cannot use records (RFC 4035 5.3, RFC 5155 8.1 and 8.2). */
const UNUSABLE = {
  NSEC: 'no valid signature, or expanded from a wildcard',
  NSEC3: 'no valid signature, or a hash algorithm, flags or an owner that validators do not support',
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

/** The remedy for a lack. */
export function adviceFor(lack: Lack): string {
  switch (lack.kind) {
    case 'no-record':
      return 'Make the server load the signed zone and return NSEC or NSEC3 records to queries with the DO bit, and let nothing in front of it strip them';
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
      return 'Sign the zone again, either with an NSEC3 record for each delegation or with Opt-Out';
    case 'not-covered':
    case 'not-matched':
    case 'ends-authority':
    case 'nearer-name':
      return SIGN_AGAIN;
  }
}
