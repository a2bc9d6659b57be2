/* Tells one path of a result as text, as `dig +trace` does. */

import { type Draw, drawingFrom } from '../base/chance.ts';
import { questionKey } from '../dns/message.ts';
import type { ResourceRecord } from '../dns/record.ts';
import type { ExchangeRow } from '../document/exchanges.ts';
import type { TraversalResult } from '../document/result.ts';
import type { StepRow } from '../document/steps.ts';
import { endWords, namelessEndWords } from '../document/words/end-words.ts';
import { plain } from '../document/words/names.ts';
import { count, large, octets, percentage, time } from '../document/words/quantities.ts';
import { verdictWords } from '../document/words/security-words.ts';
import { printable } from '../document/words/shortened.ts';
import type { End } from '../evaluate/end.ts';
import { commonDenominator, type Fraction, ONE, readFraction, sum } from '../evaluate/fraction.ts';
import { contentKey, ownEffect } from './views/effects.ts';
import { isImagined, type PickView, picksAt, zoneAfter } from './views/picks.ts';
import { resultIndex } from './views/result-index.ts';
import { plannedWords, summaryLine, whatIfWords } from './views/wording.ts';

/**
 * One path of a result, chosen by the seed with the shares of the path view, as `dig +trace` prints one: the
 * records of each reply, and whom it came from. Safe to print.
 */
export function traceText(result: TraversalResult, seed: number): string {
  const path = onePath(result, drawingFrom(seed));
  const imagined = result.whatIf === undefined ? '' : ` if ${whatIfWords(result.whatIf)}`;
  const asked = `; ${questionKey(result.query)}${imagined}: one path, seed ${seed}`;
  if (path === undefined) return linesOf([asked, ';; no step was made']);
  const { hops, end } = path;
  const share = otherwise(result, end);
  const others = share.numerator === 0n ? 'all of them end so' : `${percentage(share)} of them end otherwise`;
  return linesOf([
    asked,
    ...hops.flatMap((hop, at) => ['', ...hopLines(hop, hops[at - 1], result)]),
    ...(hops.length === 0 ? ['', `;; ${endWords(end)}`] : []),
    '',
    `;; End: ${endWords(end)}`,
    `;; One of ${pathsWords(result)}; ${others}`,
    ...validatingLines(result),
  ]);
}

function linesOf(lines: readonly string[]): string {
  return lines.map((line) => `${line.split('\t').map(printable).join('\t')}\n`).join('');
}

function pathsWords({ stats: { paths } }: TraversalResult): string {
  return paths === '1' ? '1 path' : `${large(paths)} paths`;
}

/** The path is one of all users': what those get whose resolver validates is more than one path can tell. */
function validatingLines({ validating }: TraversalResult): readonly string[] {
  if (validating === undefined) return [];
  return [`;; Validating resolvers get ${summaryLine(validating.summary, 'terse')}`];
}

function hopLines({ step, pick }: Hop, before: Hop | undefined, result: TraversalResult): readonly string[] {
  const { name, address, source, exchange, next, reply } = pick;
  const isOther = before !== undefined && questionKey(before.step.question) !== questionKey(step.question);
  const alias = isOther
    ? [`;; Alias: now ${questionKey(step.question)}, from the servers of ${step.zone}`]
    : [];
  if (address === undefined)
    return [...alias, `;; ${name} of ${step.zone}: ${next.kind === 'end' ? namelessEndWords(next.end) : ''}`];
  const server = `${address}#${result.options.port}(${plain(name)})`;
  const lookedUp = source === 'lookup' ? [`;; The address of ${name} was looked up`] : [];
  if (isImagined(pick)) return [...alias, ...lookedUp, `;; timeout, imagined: ${server}`];
  const heard =
    exchange === undefined
      ? [`;; ${next.kind === 'end' ? endWords(next.end) : 'not asked'}: ${server}`]
      : heardLines(exchange, server, verdictWords(reply.security, step.zone));
  return [...alias, ...lookedUp, ...heard, ...planLines(pick, result)];
}

/** What a path goes on with, where that is not what the reply says. */
function planLines({ basis, next }: PickView, { whatIf }: TraversalResult): readonly string[] {
  if (basis === 'reply') return [];
  const zone = zoneAfter(next);
  const planned = whatIf?.delegate.filter((one) => one.zone === zone) ?? [];
  return planned.map((one) => `;; Planned instead of this reply: ${plannedWords(one)}`);
}

function heardLines(exchange: ExchangeRow, server: string, verdict: string | undefined): readonly string[] {
  const { failure, rcode, bytes = 0, rttMs = 0, elapsedMs, attempts, planned } = exchange;
  if (failure !== undefined)
    return [`;; ${failure}: ${server}, ${count(attempts, 'try', 'tries')} in ${time(elapsedMs)}`];
  const status = rcode === 'NOERROR' ? '' : `${rcode}: `;
  const came = planned
    ? `Planned for ${server}`
    : `Received ${octets(bytes)} from ${server} in ${time(rttMs)}`;
  return [
    ...Array.from(recordsOf(exchange), recordLine),
    ...(exchange.recordsOmitted ? [';; Records left out'] : []),
    `;; ${status}${came}${verdict === undefined ? '' : `, ${verdict}`}`,
  ];
}

/** The answer; without one, what stands in its place. */
function recordsOf({ answer = [], authority = [] }: ExchangeRow): Iterable<ResourceRecord> {
  return answer.length > 0 ? answer : authority;
}

function recordLine({ name, ttl, class: recordClass = 'IN', type, data }: ResourceRecord): string {
  return [name, ttl, recordClass, type, data].join('\t');
}

/** One step of a path, and what was picked there. */
interface Hop {
  readonly step: StepRow;
  readonly pick: PickView;
}

/** One path of the path view: its steps in order, and where it stops. */
interface OnePath {
  readonly hops: readonly Hop[];
  readonly end: End;
}

/** One path of a result, picked at each step with the shares of the path view; undefined where there is none. */
export function onePath(result: TraversalResult, draw: Draw): OnePath | undefined {
  const index = resultIndex(result);
  if (index.begin === undefined) return undefined;
  const hops: Hop[] = [];
  let next = index.next(index.begin);
  while (next.kind === 'step') {
    const { step } = next;
    const pick = drawn(picksAt({ steps: [step], share: () => ONE }, index, ownEffect), draw);
    hops.push({ step, pick });
    next = pick.next;
  }
  return { hops, end: next.end };
}

/** One of some picks whose probabilities add up to 1. */
function drawn(picks: readonly PickView[], draw: Draw): PickView {
  const shares = picks.map((pick) => ({ pick, share: pick.probability() }));
  const whole = commonDenominator(shares.map(({ share }) => share.denominator));
  let left = draw(whole);
  for (const { pick, share } of shares) {
    const { numerator, denominator } = share;
    left -= numerator * (whole / denominator);
    if (left < 0n) return pick;
  }
  throw new Error('the shares of a step do not add up to 1');
}

/** The share of paths that end in something else than this. */
export function otherwise({ outcomes }: TraversalResult, end: End): Fraction {
  const key = contentKey(end);
  const others = outcomes.filter((other) => contentKey(other) !== key);
  return sum(others.map(({ fraction }) => readFraction(fraction)));
}
