import type { QueryRank } from '../exchange/query.ts';
import type { Scope } from './recording.ts';
import type { MainWalkKind } from './warm.ts';

/** What questions are asked for besides the cold walk. */
export type BesidesRank = Exclude<QueryRank, 'cold'>;

/** The main walk that asks questions of a rank. */
export const WALKS: Readonly<Record<QueryRank, MainWalkKind>> = {
  cold: 'cold',
  dnssec: 'validating',
  check: 'warm',
};

/** The ranks that a traversal has besides the cold walk, in the order in which they count. */
export function ranksBesides({ dnssec, check }: Scope): readonly BesidesRank[] {
  const ranks: BesidesRank[] = dnssec?.validation === undefined ? [] : ['dnssec'];
  return check === 'on' ? [...ranks, 'check'] : ranks;
}
