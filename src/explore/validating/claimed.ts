import type { Exchanged } from '../../exchange/exchanged.ts';
import { getOrMake } from '../../get-or-make.ts';
import type { Claim, JudgedReply } from '../../validate/claim.ts';
import type { Name } from '../../wire/name.ts';
import { linksWithin } from '../follow-aliases.ts';
import { isFailure, type Meaning } from '../meaning.ts';
import { meaningFor } from '../meaning-for.ts';

const known = new WeakMap<Exchanged, Map<Name, JudgedReply | undefined>>();

/** What a reply says, for a zone that its server was asked for, as far as it can be validated; undefined if no resolver uses it. */
export function claimedBy(exchanged: Exchanged, zone: Name): JudgedReply | undefined {
  const replies = getOrMake(known, exchanged, () => new Map<Name, JudgedReply | undefined>());
  if (!replies.has(zone)) replies.set(zone, read(exchanged, zone));
  return replies.get(zone);
}

function read(exchanged: Exchanged, zone: Name): JudgedReply | undefined {
  const { question, outcome } = exchanged;
  if (outcome.kind !== 'reply') return undefined;
  const { answer, authority } = outcome;
  const claim = claimOf(meaningFor(exchanged, zone), () => linksWithin(answer, question, zone));
  return claim && { question, claim, answer, authority };
}

type Linking = Extract<Claim, { links: unknown }>;

function claimOf(meaning: Meaning, links: () => Linking['links']): Claim | undefined {
  if (isFailure(meaning)) return undefined;
  switch (meaning.kind) {
    case 'answer':
    case 'alias':
    case 'alias-loop':
      return { kind: meaning.kind, links: links() };
    case 'nxdomain':
    case 'nodata':
      return { kind: meaning.kind };
    case 'referral':
      return { kind: 'referral', to: meaning.delegation.zone };
  }
}
