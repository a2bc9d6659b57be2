import { readFile } from 'node:fs/promises';
import type { OutcomeRow } from '../../../src/document/ends.ts';
import { add, fractionText, lowestTerms, readFraction } from '../../../src/evaluate/fraction.ts';
import {
  createExchange,
  createPacer,
  LIMITS,
  parseName,
  parseRootHints,
  traversalOptions,
  traverse,
} from '../../../src/index.ts';
import type { Lookup } from '../resolvers/cold.ts';
import type { Setting } from '../setting.ts';
import type { Asked, Shares } from './world/world.ts';

/** Both readings of what a question's users get. */
export type Readings = Pick<Asked, 'validating' | 'firstTry'>;

/** Traverses the signed hierarchy, and says what both readings give. */
export async function readings(
  { name, type }: Lookup,
  { rootHints, trustAnchors = '' }: Pick<Setting, 'rootHints' | 'trustAnchors'>,
): Promise<Readings> {
  const options = traversalOptions({
    families: [4],
    specialTargets: 'allowed',
    dnssec: true,
    trustAnchors: (await readFile(trustAnchors, 'utf8')).trim().split('\n'),
  });
  const pacer = createPacer({ ratePerAddress: 0, totalInFlight: LIMITS.totalInFlight.default });
  const { validating } = await traverse(
    {
      question: { name: parseName(name), type },
      options,
      hints: parseRootHints(await readFile(rootHints, 'utf8')),
    },
    { exchange: createExchange({ ...options, pacer }), signal: AbortSignal.timeout(60_000) },
  );
  if (validating === undefined) throw new Error(`${name} ${type}: there is no validating view`);
  return { validating: sharesOf(validating.outcomes), firstTry: sharesOf(validating.firstTry.outcomes) };
}

/** Ends that a user cannot tell apart are one. */
function sharesOf(outcomes: readonly OutcomeRow[]): Shares {
  const shares = new Map<string, string>();
  for (const outcome of outcomes) {
    const what = whatOf(outcome);
    const sum = add(readFraction(shares.get(what) ?? '0'), readFraction(outcome.fraction));
    shares.set(what, fractionText(lowestTerms(sum)));
  }
  return Object.fromEntries(shares);
}

function whatOf(end: OutcomeRow): string {
  switch (end.kind) {
    case 'answer': {
      const data = end.records.map((record) => record.data).sort();
      return `${end.security} answer ${data.join(' ')}`;
    }
    case 'nxdomain':
    case 'nodata':
      return `${end.security} ${end.kind}`;
    case 'servfail':
      return `servfail: ${end.cause?.kind === 'bogus' ? end.cause.reason : end.cause?.kind}`;
    default:
      return end.kind;
  }
}
