import type { TraversalEvent } from '../../document/events.ts';
import type { Format } from '../flags/format.ts';
import { type Interruption, interruption } from '../process/interruption.ts';
import type { Io } from '../process/io.ts';
import { frame, type Stage } from './frame.ts';
import { jsonLine } from './json.ts';
import { LiveDisplay } from './live-display.ts';

/** What a command gives a traversal, to be told of it and to cancel it. */
export interface Watch extends Pick<Interruption, 'signal' | 'by'> {
  readonly emit: (event: TraversalEvent) => void;
  /** Takes the display away and listens no more. */
  readonly stop: () => void;
}

/**
 * Shows a traversal while it runs: as events on stdout, if that is the format, and as a live display
 * on stderr, if that is a terminal of its own. A signal cancels it; so does the loss of the events' reader.
 */
export function watchTraversal(format: Format, io: Io): Watch {
  const { signal, by, stop } = interruption(io);
  const live = isForPeople(format, io) ? liveView(io) : undefined;
  return {
    signal,
    by,
    emit: (event) => {
      if (format.kind === 'jsonl' && by() !== 'lost-reader') io.stdout.write(jsonLine(event));
      live?.emit(event);
    },
    stop: () => {
      stop();
      live?.stop();
    },
  };
}

function isForPeople({ kind }: Format, { stdout, stderr, env }: Io): boolean {
  return stderr.isTTY === true && env.TERM !== 'dumb' && !(kind === 'jsonl' && stdout.isTTY === true);
}

const REPAINT_MS = 100;

function liveView(io: Io) {
  const display = new LiveDisplay(io.stderr);
  const start = performance.now();
  let stage: Stage = { question: '', heard: 0, waiting: 0, elapsedMs: 0, summary: [] };
  const timer = setInterval(() => {
    display.show(frame({ ...stage, elapsedMs: performance.now() - start }, io.stderr.columns || 80));
  }, REPAINT_MS);
  return {
    emit: (event: TraversalEvent) => {
      stage = advanced(stage, event);
    },
    stop: () => {
      clearInterval(timer);
      display.clear();
    },
  };
}

function advanced(stage: Stage, event: TraversalEvent): Stage {
  switch (event.event) {
    case 'started':
      return { ...stage, question: `${event.query.name} ${event.query.type}` };
    case 'exchange':
      return { ...stage, heard: stage.heard + 1, waiting: Math.max(0, stage.waiting - 1) };
    case 'progress':
      return { ...stage, heard: event.exchanges, waiting: event.pending, summary: event.summary };
    case 'complete':
      return stage;
  }
}
