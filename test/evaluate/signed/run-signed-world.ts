/** Random signed worlds walked by the program. */
import { type Evaluation, evaluate } from '../../../src/evaluate/evaluate.ts';
import type { Query } from '../../../src/exchange/query.ts';
import { delegationOf } from '../../../src/explore/delegation.ts';
import { Explorer } from '../../../src/explore/explore.ts';
import type { Recording, Scope } from '../../../src/explore/recording.ts';
import { validatingWith } from '../../../src/explore/validating/validate-with.ts';
import { NODE_CRYPTO } from '../../../src/validate/node-crypto.ts';
import { trustFromAnchors } from '../../../src/validate/trust-anchors.ts';
import { ROOT } from '../../../src/wire/name.ts';
import { randomFrom } from '../random-world.ts';
import type { SignedWorld } from './random-signed-world.ts';

export interface SignedRun {
  /** "address name type" in the order asked. */
  readonly asked: readonly string[];
  readonly recording: Recording;
  readonly evaluation: Evaluation;
}

/** What a world is walked with. */
export function signedScope(world: SignedWorld): Scope {
  const { question, hints, anchor, time, maxDepth } = world;
  return {
    question,
    hints: delegationOf(ROOT, new Map(hints.map(({ name, addresses }) => [name, addresses]))),
    families: [4],
    maxDepth,
    maxWork: 200_000,
    specialTargets: 'allowed',
    check: 'off',
    dnssec: validatingWith(NODE_CRYPTO, { time, anchors: trustFromAnchors(anchor.split('\n')) }),
  };
}

/** Explores a world, whose replies come in another order each time that `seed` is another, and evaluates what was heard. */
export async function runSignedWorld(
  world: SignedWorld,
  {
    seed = 0,
    maxQueries = 20_000,
    change = {},
    demands = 'proof',
  }: { seed?: number; maxQueries?: number; change?: Partial<Scope>; demands?: 'proof' | 'nothing' } = {},
): Promise<SignedRun> {
  const asked: string[] = [];
  const random = randomFrom(`order ${seed}`);
  const { dnssec, ...plain } = { ...signedScope(world), ...change };
  const scope = demands === 'nothing' || dnssec === undefined ? plain : { ...plain, dnssec };
  const explorer = new Explorer(scope, { maxQueries, maxTimeMs: 60_000 });
  const exchange = async (query: Query) => {
    asked.push(`${query.address} ${query.question.name} ${query.question.type}`);
    for (let turns = Math.floor(random() * 9); turns > 0; turns -= 1) await undefined;
    return world.exchange(query);
  };
  const { recording } = await explorer.run(exchange, new AbortController().signal, {
    heard: () => undefined,
  });
  return { asked, recording, evaluation: evaluate(recording) };
}
