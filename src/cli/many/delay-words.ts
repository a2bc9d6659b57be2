import { formatDurationMs } from '../../duration.ts';
import { briefDuration } from '../flags/limit-option.ts';
import { complaint } from '../runner/complaint.ts';
import type { Delay } from '../runner/patient.ts';
import type { ListScreen } from './screen.ts';
import { untilTime } from './until-time.ts';

/** What a wait takes away. */
interface WaitingRun {
  readonly screen: Pick<ListScreen, 'say'>;
  /** How an interrupted run is resumed. */
  readonly toResume: string;
}

/** Says why a run waits for a service. */
export function delayReporter(
  server: URL,
  { screen: { say }, toResume }: WaitingRun,
): (delay: Delay) => void {
  const advice = `Ctrl-C loses nothing: ${toResume}`;
  return (delay) => {
    switch (delay.kind) {
      case 'refused':
        return say(refusalWords(delay, advice));
      case 'gone': {
        const { message } = complaint({ kind: 'unreachable', reason: delay.reason }, server);
        return say(`${message}; trying again for ${briefDuration(delay.forMs)}. ${advice}`);
      }
      case 'back':
        return say('the service is back');
    }
  };
}

function refusalWords({ detail, waitMs }: Extract<Delay, { kind: 'refused' }>, advice: string): string {
  const when = `waiting until ${untilTime(waitMs)} (${formatDurationMs(waitMs)})`;
  const words = `${detail || 'the service is refusing new jobs'}; ${when}`;
  return waitMs < WORTH_ADVICE_MS ? words : `${words}. ${advice}`;
}

/** Shorter waits need no advice. */
const WORTH_ADVICE_MS = 60_000;
