import t from 'tap';
import { questionKey } from '../../src/dns/message.ts';
import { ABSTRACT, ABSTRACT_VALIDATING } from '../../src/evaluate/behaviours.ts';
import type { Outcome } from '../../src/evaluate/distribution.ts';
import type { End } from '../../src/evaluate/end.ts';
import { add, type Fraction, fractionText, ZERO } from '../../src/evaluate/fraction.ts';
import { outcomesWith } from '../../src/evaluate/products.ts';
import type { Behaviour } from '../../src/explore/profiles/profile.ts';
import { randomWorld } from './random-world.ts';
import { runWorld } from './run-world.ts';
import { randomSignedWorld, runSignedWorld } from './signed/random-signed-world.ts';

/** The same resolver, which would give up after a day: so nothing but the general machine can play it. */
function stateByState(behaviour: Behaviour): Behaviour {
  return { ...behaviour, time: { ...behaviour.time, toNextTry: [86_400_000] } };
}

const WORLDS = 150;

t.test(`the closed form comes to what the states come to, on ${WORLDS} random worlds`, async (t) => {
  for (let seed = 1; seed <= WORLDS; seed += 1) {
    const { recording } = await runWorld(randomWorld(seed), 100_000, 'off');
    const closed = outcomesWith(recording, ABSTRACT);
    const played = outcomesWith(recording, stateByState(ABSTRACT));
    t.equal(spelled(played), spelled(closed), `world ${seed}`);
  }
});

const SIGNED = 60;

t.test(`so does that of a resolver that validates, on ${SIGNED} signed worlds`, async (t) => {
  for (let seed = 1; seed <= SIGNED; seed += 1) {
    const { recording, evaluation } = await runSignedWorld(randomSignedWorld(seed));
    // Limits cut off the two walks at different places.
    if (evaluation.coverage === 'limited') continue;
    const played = outcomesWith(recording, stateByState(ABSTRACT_VALIDATING));
    t.equal(spelled(played), spelled(evaluation.views.get('validating')), `world ${seed}`);
  }
});

/** The shares of ends, whatever is known of their proof and of reasons. */
function spelled({ outcomes = [] }: { readonly outcomes?: readonly Outcome[] } = {}): string {
  const shares = new Map<string, Fraction>();
  for (const { end, probability } of outcomes) {
    const text = endText(end);
    shares.set(text, add(shares.get(text) ?? ZERO, probability));
  }
  return [...shares]
    .map(([text, share]) => `${fractionText(share)} ${text}`)
    .sort()
    .join('\n');
}

/** Whoever waits for a day is told of an end long after he has gone. */
function endText(end: End): string {
  if (end.kind === 'timeout' && end.server === null && end.cause !== undefined) return endText(end.cause);
  return `${end.kind} ${questionKey(end.question)} ${end.zone} ${end.server?.name} ${end.server?.address}`;
}
