import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { say, shown } from '../bench/figures.ts';
import { ended, type Ran } from '../cli/svc.ts';

const SVC = fileURLToPath(new URL('../../bin/svc.js', import.meta.url));
const LOOK_EVERY_MS = 10;

/** A run of the program, how long it took and the most memory it had, in octets. */
interface Measured extends Ran {
  readonly signal: NodeJS.Signals | null;
  readonly tookMs: number;
  readonly peak: number;
}

/** What is done to a run. */
interface Doings {
  /** Ctrl-C after so many milliseconds. */
  readonly interruptAfterMs?: number;
  /** Whether what it writes to stdout is read, or goes nowhere. */
  readonly stdout?: 'pipe' | 'ignore';
}

/** Runs the built program to its end. */
export async function runMeasured(args: readonly string[], doings: Doings = {}): Promise<Measured> {
  const { interruptAfterMs, stdout = 'pipe' } = doings;
  const begin = performance.now();
  const child = spawn(process.execPath, [SVC, ...args], { stdio: ['ignore', stdout, 'pipe'] });
  const { pid } = child;
  let peak = 0;
  const looking = setInterval(() => {
    if (pid !== undefined && child.exitCode === null) peak = Math.max(peak, memoryOf(pid).peak);
  }, LOOK_EVERY_MS);
  const interrupting =
    interruptAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGINT'), interruptAfterMs);
  const ran = await ended(child);
  clearInterval(looking);
  clearTimeout(interrupting);
  return { ...ran, signal: child.signalCode, tookMs: performance.now() - begin, peak };
}

/** The memory of a process now, and the most it had, in octets; 0 when it has ended. */
export function memoryOf(pid: number): { readonly rss: number; readonly peak: number } {
  const text = statusOf(pid);
  const of = (field: string) => Number(new RegExp(`${field}:\\s+(\\d+)`).exec(text)?.[1] ?? '0') * 1_024;
  return { rss: of('VmRSS'), peak: of('VmHWM') };
}

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}

/** Says what a siege came to. A promise that was not kept makes it fail. */
export function judge(what: string, figures: string, kept: boolean): void {
  say(what, kept ? figures : `${figures}: BROKEN`);
  if (!kept) process.exitCode = 1;
}

/** The same of a time in milliseconds, which has a bound. One that is unknown is not within it. */
export function judgeTime(what: string, ms: number, mostMs: number): void {
  judge(what, `${shown(ms)} (at most ${shown(mostMs)})`, ms <= mostMs);
}
