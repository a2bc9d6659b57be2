import type { Question } from '../../dns/message.ts';
import { count, thousands, time } from '../../document/words/quantities.ts';
import { printable } from '../../document/words/shortened.ts';
import type { Pace } from '../../exchange/pacer.ts';
import { painter } from '../../report/text/table.ts';
import { Progress } from '../../report/views/progress.ts';
import { EXIT, type ExitStatus } from '../process/errors.ts';
import { type ColourFlag, canRepaint, colourFor, type Io, marksFor } from '../process/io.ts';
import { cutLine, type Live, NOT_LIVE, showLive } from '../view/live.ts';
import { headline } from '../view/summary-frame.ts';
import type { ListSize } from './name-list.ts';

/** How far a list of names is: what was counted, and what is being traversed. */
export class Tally {
  /** Of `performance.now`. */
  readonly startedAt = performance.now();
  /** Names that are being traversed, in the order in which they were begun. */
  readonly running = new Set<Progress>();
  readonly counts = { agreed: 0, trouble: 0, failed: 0, skipped: 0 };
  readonly exchanges = { exchanges: 0, shared: 0 };
  /** Names that were counted beside those of the list, as they came up. */
  added = 0;
  /** The highest exit status so far. */
  status: ExitStatus = EXIT.agreed;

  begin(question: Question): Progress {
    const progress = new Progress();
    progress.question = question;
    this.running.add(progress);
    return progress;
  }

  /** Counts the exchanges of a name. */
  add({ exchanges, shared }: ExchangeCounts): void {
    this.exchanges.exchanges += exchanges;
    this.exchanges.shared += shared;
  }

  /** Counts a name or line. */
  note(status: ExitStatus, kind: keyof NameCounts = COUNTED_AS[status]): void {
    this.counts[kind] += 1;
    if (status > this.status) this.status = status;
  }
}

/** What was counted of a list of names. */
export interface NameCounts {
  /** Names whose paths agree. */
  readonly agreed: number;
  readonly trouble: number;
  /** Names that could not be done, and lines that hold no name. */
  readonly failed: number;
  /** Names that an earlier run did. */
  readonly skipped: number;
}

/** What was counted of the exchanges of all names. */
interface ExchangeCounts {
  readonly exchanges: number;
  /** For how many of them nothing was sent. */
  readonly shared: number;
}

const COUNTED_AS: Readonly<Record<ExitStatus, keyof NameCounts>> = {
  [EXIT.agreed]: 'agreed',
  [EXIT.trouble]: 'trouble',
  [EXIT.usage]: 'failed',
  [EXIT.notDone]: 'failed',
  [EXIT.interrupted]: 'failed',
};

/** How far a list is, in one line, with an estimate of the time left. `total`: undefined while the list is being read. */
export function progressLine(counts: NameCounts, total: number | undefined, elapsedMs: number): string {
  const { skipped } = counts;
  const worked = workedAt(counts);
  const of = total === undefined ? '' : ` of ${thousands(total)}`;
  const rate = worked / (elapsedMs / 1_000);
  const left = total === undefined ? undefined : total - skipped - worked;
  const estimate =
    left === undefined || worked < WORTH_ESTIMATING || left === 0
      ? ''
      : `, ${rate.toFixed(1)} a second, about ${roughTime(left / rate)} left`;
  return `${thousands(namesCounted(counts))}${of} names${estimate}${troubleWords(counts)}`;
}

/** What a list came to, in one line. */
export function closingLine(
  counts: NameCounts,
  { exchanges, shared }: ExchangeCounts,
  elapsedMs: number,
): string {
  const { skipped, agreed } = counts;
  const before = skipped === 0 ? '' : `, ${thousands(skipped)} done before`;
  const worked = workedAt(counts);
  const names = `${count(namesCounted(counts), 'name')}: ${thousands(agreed)} healthy${troubleWords(counts)}${before}`;
  if (worked === 0) return names;
  const sharing = shared === 0 ? '' : ` (${thousands(shared)} shared)`;
  const rate = (worked / (elapsedMs / 1_000)).toFixed(1);
  return `${names}; ${count(exchanges, 'exchange')}${sharing} in ${time(elapsedMs)}, ${rate} names a second`;
}

/** Fewer names tell too little. */
const WORTH_ESTIMATING = 3;

/** How many names and lines were counted. */
export function namesCounted(counts: NameCounts): number {
  return workedAt(counts) + counts.skipped;
}

function workedAt({ agreed, trouble, failed }: NameCounts): number {
  return agreed + trouble + failed;
}

function troubleWords({ trouble, failed }: NameCounts): string {
  const parts = [
    ...(trouble > 0 ? [`${thousands(trouble)} with trouble`] : []),
    ...(failed > 0 ? [`${thousands(failed)} not done`] : []),
  ];
  return parts.length === 0 ? '' : `, ${parts.join(', ')}`;
}

/** A time for people that need not be exact: "9 h". */
function roughTime(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

/** What people are told on stderr while a list is worked on, and the live lines below it. */
export interface ListScreen extends Live {
  /** Prints a line that stays. */
  readonly say: (line: string) => void;
  /** Says what the run came to. */
  readonly close: () => void;
  /** Whether anybody sees how far names are. */
  readonly audience: 'some' | 'none';
}

/**
 * Shows how far a list is and which names are being traversed, if stderr is a terminal. `total`: the number of names,
 * undefined while the list is being read.
 */
export function openScreen(
  tally: Tally,
  total: () => number | undefined,
  flags: ColourFlag & { readonly quiet?: true },
  { stderr, env }: Io,
): ListScreen {
  const isLive = canRepaint(stderr, env);
  const paint = painter(colourFor(flags, stderr, env), marksFor(env));
  const live = isLive
    ? showLive(stderr, ({ columns, rows }) => {
        const now = performance.now();
        const first = progressLine(tally.counts, total(), now - tally.startedAt);
        const names = [...tally.running]
          .slice(0, Math.min(MOST_NAMES, rows - 1))
          .map((progress) => [{ text: '  ' }, ...headline(progress, now - progress.startedAt)]);
        return [[{ text: first }], ...names].map((line) => cutLine(line, columns, paint));
      })
    : NOT_LIVE;
  const say = (line: string) => {
    live.clear();
    stderr.write(`svc: ${printable(line)}\n`);
  };
  const close = () => {
    if (flags.quiet || namesCounted(tally.counts) === 0) return;
    say(closingLine(tally.counts, tally.exchanges, performance.now() - tally.startedAt));
  };
  return { ...live, say, close, audience: isLive ? 'some' : 'none' };
}

/** The most names shown, those that take longest. */
const MOST_NAMES = 4;

/** Shorter runs need no notice. */
const WORTH_TELLING_S = 60;

/**
 * What the pace costs a run in which each name is asked of each root server, in one line; undefined if that is
 * not much.
 */
export function paceNotice(
  size: ListSize,
  { ratePerAddress, ratePerPrefix = 0 }: Pick<Pace, 'ratePerAddress' | 'ratePerPrefix'>,
): string | undefined {
  const rate = Math.min(...[ratePerAddress, ratePerPrefix].filter((limit) => limit > 0));
  const seconds = size.names / rate;
  if (seconds < WORTH_TELLING_S) return undefined;
  const names = `${size.kind === 'estimated' ? 'about ' : ''}${count(size.names, 'name')}`;
  const place = rate === ratePerAddress ? 'one address' : 'one prefix';
  return `${names} at ${count(rate, 'query', 'queries')} a second to ${place}: about ${roughTime(seconds)}, because every root server is asked for every name; --share asks it once for each top-level domain`;
}
