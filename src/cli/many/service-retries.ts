import { pause } from '../../base/abort.ts';
import { failed, type RunAnswer, type RunFailure } from '../../document/run-answer.ts';
import type { CallPolicy } from '../remote/remote-runner.ts';

/**
 * Retries the calls of many jobs at once: those that a service refuses for now when it says, and those that do not
 * reach it until it is back. A service that was never reached, or that has been gone for `GONE_MS`, is not called again.
 */
export class ServiceRetries {
  readonly #report: (delay: Delay) => void;
  /** No job is started before. */
  #notBefore = 0;
  /** Until then it is known that calls are refused. */
  #reportedUntil = 0;
  #contact: Contact = { kind: 'none' };
  /** Broken connections that were not reported yet, and when the next report may be. */
  #broken = 0;
  #brokenNotBefore = 0;

  /** `report`: called once for all calls that wait for the same. */
  constructor(report: (delay: Delay) => void) {
    this.#report = report;
  }

  /** Starts a job: a refusal of one holds up all. `busy`: the server has no room for it. */
  start(busy: () => void): CallPolicy {
    return async (call, signal) => {
      for (;;) {
        await pause(this.#notBefore - performance.now(), signal);
        if (signal.aborted) return STOPPED;
        const answer = await call();
        const waitMs = this.#waitAfter(answer, busy);
        if (waitMs === undefined) return answer;
        this.#notBefore = Math.max(this.#notBefore, performance.now() + waitMs);
      }
    };
  }

  /** Follows a job and reads what came of it: each call waits for itself, for results are not kept for ever. */
  read(busy: () => void): CallPolicy {
    return async (call, signal) => {
      for (;;) {
        const answer = await call();
        const waitMs = signal.aborted ? undefined : this.#waitAfter(answer, busy);
        if (waitMs === undefined) return answer;
        await pause(waitMs, signal);
        if (signal.aborted) return STOPPED;
      }
    };
  }

  /** The service tells something of a job. */
  heard(): void {
    if (this.#contact.kind === 'gone') this.#report({ kind: 'back' });
    this.#contact = { kind: 'reached' };
  }

  /** A connection on which a job was followed broke. Hundreds may break together: they are reported once a minute. */
  broke(): void {
    this.#broken += 1;
    const now = performance.now();
    if (now < this.#brokenNotBefore) return;
    this.#brokenNotBefore = now + BROKEN_EVERY_MS;
    this.#report({ kind: 'broken', connections: this.#broken });
    this.#broken = 0;
  }

  /** How long to wait before the call is made again; undefined: it is not. */
  #waitAfter(answer: RunAnswer<unknown>, busy: () => void): number | undefined {
    if (answer.kind === 'ok') {
      this.heard();
      return undefined;
    }
    const { failure } = answer;
    switch (failure.kind) {
      case 'busy':
        busy();
        return this.#refused(failure);
      case 'rate-limited':
        return this.#refused(failure);
      case 'unreachable':
        return this.#unreachable(failure.reason);
      case 'no-such-job':
      case 'refused':
      case 'fault':
        this.heard();
        return undefined;
      case 'not-a-service':
      case 'stopped':
        return undefined;
    }
  }

  #refused({ detail, retryAfterMs = USUAL_WAIT_MS }: Temporary): number {
    this.heard();
    const waitMs = Math.min(Math.max(Math.ceil(retryAfterMs), LEAST_WAIT_MS), MOST_WAIT_MS);
    const now = performance.now();
    if (now >= this.#reportedUntil) this.#report({ kind: 'refused', detail, waitMs });
    this.#reportedUntil = Math.max(this.#reportedUntil, now + waitMs);
    return waitMs;
  }

  #unreachable(reason: string): number | undefined {
    if (this.#contact.kind === 'none') return undefined;
    const goneMs = performance.now() - this.#goneSince(this.#contact, reason);
    return goneMs >= GONE_MS ? undefined : Math.min(LEAST_WAIT_MS + goneMs / 4, MOST_PAUSE_MS);
  }

  #goneSince(contact: Contact, reason: string): number {
    if (contact.kind === 'gone') return contact.sinceMs;
    const sinceMs = performance.now();
    this.#contact = { kind: 'gone', sinceMs };
    this.#report({ kind: 'gone', reason, forMs: GONE_MS });
    return sinceMs;
  }
}

/** What makes a run wait. */
export type Delay =
  /** The server refuses for now. Its words may be empty. */
  | { readonly kind: 'refused'; readonly detail: string; readonly waitMs: number }
  /** The server that had replied is gone. It is called again and again for as long. */
  | { readonly kind: 'gone'; readonly reason: string; readonly forMs: number }
  | { readonly kind: 'back' }
  /** So many connections broke since the last report. Each is made again. */
  | { readonly kind: 'broken'; readonly connections: number };

/** Whether there is anything at the server's address. */
type Contact = { readonly kind: 'none' | 'reached' } | { readonly kind: 'gone'; readonly sinceMs: number };

type Temporary = Extract<RunFailure, { readonly kind: 'rate-limited' | 'busy' }>;

const STOPPED = failed({ kind: 'stopped' });

const USUAL_WAIT_MS = 5_000;

/** Whatever a server says: it is not asked all the time, and no timer is longer than timers can be. */
const [LEAST_WAIT_MS, MOST_WAIT_MS] = [1_000, 86_400_000];

const BROKEN_EVERY_MS = 60_000;

/** For so long a service may be gone, for an update of its host, and so seldom at least it is called. */
const [GONE_MS, MOST_PAUSE_MS] = [600_000, 15_000];
