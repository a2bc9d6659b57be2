import { onAbort } from '../../base/abort.ts';
import type { Exchanged } from '../../exchange/exchanged.ts';
import type { ReferralSource, SoughtReferral } from '../../explore/shared-referrals.ts';
import type { FromWorker, SeekNumber, SeekRequest, ToWorker } from './messages.ts';

/** The worker's end of sharing referrals: the main thread knows those of all workers. */
export class WorkerReferrals implements ReferralSource {
  readonly #post: (message: FromWorker) => void;
  readonly #waiting = new Map<SeekNumber, (sought: SoughtReferral) => void>();
  #count = 0;

  constructor(post: (message: FromWorker) => void) {
    this.#post = post;
  }

  readonly seek: ReferralSource['seek'] = (query, signal) =>
    new Promise((resolve, reject) => {
      this.#count += 1;
      const seek = this.#count;
      const stay = onAbort(signal, () => {
        this.#waiting.delete(seek);
        reject(signal.reason);
      });
      this.#waiting.set(seek, (sought) => {
        stay();
        resolve(sought);
      });
      this.#post({ kind: 'seek', seek, query });
    });

  /** Takes the main thread's answer: the known referral, or none, so that the worker has to ask. */
  take(seek: SeekNumber, referral: Exchanged | undefined): void {
    const waiting = this.#waiting.get(seek);
    this.#waiting.delete(seek);
    const tell = (reply: Exchanged | undefined) =>
      this.#post({ kind: 'asked', seek, ...(reply === undefined ? {} : { referral: reply }) });
    if (waiting !== undefined)
      waiting(referral === undefined ? { kind: 'ask', tell } : { kind: 'known', referral });
    else if (referral === undefined) tell(undefined);
  }
}

/** The main thread's end of sharing referrals with one worker: what is known there is known to all workers. */
export class MainReferrals {
  readonly #known: ReferralSource;
  readonly #post: (message: ToWorker) => void;
  readonly #closed = new AbortController();
  /** What the worker is asking, for whom others may be waiting. */
  readonly #asking = new Map<SeekNumber, Extract<SoughtReferral, { readonly kind: 'ask' }>['tell']>();

  constructor(known: ReferralSource, post: (message: ToWorker) => void) {
    this.#known = known;
    this.#post = post;
  }

  /** The worker wants to know of a referral. */
  seek({ seek, query }: SeekRequest): void {
    this.#known.seek(query, this.#closed.signal).then(
      (sought) => {
        if (sought.kind === 'ask') this.#asking.set(seek, sought.tell);
        const referral = sought.kind === 'known' ? { referral: sought.referral } : {};
        this.#post({ kind: 'sought', seek, ...referral });
      },
      // It is closed, and nobody waits any more.
      () => {},
    );
  }

  /** The worker has asked name servers itself. */
  learn(seek: SeekNumber, referral: Exchanged | undefined): void {
    this.#asking.get(seek)?.(referral);
    this.#asking.delete(seek);
  }

  /** The worker is gone: nothing comes of what it was asking. */
  close(): void {
    this.#closed.abort();
    for (const seek of [...this.#asking.keys()]) this.learn(seek, undefined);
  }
}
