/* The shapes of resolvers and of what came of asking them. */

import { described, named, type Of } from '../base/shape.ts';
import { type Fields, object, optional, variants } from '../base/shape-object.ts';
import { COUNT, integer, list, nullable, TEXT } from '../base/shape-values.ts';
import type { Question } from '../dns/message.ts';
import type { Consulted } from '../exchange/exchanged.ts';
import { ADDRESS, NAME } from './common-shapes.ts';
import { SAVED_REPLY } from './exchange-rows.ts';
import { REPLIED } from './exchanges.ts';

const SERVER = object({
  address: ADDRESS,
  port: integer(1, 65_535),
  name: optional(described(NAME, 'As it was named; absent: by its address.')),
});

const NOTHING = {};

const SAID = {
  answer: { answer: described(list(TEXT), 'Sorted record data.') },
  nodata: NOTHING,
  nxdomain: NOTHING,
  'alias-loop': NOTHING,
  error: { rcode: TEXT },
  'no-resolver': NOTHING,
  malformed: NOTHING,
  unreachable: NOTHING,
  timeout: NOTHING,
} satisfies Readonly<Record<string, Fields>>;

const SAYS = described(
  variants('kind', {}, SAID),
  'What the reply comes to; `no-resolver`: it refers to other servers instead.',
);

/** What a resolver's reply comes to. */
export type ResolverOutcome = Of<typeof SAYS>;

/** A resolver that was asked the same question, and which of the ends its reply is. */
export const RESOLVER = named(
  'ResolverReply',
  described(
    object({
      server: SERVER,
      says: SAYS,
      outcomes: described(
        list(COUNT),
        'Which of `outcomes` its reply is, by their places from 0: the same answer or denial; for SERVFAIL, all that fail.',
      ),
      ttl: described(nullable(COUNT), 'Seconds for which it keeps that; null: it does not say.'),
      reply: REPLIED,
    }),
    'What a resolver replied to the same question. It changes no probability and is not counted.',
  ),
);

/** A row of the list `resolvers`. */
export type ResolverRow = Of<typeof RESOLVER>;

/** A row of the list `resolvers`, to be read back. */
export const SAVED_RESOLVER = object({ server: SERVER, reply: SAVED_REPLY });

/** What a resolver was heard to say when that was saved. */
export function consultedIn({ server, reply }: Of<typeof SAVED_RESOLVER>, question: Question): Consulted {
  return { ...reply, address: server.address, question, resolver: server };
}
