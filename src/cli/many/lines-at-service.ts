/* Makes the lines for a list of names at a service, with as many jobs at once as it accepts. */

import { formatDurationMs } from '../../base/duration.ts';
import type { RequestOptions } from '../../document/api/request.ts';
import type { TraversalResult } from '../../document/result.ts';
import { failed, type RunAnswer } from '../../document/run-answer.ts';
import { localTime } from '../../document/words/moments.ts';
import { count } from '../../document/words/quantities.ts';
import type { LineForm } from '../../report/result-line.ts';
import { briefDuration } from '../flags/limit-option.ts';
import { type RemoteCalls, remoteRunner } from '../remote/remote-runner.ts';
import { failureError } from '../runner/failure.ts';
import type { Evaluating, Runner, RunObserver } from '../runner/runner.ts';
import { type JobPlace, JobWindow } from './job-window.ts';
import { type LineMaker, type LineObserver, linesByRunner } from './line-maker.ts';
import { type Delay, ServiceRetries } from './service-retries.ts';
import type { ListScreen } from './tally.ts';

/** Lines of what a service brings, which has as many jobs as it takes. */
export function linesAtService({ server, options, evaluate, form, most, report }: ServiceLines): LineMaker {
  const jobs = new JobWindow(most);
  const retries = new ServiceRetries(report);
  return async (order, observer) => {
    const place = await jobs.take(observer.signal);
    if (place === undefined) return STOPPED;
    try {
      const runner = remoteRunner(server, options, evaluate, callsOf(place, retries));
      const traverse = againIfLost(runner.traverse);
      return await linesByRunner({ traverse }, form)(order, observerAt(place, retries, observer));
    } finally {
      place.leave();
    }
  };
}

/** A run over many names whose traversals a service makes. */
interface ServiceLines {
  readonly server: URL;
  readonly options: RequestOptions;
  readonly evaluate: Evaluating;
  readonly form: LineForm;
  /** The most jobs at once; the service may take fewer. */
  readonly most: number;
  /** Hears why the run waits. */
  readonly report: (delay: Delay) => void;
}

const STOPPED = failed({ kind: 'stopped' });

function callsOf(place: JobPlace, retries: ServiceRetries): RemoteCalls {
  const start = retries.start(place.refused);
  return {
    start: async (call, signal) => {
      const answer = await start(call, signal);
      if (answer.kind === 'ok') place.accepted();
      return answer;
    },
    read: retries.read(place.crowded),
  };
}

function observerAt(
  place: JobPlace,
  retries: ServiceRetries,
  { tell, signal }: LineObserver,
): RunObserver & LineObserver {
  return {
    signal,
    tell: (event) => {
      if (event.event !== 'connection') retries.heard();
      else if (event.state === 'lost') retries.broke();
      if (event.event === 'started') place.started();
      tell(event);
    },
    heardAll: place.leave,
  };
}

/** Starts a job again that the service lost, as without a store or a directory at a restart, or dropped from a full queue. */
function againIfLost(traverse: Runner['traverse']): Runner['traverse'] {
  return async (question, observer) => {
    for (let tries = 1; ; tries += 1) {
      const answer = await traverse(question, observer);
      if (!isLost(answer) || observer.signal.aborted) return answer;
      if (tries === MOST_TRIES) return answer.kind === 'ok' || answer.failure.kind === 'busy' ? answer : LOST;
    }
  };
}

/** Nobody else knows of the job, so it was the service that cancelled it when it was stopped. */
function isLost(answer: RunAnswer<TraversalResult>): boolean {
  if (answer.kind === 'ok') return answer.value.ending === 'cancelled';
  // Starting a job is retried while the service is busy: here it is the job that was dropped.
  return ['no-such-job', 'stopped', 'busy'].includes(answer.failure.kind);
}

const MOST_TRIES = 3;

const LOST = failed({ kind: 'fault', detail: `it lost the job ${MOST_TRIES} times` });

/** Says why a run waits for a service. `toResume`: how an interrupted run is resumed. */
export function delayReporter(server: URL, say: ListScreen['say'], toResume: string): (delay: Delay) => void {
  const advice = `Ctrl-C loses nothing: ${toResume}`;
  return (delay) => {
    switch (delay.kind) {
      case 'refused':
        return say(refusalWords(delay, advice));
      case 'gone': {
        const { message } = failureError({ kind: 'unreachable', reason: delay.reason }, server);
        return say(`${message}; trying again for ${briefDuration(delay.forMs)}. ${advice}`);
      }
      case 'back':
        return say('the service is back');
      case 'broken':
        return say(`${count(delay.connections, 'connection')} to the service broke; connecting again`);
    }
  };
}

function refusalWords({ detail, waitMs }: Extract<Delay, { kind: 'refused' }>, advice: string): string {
  const now = new Date();
  const until = localTime(new Date(now.getTime() + waitMs), now);
  const when = `waiting until ${until} (${formatDurationMs(waitMs)})`;
  const words = `${detail || 'the service is refusing new jobs'}; ${when}`;
  return waitMs < WORTH_ADVICE_MS ? words : `${words}. ${advice}`;
}

/** Shorter waits need no advice. */
const WORTH_ADVICE_MS = 60_000;
