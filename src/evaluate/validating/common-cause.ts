import type { Distribution } from '../distribution.ts';
import { type End, endKey } from '../end.ts';
import { add, compare, type Fraction, ONE, ZERO } from '../fraction.ts';
import type { AddressOutcome, Step, StepServer, Walk } from '../step.ts';
import { lookupResult } from '../views/lookup-result.ts';

/**
 * Why no server of a step was of use: the failure that most distinct addresses show; where there is no address at all,
 * the most frequent end of the lookups. Ties: by kind, then reason.
 */
export function commonCause(
  step: Step,
  outcomes: Iterable<AddressOutcome<unknown>>,
  lookups: (walk: Walk) => Distribution,
): End {
  const shown = new Map<string, Weighed>();
  for (const outcome of outcomes)
    if (outcome.kind === 'bogus' || outcome.kind === 'unused') weigh(shown, outcome.failure, ONE);
  return mostOf(shown) ?? mostOf(lookupEnds(step, lookups)) ?? noServer(step);
}

interface Weighed {
  readonly end: End;
  readonly weight: Fraction;
}

function weigh(into: Map<string, Weighed>, end: End, weight: Fraction): void {
  const key = endKey(end);
  into.set(key, { end, weight: add(into.get(key)?.weight ?? ZERO, weight) });
}

/** `endKey` starts with the kind, and the rest differs in the reason at most. */
function mostOf(ends: ReadonlyMap<string, Weighed>): End | undefined {
  const sorted = [...ends].sort(
    ([a, one], [b, other]) => compare(other.weight, one.weight) || (a < b ? -1 : 1),
  );
  return sorted[0]?.[1].end;
}

/** How lookups of the step's servers end that give no address. */
function lookupEnds(step: Step, lookups: (walk: Walk) => Distribution): ReadonlyMap<string, Weighed> {
  const ends = new Map<string, Weighed>();
  for (const server of step.servers)
    for (const { end, weight } of endsWithout(step, server, lookups)) weigh(ends, end, weight);
  return ends;
}

function endsWithout(
  step: Step,
  server: StepServer,
  lookups: (walk: Walk) => Distribution,
): readonly Weighed[] {
  switch (server.kind) {
    case 'glue':
      return [];
    case 'not-looked-up':
      return [{ end: server.end, weight: ONE }];
    case 'lookup': {
      const distributions = server.lookups.map(({ walk }) => lookups(walk));
      const { whole, causes } = lookupResult(distributions, server.selection);
      const failed = step.ends.afterLookup(server);
      return [...causes].map(([cause, parts]) => ({
        end: withoutCause(failed(cause)),
        weight: { numerator: parts, denominator: whole },
      }));
    }
  }
}

/** A cause has no cause. */
function withoutCause(end: End): End {
  if (!('cause' in end)) return end;
  const { cause, ...bare } = end;
  return bare;
}

/** Only a world can have it so that is imagined: a delegation without a server. */
function noServer({ question, delegation: { zone } }: Step): End {
  return { kind: 'servfail', question, zone, server: null };
}
