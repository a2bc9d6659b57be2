import { answerData, isExpected } from '../document/ends.ts';
import { grouped } from '../document/words/lists.ts';
import { asked, plain } from '../document/words/names.ts';
import { percent } from '../document/words/quantities.ts';
import type { Outcome } from '../evaluate/distribution.ts';
import { outcomesIn } from '../evaluate/evaluate.ts';
import { VIEWS, type ViewKind } from '../evaluate/views.ts';
import type { Draft } from './check.ts';
import type { Evidence } from './evidence.ts';
import { endProof, finalWords, isFinalEnd, totalShare } from './outcomes.ts';

/** UNEXPECTED_ANSWER: some users get an answer or a denial that `--expect` does not name. */
export function unexpectedAnswer(evidence: Evidence): readonly Draft[] {
  const { evaluation, scope } = evidence;
  if (scope.expect === undefined) return [];
  const told = new Set<string>();
  return VIEWS.flatMap(({ kind, name }) => {
    const users = USERS[kind];
    const outcomes = users === undefined ? [] : outcomesIn(evaluation, name);
    const wrong = outcomes.filter(({ end }) => isFinalEnd(end) && !isExpected(end));
    const isAgreed = new Set(outcomes.map(contentOf)).size === 1;
    return grouped(wrong, isAgreed ? contentOf : contentAtServer).flatMap((alike): readonly Draft[] => {
      const [first] = alike;
      const keys = [contentOf(first), contentAtServer(first)];
      if (keys.some((key) => told.has(key))) return [];
      told.add(isAgreed ? contentOf(first) : contentAtServer(first));
      const { end } = first;
      const servers = new Set(alike.map((one) => one.end.server?.name));
      const server = servers.size === 1 ? end.server : null;
      const who = isAgreed ? `All ${users}` : `${percent(totalShare(alike))} of ${users}`;
      const from = server === null ? '' : ` from ${plain(server.name)}`;
      return [
        {
          zone: end.zone,
          ...(server && { server: { name: server.name } }),
          problem: `${who} get ${end.kind === 'nodata' ? 'NODATA' : finalWords({ end })} for ${asked(scope.question)}${from}, but other answers are expected`,
          advice: `${isAgreed ? 'Correct the data of the zone' : 'Repair that server'}, or add the answer to the expected ones (--expect, or expectations in a plan) if it is right`,
          proof: alike.flatMap((one) => endProof(evidence, one.end)),
        },
      ];
    });
  });
}

function contentAtServer(outcome: Outcome): string {
  return [outcome.end.server?.name ?? '-', contentOf(outcome)].join('\n');
}

function contentOf({ end }: Outcome): string {
  return [end.kind, ...answerData(end)].join('\n');
}

/** Whose answers are looked at. An answer is told of the first view that has it. */
const USERS: Readonly<Record<ViewKind, string | undefined>> = {
  'first-tries': undefined,
  resolver: 'users',
  'first-tries/warm': undefined,
  warm: "users of resolvers that know the zones' own name servers",
  validating: 'users of validating resolvers',
  product: undefined,
  'product/warm': undefined,
};
