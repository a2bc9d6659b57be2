import { printable } from '../../reading/words/printable.ts';
import { painter } from '../../report/table/paint.ts';
import { type ColourFlag, colourFor } from '../process/colour.ts';
import { canRepaint, type Io } from '../process/io.ts';
import { cutLine } from '../view/line.ts';
import { NOT_LIVE, showLive } from '../view/live.ts';
import { headline } from '../view/summary-frame.ts';
import { closingLine, progressLine, type Tally } from './tally.ts';

/** What people are told on stderr while a list is worked on. */
export interface ListScreen {
  /** Prints a line that stays. */
  readonly say: (line: string) => void;
  /** Takes away what is not to stay, before something else is written to the terminal. */
  readonly clear: () => void;
  /** Takes it away for good. */
  readonly stop: () => void;
  /** Says what the run came to. */
  readonly close: () => void;
  /** Whether anybody sees how far names are. */
  readonly audience: 'some' | 'none';
}

/** A list that is being worked on. */
interface ListInWork {
  readonly tally: Tally;
  /** The number of names; undefined while the list is being read. */
  readonly total: () => number | undefined;
}

/** Options that say what is shown. */
type ScreenFlags = ColourFlag & { readonly quiet?: true };

/** Shows how far a list is and which names are being traversed, if stderr is a terminal. */
export function openScreen(
  { tally, total }: ListInWork,
  flags: ScreenFlags,
  { stderr, env }: Io,
): ListScreen {
  const { quiet } = flags;
  const isLive = canRepaint(stderr, env);
  const paint = painter(colourFor(flags, stderr, env));
  const live = isLive
    ? showLive(stderr, ({ columns, rows }) => {
        const now = performance.now();
        const first = progressLine(tally.counts, total(), now - tally.startedAt);
        const names = tally.running
          .slice(0, Math.min(MOST_NAMES, rows - 1))
          .map((progress) => [{ text: '  ' }, ...headline(progress, now - progress.startedAt)]);
        return [[{ text: first }], ...names].map((line) => cutLine(line, columns, paint));
      })
    : NOT_LIVE;
  const say = (line: string) => {
    live.clear();
    stderr.write(`svc: ${printable(line)}\n`);
  };
  const stop = live.stop;
  const close = () => {
    const isNothing = Object.values(tally.counts).every((counted) => counted === 0);
    if (quiet || isNothing) return;
    say(closingLine(tally.counts, tally.exchanges, performance.now() - tally.startedAt));
  };
  return { say, clear: live.clear, stop, close, audience: isLive ? 'some' : 'none' };
}

/** The most names shown, those that take longest. */
const MOST_NAMES = 4;
