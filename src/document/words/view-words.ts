import type { AbstractViewRow, ViewRow } from '../../evaluate/views.ts';

/** What texts call a view. */
interface ViewWords {
  /** Above a column, and before "resolvers". */
  readonly head: string;
  /** Whose ends it has. */
  readonly whose: string;
  /** Whose users these are: "users behind ...". */
  readonly behind: string;
}

/** The words for views of abstract resolvers. */
export const ABSTRACT_WORDS: Readonly<Record<AbstractViewRow['kind'], ViewWords>> = {
  'first-tries': { head: 'first tries', whose: 'first tries', behind: 'resolvers that never retry' },
  resolver: { head: 'cold', whose: 'resolvers', behind: 'resolvers' },
  'first-tries/warm': {
    head: 'warm first tries',
    whose: 'warm first tries',
    behind: "resolvers that know the zones' own NS records and never retry",
  },
  warm: {
    head: 'warm',
    whose: 'warm resolvers',
    behind: "resolvers that know the zones' own NS records",
  },
  validating: { head: 'validating', whose: 'validating resolvers', behind: 'validating resolvers' },
};

/** Whose ends a view has: "warm resolvers", "users of bind, warm". */
export function whoseWords(row: ViewRow): string {
  if (row.behaviour !== 'profile') return ABSTRACT_WORDS[row.kind].whose;
  return `users of ${row.profile}${row.start === 'cold' ? '' : ', warm'}`;
}
