/*
 * The closed form of a visit, for behaviours without memory: servers are tried in random order, each address once, every
 * reply of no use leads to the next server, and no reply comes too late. svc-model(7), RESOLVER VIEW.
 */

import { getOrMake } from '../../base/memo.ts';
import type { Behaviour } from '../../explore/profiles/profile.ts';
import { type Fraction, multiply, ONE } from '../fraction.ts';
import { isValidated, type UsedReply, type ValidatedWalkStep, visitAt, walkAfter } from '../step.ts';
import { type Arrival, ownSetOf } from './arrivals.ts';
import { type Departure, endedIn, type Onward } from './departures.ts';
import { type AddressOfZone, draw } from './draw.ts';
import { endsSearch, failureAt, learnAt, limitAt, outcomeAt } from './knowledge.ts';
import { nothingFound, type Response, responseAt, takenAt, type VisitTools } from './servers.ts';

/** Whether a behaviour is one that has a closed form. */
export function isMemoryless({ picks, whole, minimisation, tries, time, validation }: Behaviour): boolean {
  const isDrawn = picks.by === 'name' && picks.gluedFirst === 'alike' && picks.again === 'any';
  const isOnce = tries.kind === 'in-turn' && tries.rounds === 0 && tries.mostFailing === undefined;
  const isPatient = time.toNextTry[0] === Number.POSITIVE_INFINITY && time.toHeard === undefined;
  const isSimple = Object.values(whole).every((one) => one === 'end' || one === 'next-server');
  const isStubborn =
    validation === undefined ||
    (validation.keys === 'first' &&
      [validation.unsigned, validation.broken, ...Object.values(validation.noKeys)].every(
        (one) => one === 'next-server',
      ));
  return isDrawn && isOnce && isPatient && isSimple && isStubborn && minimisation === undefined;
}

/** The ways in which a resolver without memory leaves the servers of a zone. Void where that is more work than there may be. */
export function visitAtOnce(arrival: Arrival, tools: VisitTools): readonly Departure[] {
  const { step } = arrival;
  if (isValidated(step)) return visitProven(step, tools);
  const known = step.servers.map(() => new Map<string | undefined, Response['reaction']>());
  const reactionOf = (one: AddressOfZone): Response['reaction'] => {
    const react = () => responseAt(arrival, step, one, tools).reaction;
    const ofServer = known[one.server];
    return ofServer === undefined ? react() : getOrMake(ofServer, one.address, react);
  };
  const drawn = draw(step, (one) => reactionOf(one) !== 'next-server', tools);
  return [
    ...drawn.picked.map(({ one, weight }) =>
      leaving(takenAt(arrival, step, one, reactionOf(one), tools), weight),
    ),
    ...without(drawn.none, () => nothingFound(arrival, step, 'reply', tools)),
  ];
}

/** The same for one that demands proof: it learns what it must, each fact from a server of its own draw, and then asks. */
function visitProven(step: ValidatedWalkStep, tools: VisitTools): readonly Departure[] {
  const { known, ends } = learnAt(step, tools);
  const departures = ends.map(({ end, weight }) => leaving(endedIn(end), weight));
  for (const { weight: learnt, stage, stops } of known) {
    const drawn = draw(step, (one) => endsSearch(outcomeAt(step, one, stage.heard)), tools);
    for (const { one, weight } of drawn.picked) {
      const both = multiply(learnt, weight);
      const outcome = outcomeAt(step, one, stage.heard);
      if (outcome?.kind === 'stopped')
        for (const stop of stops.get(outcome.by) ?? [])
          departures.push(leaving(endedIn(stop.end), multiply(both, stop.weight)));
      else departures.push(leaving(provenAt(step, one, outcome, tools), both));
    }
    const cause = () => endedIn(failureAt(step, stage.heard, tools));
    departures.push(...without(multiply(learnt, drawn.none), cause));
  }
  return departures;
}

function provenAt(
  step: ValidatedWalkStep,
  one: AddressOfZone,
  outcome: ReturnType<typeof outcomeAt<UsedReply>>,
  { arrivals }: VisitTools,
): Onward {
  const server = step.servers[one.server];
  if (outcome?.kind !== 'good') return endedIn(limitAt(step, one, outcome));
  const { visit, ends } = outcome.good;
  const walk = walkAfter(visit);
  if (walk?.kind === 'cut') return endedIn(walk.end);
  if (walk !== undefined) return { kind: 'zone', arrival: arrivals.at(walk.step) };
  return endedIn(ends.afterVisit(visit, server?.name ?? step.delegation.zone, one.address ?? ''));
}

/** The ways in which a resolver that knows the zone's own NS set comes to its servers: whichever reply taught it that. */
export function visitOwnSets(arrival: Arrival, tools: VisitTools): readonly Departure[] {
  const { step } = arrival;
  const { arrivals, behaviour } = tools;
  const delegated = (): Onward => {
    const { otherwise } = step;
    const to = arrivals.delegated(arrival);
    if (otherwise?.kind === 'cut') return endedIn(otherwise.end);
    return to === undefined ? endedIn(step.ends.servfail) : { kind: 'zone', arrival: to };
  };
  if (behaviour.ownSet.used === 'not-used') return [leaving(delegated(), ONE)];
  const visitOf = ({ server, address }: AddressOfZone) => {
    const at = step.servers[server];
    return at === undefined || address === undefined ? undefined : visitAt(at, address);
  };
  const drawn = draw(
    step,
    (one) => {
      const visit = visitOf(one);
      return visit === undefined || visit.kind === 'not-asked' || ownSetOf(visit) !== undefined;
    },
    tools,
  );
  const taught = drawn.picked.map(({ one, weight }) => {
    const visit = visitOf(one);
    const walk = visit && ownSetOf(visit);
    if (walk?.kind === 'step')
      return leaving({ kind: 'zone', arrival: arrivals.own(arrival, walk.step) }, weight);
    return leaving(
      walk === undefined ? takenAt(arrival, step, one, 'end', tools) : endedIn(walk.end),
      weight,
    );
  });
  return [...taught, ...without(drawn.none, delegated)];
}

function leaving(to: Onward, weight: Fraction): Departure {
  return { to, spent: 0, weight };
}

function without(none: Fraction, to: () => Onward): readonly Departure[] {
  return none.numerator > 0n ? [leaving(to(), none)] : [];
}
