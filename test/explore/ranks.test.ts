import t from 'tap';
import { type Query, queryKey } from '../../src/exchange/query.ts';
import { ReplayedExploration } from '../../src/explore/hear-again.ts';
import type { Recording } from '../../src/explore/recording.ts';
import { exploreTable } from '../evaluate/table-world.ts';

/** The root's own set has a server that a. is delegated to as well. */
const ROOTS = 'r.=192.0.2.1';
const SAYS = {
  '192.0.2.1 . NS': 'own s.=192.0.2.2',
  '192.0.2.1 www.a. A': 'referral a. ns.a.=192.0.2.2',
  '192.0.2.2 www.a. A': 'answer 192.0.2.80',
};

function rowOf({ address, question: { name, type } }: Query): string {
  return `${address} ${name} ${type}`;
}

/** What exploring knew once it had heard the whole recording. */
function replayed(recording: Recording): ReplayedExploration {
  const exploration = new ReplayedExploration(recording);
  for (const exchanged of recording.exchanges.values()) exploration.learn(exchanged);
  return exploration;
}

/** What each exchange was asked for, by its row; those of `first` are heard first. */
function ranksIn(recording: Recording, first: readonly string[] = []): Record<string, string> {
  const place = (row: string) => (first.includes(row) ? first.indexOf(row) : first.length);
  const heard = [...recording.exchanges.values()].sort((a, b) => place(rowOf(a)) - place(rowOf(b)));
  const exchanges = new Map(heard.map((one) => [queryKey(one), one]));
  const known = replayed({ ...recording, exchanges });
  return Object.fromEntries(heard.map((one) => [rowOf(one), known.rankOf(queryKey(one))]));
}

t.test('what the cold walk needs too was not asked for --check, whoever replied first', async (t) => {
  const checked = { roots: ROOTS, says: SAYS, otherwise: 'nodata', scope: { check: 'on' } } as const;
  const { recording } = await exploreTable(checked);
  const usual = ranksIn(recording);
  t.match(usual, { '192.0.2.1 . NS': 'check', '192.0.2.1 www.a. A': 'cold', '192.0.2.2 www.a. A': 'cold' });
  t.same(ranksIn(recording, ['192.0.2.1 . NS', '192.0.2.2 www.a. A']), usual);
});

t.test('nothing was asked for --check without it, however little work there may be', async (t) => {
  const { recording } = await exploreTable({ roots: ROOTS, says: SAYS });
  const ranks = ranksIn({ ...recording, scope: { ...recording.scope, maxWork: 1 } });
  t.same(ranks, { '192.0.2.1 www.a. A': 'cold', '192.0.2.2 www.a. A': 'cold' });
});
