import type { QueryRank } from '../exchange/query.ts';
import type { Scope } from './recording.ts';
import type { MainWalkKind } from './warm.ts';

/** The main walk that asks questions of a rank. */
export const WALKS: Readonly<Record<QueryRank, MainWalkKind>> = {
  cold: 'cold',
  dnssec: 'validating',
  check: 'warm',
};

/** The ranks of the walks that a traversal makes beside the cold walk, in the order in which they count. */
export function extraRanks({ dnssec, check }: Scope): readonly ExtraRank[] {
  const ranks: ExtraRank[] = dnssec?.validation === undefined ? [] : ['dnssec'];
  return check === 'on' ? [...ranks, 'check'] : ranks;
}

/** The rank of a walk beside the cold walk. */
export type ExtraRank = Exclude<QueryRank, 'cold'>;
