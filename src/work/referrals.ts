import { onAbort } from '../abort.ts';
import type { Exchanged } from '../exchange/exchanged.ts';
import type { ReferralHome, Sought } from '../explore/sharing/shared-referrals.ts';
import type { FromWorker, SeekNumber } from './messages.ts';

/** The worker's end of sharing referrals: the main thread knows those of all workers. */
export class ReferralsElsewhere implements ReferralHome {
  readonly #post: (message: FromWorker) => void;
  readonly #waiting = new Map<SeekNumber, (sought: Sought) => void>();
  #count = 0;

  constructor(post: (message: FromWorker) => void) {
    this.#post = post;
  }

  readonly seek: ReferralHome['seek'] = (query, signal) =>
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

  /** The main thread says what is known, or that this is to be asked. */
  take(seek: SeekNumber, referral: Exchanged | undefined): void {
    const waiting = this.#waiting.get(seek);
    this.#waiting.delete(seek);
    const tell = (told: Exchanged | undefined) =>
      this.#post({ kind: 'told', seek, ...(told === undefined ? {} : { referral: told }) });
    if (waiting !== undefined)
      waiting(referral === undefined ? { kind: 'ask', tell } : { kind: 'known', referral });
    else if (referral === undefined) tell(undefined);
  }
}
