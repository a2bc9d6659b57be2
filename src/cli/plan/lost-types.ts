/* Finds types of records that a name has today and its zone file lacks. */

import { type Question, questionKey } from '../../dns/message.ts';
import type { TraversalResult } from '../../document/result.ts';
import type { Exchange } from '../../exchange/exchanged.ts';
import { usualTypes } from './names-to-check.ts';

/** How servers of today are asked. */
interface Asking {
  /** What is checked anyway, by `questionKey`. */
  readonly checked: ReadonlySet<string>;
  readonly exchange: Exchange;
  /** The number of the name: the questions of names are spread over the servers. */
  readonly turn: number;
  readonly signal: AbortSignal;
}

/**
 * Questions that are not checked anyway, and to which a server of today answers with records or does not reply. For each type
 * one question is sent, to one of the addresses that answered for the name in `today`.
 */
export async function lostQuestions(
  { query: { name }, exchanges }: TraversalResult,
  { checked, exchange, turn, signal }: Asking,
): Promise<readonly Question[]> {
  const own = exchanges.filter(
    ({ question, rcode, flags = [] }) =>
      question.name === name && rcode === 'NOERROR' && flags.includes('aa'),
  );
  const addresses = [...new Set(own.map(({ server }) => server.address))];
  const unknown = usualTypes(name)
    .map((type) => ({ name, type }))
    .filter((question) => !checked.has(questionKey(question)));
  const found = await Promise.all(
    unknown.map(async (question, at) => {
      const address = addresses[(turn + at) % addresses.length];
      if (address === undefined) return [];
      const exchanged = await exchange({ address, question }, signal).catch((error: unknown) => {
        if (signal.aborted) return undefined;
        throw error;
      });
      if (exchanged === undefined) return [];
      const { outcome } = exchanged;
      const isDenied = outcome.kind === 'reply' && outcome.answer.length === 0;
      return isDenied ? [] : [question];
    }),
  );
  return found.flat();
}
