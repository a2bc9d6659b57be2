import type { ApiAnswer, ApiFailure } from '../../client/failure.ts';
import { formatDurationMs } from '../../duration.ts';
import { CommandError, EXIT, notDone, usageError } from '../process/exit-status.ts';
import { FLAG_OF } from './request-body.ts';

/** The value of an answer; a failure becomes the `CommandError` that tells of it. */
export function valueIn<T>(answer: ApiAnswer<T>, server: URL): T {
  if (answer.kind === 'ok') return answer.value;
  throw complaint(answer.failure, server);
}

/** A failure in one line, with its exit status. */
export function complaint(failure: ApiFailure, server: URL): CommandError {
  const where = server.href.replace(/\/$/, '');
  switch (failure.kind) {
    case 'unreachable':
      return notDone(`cannot reach ${where}: ${failure.reason}`);
    case 'rate-limited':
    case 'busy':
      return notDone(`${where} takes no more now${because(failure.detail)}${again(failure.retryAfterMs)}`);
    case 'no-such-job':
      return notDone(
        `${where} knows no such job: there never was one, it has expired, or the service was restarted`,
      );
    case 'refused':
      return usageError(`${where} refuses this: ${refusal(failure)}`);
    case 'fault':
      return notDone(`${where} failed: ${unpointed(failure.detail)}`);
    case 'not-a-service':
      return notDone(`${where} is not a traversal service: is the URL right? (${failure.detail})`);
    case 'stopped':
      return new CommandError(EXIT.interrupted, 'interrupted: nothing is known yet');
  }
}

function because(detail: string): string {
  return detail === '' ? '' : `: ${unpointed(detail)}`;
}

function again(retryAfterMs: number | undefined): string {
  if (retryAfterMs === undefined) return '; try again later';
  const whole = Math.max(1, Math.ceil(retryAfterMs / 1_000)) * 1_000;
  return `; try again in ${formatDurationMs(whole)}`;
}

function refusal({ detail, errors }: Extract<ApiFailure, { kind: 'refused' }>): string {
  const [first] = errors;
  return first === undefined
    ? unpointed(detail)
    : `${FLAG_OF[first.pointer] ?? first.pointer} ${first.detail}`;
}

function unpointed(sentence: string): string {
  return sentence.replace(/\.$/, '');
}
