/* The sign of a server, which differs in shape, not only in colour. */

import { keysOf } from '../../base/limits.ts';
import type { Effect } from '../../report/views/effects.ts';

/** What the mark of a server tells. */
export type MarkStatus = 'refers' | 'agrees' | 'differs' | 'fails' | 'unknown' | 'waiting';

/** What each sign means, and the effect whose colours it has. */
export const STATUSES = {
  refers: { words: 'refers on', effect: 'leads-on' },
  agrees: { words: 'replies', effect: 'ends-well' },
  differs: { words: 'differs from others', effect: 'differs' },
  fails: { words: 'fails', effect: 'fails' },
  unknown: { words: 'not known', effect: 'unknown' },
  waiting: { words: 'awaited', effect: 'leads-on' },
} as const satisfies Readonly<Record<MarkStatus, { words: string; effect: Effect }>>;

/** The sign of what a reply means. */
export const SIGNS: Readonly<Record<Effect, MarkStatus>> = {
  'leads-on': 'refers',
  'ends-well': 'agrees',
  differs: 'differs',
  denies: 'differs',
  fails: 'fails',
  unknown: 'unknown',
};

/** The sign of a server's status. */
export function MarkSign({ status }: { readonly status: MarkStatus }) {
  return (
    <svg
      class={`sign ${status} effect-${STATUSES[status].effect}`}
      viewBox="0 0 20 20"
      width="18"
      height="18"
      aria-hidden="true"
    >
      <Shape status={status} />
    </svg>
  );
}

function Shape({ status }: { readonly status: MarkStatus }) {
  switch (status) {
    case 'refers':
      return (
        <>
          <circle class="body" cx="10" cy="10" r="9" />
          <path class="ink" d="M10 5v9m-4-4 4 4 4-4" />
        </>
      );
    case 'agrees':
      return (
        <>
          <circle class="body" cx="10" cy="10" r="9" />
          <path class="ink" d="m5.8 10.4 2.9 2.9 5.6-6.2" />
        </>
      );
    case 'differs':
      return (
        <>
          <path class="body" d="M10 .6 19.4 10 10 19.4.6 10Z" />
          <path class="ink" d="M6 8.2h8M6 11.8h8M12 5.8 8 14.2" />
        </>
      );
    case 'fails':
      return (
        <>
          <rect class="body" x="1.4" y="1.4" width="17.2" height="17.2" rx="3" />
          <path class="ink" d="m6.2 6.2 7.6 7.6m0-7.6-7.6 7.6" />
        </>
      );
    case 'unknown':
      return (
        <>
          <rect class="body" x="1.4" y="1.4" width="17.2" height="17.2" rx="9" />
          <path class="ink" d="M7 8a3 3 0 1 1 4.5 2.6q-1.5.9-1.5 2m0 2.4v.2" />
        </>
      );
    case 'waiting':
      return <circle class="ring" cx="10" cy="10" r="8" />;
  }
}

/** What the signs mean: all, or those that are shown. */
export function MarkLegend({ shown = keysOf(STATUSES) }: { readonly shown?: readonly MarkStatus[] }) {
  return (
    <ul class="legend">
      {shown.map((status) => (
        <li key={status}>
          <MarkSign status={status} /> {STATUSES[status].words}
        </li>
      ))}
    </ul>
  );
}
