import type { TraversalResult } from '../../document/result.ts';
import { exitStatus } from '../../reading/exit-status.ts';
import type { Format } from '../flags/format-flags.ts';
import type { ExitStatus } from '../process/exit-status.ts';

/** The exit status for a result that is printed like this. */
export async function statusOf(result: TraversalResult, { made, failOn }: Format): Promise<ExitStatus> {
  return made.kind === 'check' ? (await made.check(result, [])).status : exitStatus(result, failOn);
}
