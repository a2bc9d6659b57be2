import type { LiveServer } from './live-zones.ts';

/** The sign of a server's status, which differs in shape, not only in colour. */
export function MarkSign({ status }: Pick<LiveServer, 'status'>) {
  return (
    <svg class={`sign ${status}`} viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
      <Shape status={status} />
    </svg>
  );
}

function Shape({ status }: Pick<LiveServer, 'status'>) {
  switch (status) {
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
export const STATUS_WORDS: Readonly<Record<LiveServer['status'], string>> = {
  agrees: 'replies',
  differs: 'differs from the others',
  fails: 'fails',
  waiting: 'awaited',
};
