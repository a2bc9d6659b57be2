import { getOrMake } from '../../base/memo.ts';
import type { Name } from '../../dns/name.ts';
import { isUsable } from '../../explore/meaning.ts';
import { addressesOf } from '../addresses-to-pick.ts';
import { certainly, type Distribution, type Outcome, outcomesOf } from '../distribution.ts';
import { answerData } from '../end.ts';
import { add, type Fraction, fractionText, lowestTerms, ZERO } from '../fraction.ts';
import type { ResolverView } from '../resolver-view.ts';
import { type Step, type StepServer, visitAt, type Walk, walkAfter } from '../step.ts';
import { mainSteps } from '../step-order.ts';
import type { Shown } from '../varying-answers.ts';

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
export function stickySteps(start: Walk, view: ResolverView, shown: Shown): readonly StickyStep[] {
  const sticky: StickyStep[] = [];
  for (const step of mainSteps(start)) {
    const servers = new Map<string, StepServer>();
    for (const server of step.servers)
      for (const address of addressesOf(server)) getOrMake(servers, address, () => server);
    const rows = [...servers].slice(0, MOST_ROWS).map(([address, server]): StickyRow => {
      const visit = visitAt(server, address);
      const outcome = visit.kind === 'asked' ? visit.exchanged.outcome : undefined;
      return {
        server: server.name,
        address,
        ...(outcome?.kind === 'reply' && { rttMs: outcome.rttMs }),
        outcomes: shown(outcomesOf(firstTried(step, server, address, view))),
      };
    });
    if (new Set(rows.map(contentsOf)).size < 2) continue;
    sticky.push({ step, rows, fastest: fastestOf(rows) });
    if (sticky.length === MOST_STEPS) break;
  }
  return sticky;
}

/** A resolver that tries a server of no use first comes to the same as all others. */
function firstTried(step: Step, server: StepServer, address: string, view: ResolverView): Distribution {
  const visit = visitAt(server, address);
  if (visit.kind === 'asked' && !isUsable(visit.meaning.kind)) return view({ kind: 'step', step });
  const walk = walkAfter(visit);
  return walk === undefined ? certainly(step.ends.afterVisit(visit, server.name, address)) : view(walk);
}

/** A text that is equal where users get the same, equally often, from whichever server. */
function contentsOf({ outcomes }: StickyRow): string {
  const shares = new Map<string, Fraction>();
  for (const { end, probability } of outcomes) {
    const content = [end.kind, ...answerData(end)].join(' ');
    shares.set(content, add(shares.get(content) ?? ZERO, probability));
  }
  const parts = [...shares].map(([content, share]) => `${content} ${fractionText(lowestTerms(share))}`);
  return parts.sort().join('\n');
}

function fastestOf(rows: readonly StickyRow[]): number | undefined {
  const times = rows.map(({ rttMs = Number.POSITIVE_INFINITY }) => rttMs);
  const least = Math.min(...times);
  return least === Number.POSITIVE_INFINITY ? undefined : times.indexOf(least);
}
