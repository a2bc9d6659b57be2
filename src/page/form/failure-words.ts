import type { ApiFailure } from '../../client/failure.ts';
import { printable } from '../../reading/words/printable.ts';
import { count } from '../../reading/words/quantities.ts';

/** Why the service did not take a traversal, in plain words. */
interface FailureWords {
  readonly title: string;
  readonly advice: string;
  /** How long to wait before trying again; undefined if waiting does not help, or nobody knows how long. */
  readonly waitMs: number | undefined;
}

/** Says what a failure means to somebody who asked for a traversal. */
export function failureWords(failure: ApiFailure): FailureWords {
  const { title, advice, waitMs } = wordsFor(failure);
  return { title, advice: printable(advice), waitMs };
}

function wordsFor(
  failure: ApiFailure,
): Omit<FailureWords, 'waitMs'> & { readonly waitMs?: number | undefined } {
  switch (failure.kind) {
    case 'rate-limited':
      return {
        title: 'You have started as many traversals as you may for now.',
        advice: `The service allows you ${allowance(failure.detail)}.`,
        waitMs: failure.retryAfterMs,
      };
    case 'busy':
      return { title: 'The service is busy.', advice: failure.detail, waitMs: failure.retryAfterMs };
    case 'unreachable':
      return {
        title: 'The service cannot be reached.',
        advice: 'Check your connection, then try again. What you typed is kept.',
      };
    case 'refused':
      return { title: 'The service refuses this.', advice: refusalOf(failure) };
    case 'fault':
      return { title: 'Something went wrong in the service.', advice: 'Try again in a moment.' };
    case 'no-such-job':
    case 'not-a-service':
      return {
        title: 'The service answers strangely.',
        advice: 'Perhaps it has just been replaced by another version: load this page again.',
      };
    case 'stopped':
      return { title: 'Stopped.', advice: '' };
  }
}

/** The limit as the service writes it: "30 requests per 1h". */
function allowance(detail: string): string {
  const [, number, span] = /(\d+) requests? per ([\dhms.]+)/.exec(detail) ?? [];
  if (number === undefined || span === undefined) return 'no more for now';
  // 1h0m0s is an hour.
  return `${count(Number(number), 'traversal')} per ${span.replace(/(?<=[hm])0[ms]/g, '')}`;
}

function refusalOf({ detail, errors }: Extract<ApiFailure, { kind: 'refused' }>): string {
  if (errors.length === 0) return detail;
  return errors
    .map((one) => `${one.pointer.replace(/^\//, '').replaceAll('/', '.')} ${one.detail}`)
    .join('; ');
}
