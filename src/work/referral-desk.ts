import type { Exchanged } from '../exchange/exchanged.ts';
import type { ReferralHome, Sought } from '../explore/sharing/shared-referrals.ts';
import type { SeekNumber, SeekRequest, ToWorker } from './messages.ts';

/** The main thread's end of sharing referrals with one worker: what is known there is known to all workers. */
export class ReferralDesk {
  readonly #home: ReferralHome;
  readonly #post: (message: ToWorker) => void;
  readonly #closed = new AbortController();
  /** What the worker is asking, for whom others may be waiting. */
  readonly #asking = new Map<SeekNumber, Extract<Sought, { readonly kind: 'ask' }>['tell']>();

  constructor(home: ReferralHome, post: (message: ToWorker) => void) {
    this.#home = home;
    this.#post = post;
  }

  /** The worker wants to know of a referral. */
  seek({ seek, query }: SeekRequest): void {
    this.#home.seek(query, this.#closed.signal).then(
      (sought) => {
        if (sought.kind === 'ask') this.#asking.set(seek, sought.tell);
        const known = sought.kind === 'known' ? { referral: sought.referral } : {};
        this.#post({ kind: 'sought', seek, ...known });
      },
      // It is closed, and nobody waits any more.
      () => {},
    );
  }

  /** The worker has asked. */
  told(seek: SeekNumber, referral: Exchanged | undefined): void {
    this.#asking.get(seek)?.(referral);
    this.#asking.delete(seek);
  }

  /** The worker is gone: nothing comes of what it was asking. */
  close(): void {
    this.#closed.abort();
    for (const seek of [...this.#asking.keys()]) this.told(seek, undefined);
  }
}
