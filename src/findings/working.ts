import { isUsable } from '../explore/response.ts';
import type { Heard } from './evidence.ts';

/** Whether the server serves the zone. One that serves an alias loop does: what is wrong is the data. */
export function isWorking({ response }: Heard): boolean {
  return response.kind === 'alias-loop' || isUsable(response);
}
