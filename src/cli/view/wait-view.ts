/* Shows on stderr how a wait stands: a line for each change, and on a terminal what goes on meanwhile. */

import type { Question } from '../../dns/message.ts';
import { summaryOf } from '../../document/ends.ts';
import type { TraversalResult } from '../../document/result.ts';
import { viewsOf } from '../../document/views.ts';
import { firstOfEach, listed } from '../../document/words/lists.ts';
import { durationWords, momentWords } from '../../document/words/moments.ts';
import { asked } from '../../document/words/names.ts';
import { printable } from '../../document/words/shortened.ts';
import { painter } from '../../report/text/table.ts';
import { verdictRow } from '../../report/views/conclusion.ts';
import { Progress, type RunEvent } from '../../report/views/progress.ts';
import { whoseWords } from '../../report/views/users.ts';
import { summaryLine } from '../../report/views/wording.ts';
import { briefDuration } from '../flags/limit-option.ts';
import type { Heard, Standing, Told, Waiting } from '../many/waiting.ts';
import { obstacleWords } from '../many/watch-again.ts';
import { type ColourFlag, canRepaint, colourFor, type Io, marksFor } from '../process/io.ts';
import type { RunObserver } from '../runner/runner.ts';
import { cutLine, NOT_LIVE, type Room, showLive } from './live.ts';
import { summaryFrame } from './summary-frame.ts';
import { closingWords } from './write-result.ts';

/** Shows a wait from now on, until it is stopped. */
export function showWaiting(wait: Wait, { stderr, env }: Pick<Io, 'stderr' | 'env'>): WaitView {
  const { clock, forMs, flags } = wait;
  const name = asked(wait.question);
  const start = clock.now();
  const isLive = canRepaint(stderr, env);
  const paint = painter(colourFor(flags, stderr, env), marksFor(env));
  let progress: Progress | undefined;
  const frame = (room: Room) => {
    if (progress !== undefined)
      return summaryFrame(progress, performance.now() - progress.startedAt, room, paint);
    const left = durationWords(Math.max(0, start + forMs - clock.now()));
    return [cutLine([{ text: `${name}: waiting, ${left} left`, style: 'faint' }], room.columns, paint)];
  };
  const live = isLive ? showLive(stderr, frame) : NOT_LIVE;
  const say = (text: string) => {
    live.clear();
    stderr.write(`svc: ${printable(text)}\n`);
  };
  /** The time of day at a time of the clock. */
  const timeAt = (at: number, now: number) => {
    const [then, today] = [at, now].map((ms) => new Date(wait.startedAt.getTime() + ms - start));
    return momentWords(then ?? wait.startedAt, today ?? wait.startedAt, wait.timeZone);
  };
  let said: string | undefined;
  const sayHow = (heard: Heard) => {
    const now = clock.now();
    const words = [
      ...standingWords(heard, wait),
      ...(heard.kind === 'held' ? [heldWords(heard, timeAt(heard.until, now))] : []),
      ...('oldTtls' in heard ? [OLD_TTLS_UNSEEN] : []),
    ].join('; ');
    if (words === said && !flags.verbose) return;
    const [subject, limit] =
      said === undefined ? [`${name}: `, `; waiting for up to ${durationWords(forMs)}`] : ['', ''];
    said = words;
    const isLate = heard.kind === 'held' && heard.until > start + forMs;
    const advice = isLate ? `, which is later than --for ${briefDuration(forMs)} allows` : '';
    say(`${timeAt(now, now)}  ${subject}${words}${advice}${heard.kind === 'expected' ? '' : limit}`);
  };
  return {
    during: async (traverse, signal) => {
      if (!isLive) return await traverse({ signal });
      const current = new Progress();
      progress = current;
      const tell = (event: RunEvent) => current.note(event);
      return await traverse({ signal, tell }).finally(() => {
        progress = undefined;
      });
    },
    tell: async (told) => {
      if (told.kind === 'lost') say(`${obstacleWords(told.obstacle, wait.server)}; trying again`);
      else if (told.kind === 'back') say('back again');
      else sayHow(told);
    },
    end: ({ kind }) => {
      if (kind !== 'expected')
        say(`${ENDS[kind]} after ${durationWords(clock.now() - start)} (--for waits longer)`);
    },
    stop: live.stop,
  };
}

/** What is waited for, as far as it shows. */
interface Wait extends Pick<Waiting, 'who' | 'forMs' | 'clock'> {
  readonly question: Question;
  readonly server: URL | undefined;
  readonly startedAt: Date;
  /** Absent: that of the reader. */
  readonly timeZone?: string;
  readonly flags: ColourFlag & { readonly verbose?: true };
}

/** Shows how a wait goes on. */
interface WaitView {
  /** Traverses, and shows meanwhile how far that is. */
  readonly during: <T>(traverse: (observer: RunObserver) => Promise<T>, signal: AbortSignal) => Promise<T>;
  readonly tell: (told: Told) => Promise<void>;
  /** Says how it ended, unless that is what was waited for. */
  readonly end: (standing: Standing) => void;
  readonly stop: () => void;
}

const ENDS: Readonly<Record<Exclude<Standing['kind'], 'expected'>, string>> = {
  unexpected: 'not as expected',
  held: 'resolvers can still hold old copies',
  unknown: 'not known whether users get what is expected',
  unheard: 'nothing is known',
};

/** What users get or how paths end, and what would tell more. */
function standingWords({ kind, result }: Heard, { who }: Wait): readonly string[] {
  // The verdict says itself which answers are not expected.
  const findings = result.findings.filter(({ code }) => code !== 'UNEXPECTED_ANSWER');
  const words = who === 'users' ? verdictRow({ ...result, findings }).text : pathWords(result);
  return kind === 'unknown' ? [words, ...closingWords(result)] : [words];
}

function pathWords(result: TraversalResult): string {
  const lines = viewsOf(result).flatMap(({ row, view }) =>
    row.of === 'tries' ? [{ whose: whoseWords(row), ends: summaryLine(summaryOf(view), 'terse') }] : [],
  );
  const [first, ...others] = firstOfEach(lines, ({ ends }) => ends);
  return [
    ...(first === undefined ? [] : [`${first.whose} end in ${first.ends}`]),
    ...others.map(({ whose, ends }) => `${whose} in ${ends}`),
  ].join('; ');
}

const OLD_TTLS_UNSEEN =
  'no other answer was seen, so the TTLs of old copies are unknown (--caches: begin before the change)';

function heldWords({ lives }: Extract<Heard, { kind: 'held' }>, until: string): string {
  const sum = lives.map(({ what, ttl }) => `${durationWords(ttl * 1_000)} for ${what}`);
  return `resolvers can hold old copies until ${until} (TTL: ${listed(sum, sum.length)})`;
}
