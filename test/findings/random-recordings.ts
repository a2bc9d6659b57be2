import type { Query } from '../../src/exchange/query.ts';
import { delegationOf } from '../../src/explore/delegation.ts';
import { Explorer } from '../../src/explore/explore.ts';
import type { Recording, Scope } from '../../src/explore/recording.ts';
import { type Name, parseName } from '../../src/wire/name.ts';
import { randomWarmWorld } from '../evaluate/random-warm-world.ts';
import { exchangeOf, randomWorld } from '../evaluate/random-world.ts';

/** What is heard in a random world: loops, aliases, glueless servers and faults; and differing own sets, if they are asked for. */
export async function randomRecording(seed: number, check: Scope['check'] = 'off'): Promise<Recording> {
  const world = check === 'on' ? randomWarmWorld(seed) : randomWorld(seed);
  const { name, families, maxDepth, roots } = world;
  const hints = roots.map((server): [Name, readonly string[]] => [parseName(server.name), server.addresses]);
  const scope: Scope = {
    question: { name: parseName(name), type: 'A' },
    hints: delegationOf(parseName('.'), new Map(hints)),
    families,
    maxDepth,
    maxWork: check === 'on' ? 100_000 : 1_000,
    specialTargets: 'blocked',
    check,
  };
  const explorer = new Explorer(scope, { maxQueries: 1_000, maxTimeMs: 60_000 });
  const exchange = async (query: Query) => exchangeOf(world, query);
  const { recording } = await explorer.run(exchange, new AbortController().signal, { heard: () => {} });
  return recording;
}
