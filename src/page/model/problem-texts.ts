/* Words for what went wrong, for readers of the page. */

import type { RunFailure } from '../../document/run-answer.ts';
import { count } from '../../document/words/quantities.ts';
import { printable } from '../../document/words/shortened.ts';
import { readWritten } from './question-input.ts';

/** Says what a failure means to somebody who asked for a traversal. */
export function failureWords(failure: RunFailure): FailureWords {
  const { title, advice, waitMs } = wordsFor(failure);
  return { title, advice: printable(advice), waitMs };
}

/** Why the service did not take a traversal, in plain words. */
interface FailureWords {
  readonly title: string;
  readonly advice: string;
  /** How long to wait before trying again; undefined if waiting does not help, or nobody knows how long. */
  readonly waitMs: number | undefined;
}

function wordsFor(
  failure: RunFailure,
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

function refusalOf({ detail, errors }: Extract<RunFailure, { kind: 'refused' }>): string {
  if (errors.length === 0) return detail;
  return errors
    .map((one) => `${one.pointer.replace(/^\//, '').replaceAll('/', '.')} ${one.detail}`)
    .join('; ');
}

/** The texts for an address at which there is nothing. */
interface Nowhere {
  readonly why: string;
  readonly advice: string;
  /** The name that was perhaps to be looked up; empty if there is none in the address. */
  readonly name: string;
}

/** Says what is wrong with the path of an address that is none of the page, and what to do. */
export function unknownAddress(path: string): Nowhere {
  const shown = printable(decoded(path));
  if (/^\/t(?:\/|$)/.test(path)) return { ...nowhereTraversal(shown), name: '' };
  const why = `This service has nothing at ${shown}.`;
  if (/^\/api(?:\/|$)/.test(path))
    return { why, advice: 'What programs can ask for is listed below.', name: '' };
  const name = nameIn(path);
  return { why, advice: name === '' ? 'Start with a name.' : `To look up ${name}, press Traverse.`, name };
}

function nowhereTraversal(shown: string): Pick<Nowhere, 'why' | 'advice'> {
  const id = shown.replace(/^\/t\/?/, '');
  const advice =
    'Perhaps the link was cut off: ask whoever sent it for all of it, which ends like /t/0f8fad5b-d9cb-469f-a165-70867728950e. Or ask anew.';
  if (id === '') return { why: 'This link does not say which traversal it is to.', advice };
  return { why: `${id} is not the identifier of a traversal.`, advice };
}

/** Some write the name into the address. */
function nameIn(path: string): string {
  const text = decoded(path.slice(1));
  const isName = text.includes('.') && readWritten({ name: text, type: 'A' }).kind === 'question';
  return isName ? printable(text) : '';
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}
