import type { TraversalResult } from '../../document/result.ts';
import { exitStatus } from '../../reading/exit-status.ts';
import { nagiosCheck } from '../../report/monitor/nagios.ts';
import type { Format } from '../flags/format-flags.ts';
import type { ExitStatus } from '../process/exit-status.ts';

/** The exit status for a result that is printed like this. */
export async function statusOf(result: TraversalResult, format: Format): Promise<ExitStatus> {
  if (format.kind !== 'nagios') return exitStatus(result, format.failOn);
  return nagiosCheck(result, []).status;
}
