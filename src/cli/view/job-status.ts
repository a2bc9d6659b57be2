import { agreement, EXIT, type ExitStatus, isCutShort } from '../process/exit-status.ts';
import type { Interrupted } from '../process/interruption.ts';
import type { Picture } from './watch-picture.ts';

/** Why a job does not say all that it could; undefined for one that does. */
export function shortcoming({ complete, heard, replies }: Picture): string | undefined {
  if (complete?.status === 'cancelled') return 'the job was cancelled: the rest is unknown';
  if (complete?.status === 'failed') return 'the job failed: its "error" at the server says why';
  if (heard > 0 && replies === 0) return 'no root server could be reached: is there a network?';
  return isCutShort(complete?.limits ?? []) ? 'a limit was reached: not everything was asked' : undefined;
}

/** The exit status of whoever watched a job to its end: that of the traversal. */
export function watchedStatus(picture: Picture, by: Interrupted | undefined): ExitStatus {
  if (by === 'signal' && picture.list === undefined) return EXIT.interrupted;
  if (by === 'lost-reader' || shortcoming(picture) !== undefined) return EXIT.notDone;
  return agreement(picture.summary);
}
