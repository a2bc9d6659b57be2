import { jsonLine } from '../../base/json.ts';
import type { JobEvent } from '../../document/events.ts';
import type { ListedServer } from '../../document/servers.ts';
import { painter } from '../../report/text/table.ts';
import { isPublished, type Progress, type RunEvent } from '../../traversal/progress.ts';
import { ServersMet, serverIn } from '../../traversal/servers-met.ts';
import { skipped } from '../../traversal/survey.ts';
import { EXIT } from '../process/errors.ts';
import {
  type ColourFlag,
  canRepaint,
  colourFor,
  type Io,
  type OutputStream,
  whenUnread,
} from '../process/io.ts';
import { type Live, NOT_LIVE, showLive } from './live.ts';
import { summaryFrame } from './summary-frame.ts';

/** Shows on stderr how far a run is, if that is a terminal. */
export async function showProgress(progress: Progress, flag: ColourFlag, { stderr, env }: Io): Promise<Live> {
  if (!canRepaint(stderr, env)) return NOT_LIVE;
  const paint = painter(colourFor(flag, stderr, env));
  return showLive(stderr, (room) =>
    summaryFrame(progress, performance.now() - progress.startedAt, room, paint),
  );
}

/** Writes the events of a run as they happen. */
interface EventWriter {
  readonly write: (event: RunEvent) => void;
  readonly stop: () => void;
}

/** Writes each event as a line. Once the reader has gone, nothing more is written; the run goes on. */
export function eventWriter(stream: OutputStream, lineOf: (event: JobEvent) => string): EventWriter {
  let write = (event: JobEvent) => {
    stream.write(lineOf(event));
  };
  const stop = whenUnread(stream, () => {
    write = () => {};
  });
  return {
    write: (event) => {
      if (isPublished(event)) write(event);
    },
    stop,
  };
}

/** Events as lines of JSON. */
export function jsonWriter(stream: OutputStream): EventWriter {
  return eventWriter(stream, jsonLine);
}

/** Where events are not written. */
export const NO_EVENTS: EventWriter = { write: () => {}, stop: () => {} };

/** The servers that the events of a run have shown so far: what there is of a list that is not ready. */
export class ServersByNow {
  #met = new ServersMet();
  readonly #known = new Map<string, ListedServer>();

  note(event: RunEvent): void {
    if (event.event === 'started') this.#met = new ServersMet();
    if (event.event === 'exchange') this.#met.note(serverIn(event));
    if (event.event === 'identified') this.#known.set(event.server.address, event.server);
  }

  /** Those that are settled, then those that replied and have not said what they are. */
  list(): readonly ListedServer[] {
    const unsettled = this.#met
      .list()
      .filter(({ address, reaction }) => reaction === 'replied' && !this.#known.has(address));
    return [
      ...this.#known.values(),
      ...unsettled.map(({ reaction: _, allNames: __, ...met }) => ({ ...met, ...skipped('time') })),
    ];
  }
}

/** Why a job does not tell all that it could; undefined for one that does. */
export function whyIncomplete({ complete, heard, replies }: Progress): string | undefined {
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
