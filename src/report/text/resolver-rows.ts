import type { ResolverRow } from '../../document/resolvers.ts';
import type { TraversalResult } from '../../document/result.ts';
import { formatDurationMs } from '../../duration.ts';
import type { Bearing, Judge } from '../../reading/bearing.ts';
import { likenessWords, resolverAddress, saidWords } from '../../reading/resolver-words.ts';
import type { Wording } from '../../reading/wording.ts';
import { plain } from '../../reading/words/names.ts';
import { STYLES } from '../table/styles.ts';
import type { Cell, Rows } from '../table/table.ts';

/** What resolvers said that were asked the same question, which ends that is, and how long they keep it. */
export function resolverRows(result: TraversalResult, judge: Judge, wording: Wording): Rows {
  const { resolvers = [] } = result;
  if (resolvers.length === 0) return [];
  const rows = resolvers.map((row): readonly Cell[] => [
    { text: `  ${resolverAddress(row.server)}${nameOf(row)}` },
    { text: wording.shorten(saidWords(row)), style: STYLES[bearingIn(row, result, judge)] },
    { text: [likenessWords(row, result), ...keptFor(row)].filter((words) => words !== '').join('; ') },
  ]);
  return [[{ text: 'Resolvers say', style: 'strong' }], ...rows];
}

function nameOf({ server: { name } }: ResolverRow): string {
  return name === undefined ? '' : ` (${plain(name)})`;
}

function keptFor({ ttl }: ResolverRow): readonly string[] {
  return ttl === null ? [] : [`TTL left ${formatDurationMs(ttl * MS_PER_SECOND)}`];
}

const MS_PER_SECOND = 1_000;

/** What the reply means to its users: what such an end of a path means, if there is one. */
function bearingIn({ says, outcomes }: ResolverRow, result: TraversalResult, judge: Judge): Bearing {
  const [first] = outcomes.flatMap((at) => result.outcomes[at] ?? []);
  if (first !== undefined) return judge(first);
  switch (says.kind) {
    case 'answer':
    case 'nodata':
    case 'nxdomain':
      return 'differs';
    case 'alias-loop':
    case 'error':
    case 'no-resolver':
    case 'malformed':
    case 'unreachable':
    case 'timeout':
      return 'fails';
  }
}
