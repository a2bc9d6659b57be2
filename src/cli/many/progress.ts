import { printable } from '../../reading/words/printable.ts';
import { count, thousands } from '../../reading/words/quantities.ts';
import type { Io } from '../process/io.ts';
import { LiveDisplay } from '../view/live-display.ts';

/** How far a list of names is. */
export interface Tally {
  /** Undefined as long as the list is still read. */
  readonly total: number | undefined;
  readonly agreed: number;
  readonly trouble: number;
  /** Names that could not be done, and lines that are none. */
  readonly failed: number;
  /** Names that a run before has done. */
  readonly skipped: number;
  readonly elapsedMs: number;
}

/** How far it is, in one line: with a guess at the time left as soon as there is something to guess from. */
export function progressLine(tally: Tally): string {
  const { total, skipped, elapsedMs } = tally;
  const worked = workedAt(tally);
  const of = total === undefined ? '' : ` of ${thousands(total)}`;
  const rate = worked / (elapsedMs / 1_000);
  const left = total === undefined ? undefined : total - skipped - worked;
  const guess =
    left === undefined || worked < WORTH_GUESSING || left === 0
      ? ''
      : `, ${rate.toFixed(1)} a second, about ${roughTime(left / rate)} left`;
  return `${thousands(worked + skipped)}${of} names${guess}${troubleWords(tally)}`;
}

/** What a list came to, in one line. */
function closingLine(tally: Tally): string {
  const { skipped, agreed } = tally;
  const before = skipped === 0 ? '' : `, ${thousands(skipped)} done before`;
  return `${count(workedAt(tally) + skipped, 'name')}: ${thousands(agreed)} healthy${troubleWords(tally)}${before}`;
}

/** A guess from fewer names is none. */
const WORTH_GUESSING = 3;

function workedAt({ agreed, trouble, failed }: Tally): number {
  return agreed + trouble + failed;
}

function troubleWords({ trouble, failed }: Tally): string {
  const parts = [
    ...(trouble > 0 ? [`${thousands(trouble)} with trouble`] : []),
    ...(failed > 0 ? [`${thousands(failed)} not done`] : []),
  ];
  return parts.length === 0 ? '' : `, ${parts.join(', ')}`;
}

function roughTime(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

/** What people are told on stderr while a list is worked at. */
export interface Teller {
  /** A line that stays. */
  readonly say: (line: string) => void;
  readonly stop: () => void;
}

const REPAINT_MS = 200;

/** Shows how far it is on stderr, if that is a terminal and results do not go to one. */
export function tellProgress(tally: () => Tally, results: 'stdout' | 'file', io: Io): Teller {
  const { stderr, stdout, env } = io;
  const say = (line: string) => {
    stderr.write(`svc: ${printable(line)}\n`);
  };
  const isMixed = results === 'stdout' && stdout.isTTY === true;
  if (stderr.isTTY !== true || env.TERM === 'dumb' || isMixed) return { say, stop: () => {} };
  const display = new LiveDisplay(stderr);
  const timer = setInterval(() => {
    display.show([progressLine(tally()).slice(0, (stderr.columns || 80) - 1)]);
  }, REPAINT_MS);
  return {
    say: (line) => {
      display.clear();
      say(line);
    },
    stop: () => {
      clearInterval(timer);
      display.clear();
      say(closingLine(tally()));
    },
  };
}
