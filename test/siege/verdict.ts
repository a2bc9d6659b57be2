import { say, shown } from '../bench/figures.ts';

/** Says what a siege came to. A promise that was not kept makes it fail. */
export function judge(what: string, figures: string, kept: boolean): void {
  say(what, kept ? figures : `${figures}: BROKEN`);
  if (!kept) process.exitCode = 1;
}

/** The same of a time in milliseconds, which has a bound. One that is unknown is not within it. */
export function judgeTime(what: string, ms: number, mostMs: number): void {
  judge(what, `${shown(ms)} (at most ${shown(mostMs)})`, ms <= mostMs);
}
