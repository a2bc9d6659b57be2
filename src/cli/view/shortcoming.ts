import type { Progress } from '../../progress/progress.ts';
import { EXIT } from '../process/exit-status.ts';

/** Why a job does not tell all that it could; undefined for one that does. */
export function shortcoming({ complete, heard, replies }: Progress): string | undefined {
  switch (complete?.status) {
    // Only the list of servers was read.
    case undefined:
      return undefined;
    case 'cancelled':
      return 'the job was cancelled: the rest is unknown';
    case 'failed':
      return 'the job failed: its "error" at the server says why';
    case 'complete':
      if (complete.exitStatus !== EXIT.notDone) return undefined;
      if (complete.limits.length > 0) return 'a limit was reached: not everything was asked';
      if (heard > 0 && replies === 0) return 'no root server could be reached: is there a network?';
      return 'DNS is intercepted on the way: the name servers did not answer for themselves';
  }
}
