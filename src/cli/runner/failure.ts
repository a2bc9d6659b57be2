/* Turns the failure of a run into one line and an exit status. */

import { formatDurationMs } from '../../base/duration.ts';
import type { Issue } from '../../base/shape.ts';
import { boundsNamedIn } from '../../base/shape-values.ts';
import type { RunAnswer, RunFailure } from '../../document/run-answer.ts';
import { briefDuration } from '../flags/limit-option.ts';
import { FLAG_OF } from '../flags/traversal-flags.ts';
import { CommandError, EXIT, notDone, usageError } from '../process/errors.ts';

/** A failure in one line, with its exit status. `server`: the one that was called, if any. */
export function failureError(failure: RunFailure, server: URL | undefined): CommandError {
  const where = server?.href.replace(/\/$/, '') ?? 'this host';
  switch (failure.kind) {
    case 'unreachable':
      return notDone(`cannot reach ${where}: ${failure.reason}`);
    case 'rate-limited':
    case 'busy':
      return notDone(`${where} is refusing new jobs${because(failure.detail)}${again(failure.retryAfterMs)}`);
    case 'no-such-job':
      return notDone(`${where} has no such job (it may have expired, or the service was restarted)`);
    case 'refused':
      return usageError(`${where} refused the request: ${refusal(failure)}`);
    case 'fault':
      return notDone(`${where} failed: ${withoutPeriod(failure.detail)}`);
    case 'not-a-service':
      return notDone(`${where} is not a traversal service: check the URL (${failure.detail})`);
    case 'stopped':
      return new CommandError(EXIT.interrupted, 'interrupted: there is no result yet');
  }
}

/** The value of an answer. A failure is thrown, as the `CommandError` that tells of it. */
export function valueIn<T>(answer: RunAnswer<T>, server: URL | undefined): T {
  if (answer.kind === 'ok') return answer.value;
  throw failureError(answer.failure, server);
}

function because(detail: string): string {
  return detail === '' ? '' : `: ${withoutPeriod(detail)}`;
}

function again(retryAfterMs: number | undefined): string {
  if (retryAfterMs === undefined) return '; try again later';
  const whole = Math.max(1, Math.ceil(retryAfterMs / 1_000)) * 1_000;
  return `; try again in ${formatDurationMs(whole)}`;
}

function refusal({ detail, errors }: Extract<RunFailure, { kind: 'refused' }>): string {
  if (errors.length === 0) return withoutPeriod(detail);
  return errors.map(obstacle).join('; ');
}

/** Durations are milliseconds in a request, which the command line does not take without a unit. */
function obstacle({ pointer, detail }: Issue): string {
  const bounds = pointer.endsWith('Ms') ? boundsNamedIn(detail) : undefined;
  const wanted = bounds && `must be from ${bounds.map(briefDuration).join(' to ')}`;
  return `${FLAG_OF[pointer] ?? pointer} ${wanted ?? withoutPeriod(detail)}`;
}

function withoutPeriod(sentence: string): string {
  return sentence.replace(/\.$/, '');
}
