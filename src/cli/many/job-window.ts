import { onAbort } from '../../base/abort.ts';

/**
 * How many jobs a service is given at once: enough that some always wait, so that it never lacks work, but no more
 * than that, for what waits there is in the way of others. After a refusal there are no more than it had
 * accepted, and then slowly more, as in TCP's congestion avoidance (RFC 5681 3.1).
 */
export class JobWindow {
  readonly #most: number;
  readonly #counts = { asked: 0, waiting: 0, running: 0 };
  #limit: number;
  /** The most that it ever had accepted. */
  #peak = 0;
  readonly #queue = new Set<() => void>();

  /** `most`: however many the service would take. */
  constructor(most: number) {
    this.#most = most;
    this.#limit = most;
  }

  /** Waits for a place; undefined once the signal is aborted. */
  async take(signal: AbortSignal): Promise<JobPlace | undefined> {
    while (!signal.aborted && !this.#hasRoom()) await this.#change(signal);
    return signal.aborted ? undefined : this.#place();
  }

  #hasRoom(): boolean {
    const { asked, waiting, running } = this.#counts;
    const ahead = Math.max(LEAST_AHEAD, Math.floor(running / 4));
    return asked + waiting < ahead && asked + waiting + running < Math.floor(this.#limit);
  }

  #place(): JobPlace {
    let stage: JobStage | 'left' = 'asked';
    this.#counts.asked += 1;
    const move = (to: JobStage | 'left') => {
      if (stage === 'left') return;
      this.#counts[stage] -= 1;
      stage = to;
      if (to !== 'left') this.#counts[to] += 1;
      this.#wake();
    };
    return {
      accepted: () => {
        move('waiting');
        this.#grow();
      },
      started: () => move('running'),
      refused: () => this.#shrink(0),
      crowded: () => this.#shrink(1),
      leave: () => move('left'),
    };
  }

  get #accepted(): number {
    return this.#counts.waiting + this.#counts.running;
  }

  /** Fast, up to half of what it once took. */
  #grow(): void {
    this.#peak = Math.max(this.#peak, this.#accepted);
    this.#limit = Math.min(this.#limit + (this.#limit < this.#peak / 2 ? 1 : 1 / this.#limit), this.#most);
  }

  #shrink(by: number): void {
    this.#limit = Math.max(1, Math.min(this.#accepted, this.#limit) - by);
  }

  #wake(): void {
    for (const wake of [...this.#queue]) {
      if (!this.#hasRoom()) return;
      wake();
    }
  }

  #change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#queue.delete(wake);
        forget();
        resolve();
      };
      const forget = onAbort(signal, wake);
      this.#queue.add(wake);
    });
  }
}

/** A job's place among those that a service has of one run. */
export interface JobPlace {
  /** The service has accepted the job, or has accepted it again. */
  readonly accepted: () => void;
  /** It runs. */
  readonly started: () => void;
  /** The service has no room for the job. */
  readonly refused: () => void;
  /** It has accepted the job, and has no room for those who follow it. */
  readonly crowded: () => void;
  /** Nothing is left to be done for it. Further calls do nothing. */
  readonly leave: () => void;
}

type JobStage = 'asked' | 'waiting' | 'running';

/** So many jobs wait at the service however few it runs. */
const LEAST_AHEAD = 8;
