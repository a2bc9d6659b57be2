import { drawingFrom } from '../../chance.ts';
import type { ExchangeRow } from '../../document/exchanges.ts';
import type { TraversalResult } from '../../document/result.ts';
import { endWords, namelessEndWords } from '../../reading/end-words.ts';
import { type Hop, onePath, otherwise } from '../../reading/steps/one-path.ts';
import { isImagined, type PickView, zoneAfter } from '../../reading/steps/pick-views.ts';
import { bothReadingsWords } from '../../reading/validated/validation-words.ts';
import { plannedWords, whatIfWords } from '../../reading/what-if-words.ts';
import { plain } from '../../reading/words/names.ts';
import { percentage } from '../../reading/words/percent.ts';
import { printable } from '../../reading/words/printable.ts';
import { count, large, octets, time } from '../../reading/words/quantities.ts';
import { securityWords } from '../../reading/words/security-words.ts';
import { questionKey } from '../../wire/question.ts';
import type { ResourceRecord } from '../../wire/record.ts';

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
  return validating === undefined
    ? []
    : [`;; Validating resolvers get ${bothReadingsWords(validating, 'terse')}`];
}

function hopLines({ step, pick }: Hop, before: Hop | undefined, result: TraversalResult): readonly string[] {
  const { name, address, source, exchange, next, account } = pick;
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
      : heardLines(exchange, server, securityWords(account.security));
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
  const { failure, rcode, bytes = 0, rttMs = 0, elapsedMs, attempts } = exchange;
  if (failure !== undefined)
    return [`;; ${failure}: ${server}, ${count(attempts, 'try', 'tries')} in ${time(elapsedMs)}`];
  const status = rcode === 'NOERROR' ? '' : `${rcode}: `;
  return [
    ...Array.from(recordsOf(exchange), recordLine),
    ...(exchange.recordsOmitted ? [';; Records left out'] : []),
    `;; ${status}Received ${octets(bytes)} from ${server} in ${time(rttMs)}${verdict === undefined ? '' : `, ${verdict}`}`,
  ];
}

/** The answer; without one, what stands in its place. */
function recordsOf({ answer = [], authority = [] }: ExchangeRow): Iterable<ResourceRecord> {
  return answer.length > 0 ? answer : authority;
}

function recordLine({ name, ttl, class: recordClass = 'IN', type, data }: ResourceRecord): string {
  return [name, ttl, recordClass, type, data].join('\t');
}
