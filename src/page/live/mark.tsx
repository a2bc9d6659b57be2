import type { LiveServer } from './live-zones.ts';

/** The sign of a server's standing, which differs in shape, not only in colour. */
export function MarkSign({ standing }: Pick<LiveServer, 'standing'>) {
  return (
    <svg class={`sign ${standing}`} viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
      <Shape standing={standing} />
    </svg>
  );
}

function Shape({ standing }: Pick<LiveServer, 'standing'>) {
  switch (standing) {
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
    case 'waiting':
      return <circle class="ring" cx="10" cy="10" r="8" />;
  }
}

/** What each sign means. */
export const STANDING_WORDS: Readonly<Record<LiveServer['standing'], string>> = {
  agrees: 'replies',
  differs: 'differs from the others',
  fails: 'fails',
  waiting: 'awaited',
};
