import type { Name } from '../../dns/name.ts';
import { comparableData } from '../../dns/record.ts';
import { isUsable } from '../../explore/meaning.ts';
import { addressesOf } from '../addresses-to-pick.ts';
import { certainly, type Distribution, type Outcome, outcomesOf } from '../distribution.ts';
import type { End } from '../end.ts';
import { add, type Fraction, fractionText, lowestTerms, ZERO } from '../fraction.ts';
import type { ResolverView } from '../resolver-view.ts';
import { type Step, type StepServer, type Visit, visitAt, type Walk, walkAfter } from '../step.ts';
import { mainSteps } from '../step-order.ts';

/**
 * A step of the cold main walk at which it matters which server a busy resolver stays with: it nearly always asks the
 * fastest one of a zone, so its users get what that server leads to. svc-model(7), PROFILES.
 */
export interface StickyStep {
  readonly step: Step;
  readonly rows: readonly StickyRow[];
  /** The row of the address that replied fastest here; undefined: none replied. */
  readonly fastest: number | undefined;
}

/** An address, and what users get whose resolver tries it first there, and then the others. */
export interface StickyRow {
  readonly server: Name;
  readonly address: string;
  /** Absent: it did not reply. */
  readonly rttMs?: number;
  readonly outcomes: readonly Outcome[];
}

/** More are no help to anybody. */
const MOST_STEPS = 16;
const MOST_ROWS = 64;

/** The steps where servers lead to different ends, as users see them: `shown` puts answers together that rotate. */
export function stickySteps(
  start: Walk,
  view: ResolverView,
  shown: (outcomes: readonly Outcome[]) => readonly Outcome[],
): readonly StickyStep[] {
  const sticky: StickyStep[] = [];
  for (const step of mainSteps(start)) {
    const rows = addressesAt(step)
      .slice(0, MOST_ROWS)
      .map(({ server, address }) => rowOf(step, server, address, view));
    const all = rows.map((row) => ({ ...row, outcomes: shown(outcomesOf(row.distribution)) }));
    if (new Set(all.map(({ outcomes }) => contentsOf(outcomes))).size < 2) continue;
    const shownRows = all.map(({ distribution: _, ...row }) => row);
    sticky.push({ step, rows: shownRows, fastest: fastestOf(shownRows) });
    if (sticky.length === MOST_STEPS) break;
  }
  return sticky;
}

interface PickedAddress {
  readonly server: StepServer;
  readonly address: string;
}

function addressesAt({ servers }: Step): readonly PickedAddress[] {
  const all = new Map<string, PickedAddress>();
  for (const server of servers)
    for (const address of addressesOf(server)) if (!all.has(address)) all.set(address, { server, address });
  return [...all.values()];
}

function rowOf(
  step: Step,
  server: StepServer,
  address: string,
  view: ResolverView,
): Omit<StickyRow, 'outcomes'> & { readonly distribution: Distribution } {
  const visit = visitAt(server, address);
  const rttMs = rttAt(visit);
  return {
    server: server.name,
    address,
    ...(rttMs !== undefined && { rttMs }),
    distribution: firstTried(step, server, address, visit, view),
  };
}

/** A resolver that tries a server of no use first comes to the same as all others. */
function firstTried(
  step: Step,
  { name }: StepServer,
  address: string,
  visit: Visit,
  view: ResolverView,
): Distribution {
  if (visit.kind === 'asked' && !isUsable(visit.meaning.kind))
    return view.distribution({ kind: 'step', step });
  const walk = walkAfter(visit);
  return walk === undefined ? certainly(step.ends.afterVisit(visit, name, address)) : view.distribution(walk);
}

function rttAt(visit: Visit): number | undefined {
  if (visit.kind === 'not-asked') return undefined;
  const { outcome } = visit.exchanged;
  return outcome.kind === 'reply' ? outcome.rttMs : undefined;
}

/** A text that is equal where users get the same, equally often, from whichever server. */
function contentsOf(outcomes: readonly Outcome[]): string {
  const shares = new Map<string, Fraction>();
  for (const { end, probability } of outcomes)
    shares.set(contentOf(end), add(shares.get(contentOf(end)) ?? ZERO, probability));
  const parts = [...shares].map(([content, share]) => `${content} ${fractionText(lowestTerms(share))}`);
  return parts.sort().join('\n');
}

function contentOf(end: End): string {
  if (end.kind !== 'answer') return end.kind;
  return `answer ${[...new Set(end.rotatesWith ?? end.records.map(comparableData))].sort().join(' ')}`;
}

function fastestOf(rows: readonly StickyRow[]): number | undefined {
  let fastest: number | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const [index, { rttMs }] of rows.entries()) {
    if (rttMs === undefined || rttMs >= least) continue;
    least = rttMs;
    fastest = index;
  }
  return fastest;
}
