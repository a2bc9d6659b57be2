import { named, plain } from '../reading/names.ts';
import { byContact } from './by-contact.ts';
import type { Heard } from './evidence.ts';
import type { Try } from './tries.ts';

type Reason = Try['ignored'][number]['reason'];

/** REPLY_QUESTION_MISMATCH: what came carried another ID or another question. */
export const questionMismatch = byContact(
  (heard) => reasonFor(heard, ['wrong-question', 'wrong-id']) !== undefined,
  (server, zone, first) => {
    const what = reasonFor(first, ['wrong-question']) === undefined ? 'another ID' : 'another question';
    return `${named(server)} sends replies with ${what} than asked for ${plain(zone)}: repair that server or the device in front of it, or look for somebody who forges replies.`;
  },
);

/** REPLY_MALFORMED: what came is no DNS reply, or cannot be decoded as a whole. */
export const malformed = byContact(
  (heard) => flaw(heard) !== undefined,
  (server, zone, first) =>
    `${named(server)} sends broken replies for ${plain(zone)} (${flaw(first)}): repair or replace that server or the device in front of it.`,
);

/** NS_MANGLES_CASE: the question came back in other letters, so the query had to be repeated without 0x20. */
export const manglesCase = byContact(
  ({ exchanged }) => exchanged.tries.some(({ outcome }) => outcome.kind === 'case-mismatch'),
  (server, zone) =>
    `${named(server)} does not keep the case of the name asked for ${plain(zone)}, so resolvers that protect queries by it must ask twice: update that server.`,
);

function reasonFor({ exchanged }: Heard, reasons: readonly Reason[]): Reason | undefined {
  return exchanged.tries.flatMap(({ ignored }) => ignored).find(({ reason }) => reasons.includes(reason))
    ?.reason;
}

function flaw({ exchanged }: Heard): string | undefined {
  const broken = exchanged.tries
    .flatMap(({ ignored }) => ignored)
    .find(({ reason }) => reason === 'undecodable' || reason === 'not-a-reply');
  if (broken !== undefined) return broken.detail ?? 'it cannot be decoded';
  const truncatedOverTcp = exchanged.tries.some(
    ({ transport, outcome }) => transport === 'tcp' && outcome.kind === 'reply' && outcome.truncated,
  );
  return truncatedOverTcp ? 'truncated over TCP' : undefined;
}
