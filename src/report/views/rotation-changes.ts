/* Tells answers that rotate from answers that changed: svc-model(7), ANSWERS THAT VARY. */

import { getOrMake } from '../../base/memo.ts';
import { isAtOrBelow, type Name } from '../../dns/name.ts';
import { dataOf, type OutcomeRow, rotates } from '../../document/ends.ts';
import type { Finding } from '../../document/finding.ts';
import type { TraversalResult } from '../../document/result.ts';
import { everyView } from '../../document/views.ts';
import { firstOfEach } from '../../document/words/lists.ts';
import { type End, endKey } from '../../evaluate/end.ts';

/** What is known of answers that rotate, from results for one question. */
export interface KnownRotation {
  /** By `endKey`: the data that the server rotates over. */
  readonly pools: ReadonlyMap<string, ReadonlySet<string>>;
  /** By `endKey`: the data behind aliases that rotate, which not every walk hears of. */
  readonly behindAliases: ReadonlyMap<string, string>;
  /** The findings that say so. */
  readonly findings: readonly Finding[];
}

/** Nothing that rotates is known. */
export const NO_ROTATION: KnownRotation = { pools: new Map(), behindAliases: new Map(), findings: [] };

/** What results say of answers that rotate, taken together. */
export function rotationIn(results: readonly TraversalResult[], known = NO_ROTATION): KnownRotation {
  const pools = new Map([...known.pools].map(([key, data]) => [key, new Set(data)]));
  const behindAliases = new Map(known.behindAliases);
  for (const end of results.flatMap(everyView).flatMap(({ outcomes }) => outcomes)) {
    if (end.kind !== 'answer') continue;
    const data = dataOf(end.records);
    if (end.varies) for (const one of data) getOrMake(pools, endKey(end), () => new Set<string>()).add(one);
    if (end.rotatesWith !== undefined) behindAliases.set(endKey(end), data.join('\n'));
  }
  const findings = [...results.flatMap((one) => one.findings), ...known.findings].filter(saysSo);
  return { pools, behindAliases, findings: firstOfEach(findings, ({ zone = '-' }) => zone) };
}

function saysSo({ code }: Finding): boolean {
  return code === 'ANSWERS_ROTATE';
}

/** What is remembered of rotation from round to round, and for how many rounds nothing rotated. */
interface RememberedRotation {
  readonly known: KnownRotation;
  readonly still: number;
}

/** Nothing is remembered before the first round. */
export const NOTHING_REMEMBERED: RememberedRotation = { known: NO_ROTATION, still: 0 };

/** After so many rounds in which nothing rotates, rotation has ended: fewer may show the same by chance. */
const ROUNDS_TO_END = 20;

/** What is remembered after one more round. */
export function remembering(
  { known, still }: RememberedRotation,
  result: TraversalResult,
): RememberedRotation {
  if (result.findings.some(saysSo)) return { known: rotationIn([result], known), still: 0 };
  return still + 1 >= ROUNDS_TO_END ? NOTHING_REMEMBERED : { known, still: still + 1 };
}

/** Whether an answer is some of what its server rotates over. */
export function isRotating(end: End, { pools }: KnownRotation): boolean {
  if (end.kind !== 'answer') return false;
  const pool = pools.get(endKey(end));
  return pool !== undefined && dataOf(end.records).every((one) => pool.has(one));
}

/** Whether an answer is behind an alias that rotates: whether walks come there, and how often, is chance. */
export function isByChance(
  end: OutcomeRow,
  other: OutcomeRow | undefined,
  { behindAliases }: KnownRotation,
): boolean {
  if (end.kind !== 'answer') return false;
  const isBehind = rotates(end) || behindAliases.has(endKey(end));
  return isBehind && (other === undefined || sameData(end, other));
}

function sameData(one: End, other: End): boolean {
  if (one.kind !== 'answer' || other.kind !== 'answer') return false;
  return dataOf(one.records).join('\n') === dataOf(other.records).join('\n');
}

/** Whether what a result says of a zone depends on the alias that a walk heard of first. */
export function isHeardByChance(
  zone: Name | undefined,
  name: Name,
  { behindAliases }: KnownRotation,
): boolean {
  return behindAliases.size > 0 && zone !== undefined && !isAtOrBelow(name, zone);
}
