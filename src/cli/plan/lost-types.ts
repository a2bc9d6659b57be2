/* Finds types of records that a name has today and its zone file lacks. */

import { type Question, questionKey } from '../../dns/message.ts';
import type { Name } from '../../dns/name.ts';
import type { TraversalResult } from '../../document/result.ts';
import type { Exchange, Exchanged } from '../../exchange/exchanged.ts';
import { allAliases } from '../../explore/aliases.ts';
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
 * Questions that are not checked anyway, and that a server of today does not deny: it answers with records, or fails. For each
 * type one question is sent, to one of the addresses that answered for the name in `today`. An alias that stays loses nothing.
 */
export async function lostQuestions(
  { today, planned }: { readonly today: TraversalResult; readonly planned: TraversalResult },
  { checked, exchange, turn, signal }: Asking,
): Promise<readonly Question[]> {
  const { name } = today.query;
  const targets = new Set([today, planned].flatMap(aliasTargets));
  if (targets.size === 1 && !targets.has(undefined)) return [];
  const own = authoritative(today).filter(({ rcode }) => rcode === 'NOERROR');
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
      return isDenial(outcome) ? [] : [question];
    }),
  );
  return found.flat();
}

/** For each reply about the name the target of its alias; undefined: the reply has none. */
function aliasTargets(result: TraversalResult): readonly (Name | undefined)[] {
  return authoritative(result).map(
    ({ question, answer = [] }) => allAliases(answer, question).links[0]?.target,
  );
}

function authoritative({ query: { name }, exchanges }: TraversalResult): TraversalResult['exchanges'] {
  return exchanges.filter(({ question, flags = [] }) => question.name === name && flags.includes('aa'));
}

/** A server without authority denies nothing. */
function isDenial(outcome: Exchanged['outcome']): boolean {
  if (outcome.kind !== 'reply') return false;
  const { rcode, flags, answer } = outcome;
  return (rcode === 'NOERROR' || rcode === 'NXDOMAIN') && flags.includes('aa') && answer.length === 0;
}
