import t from 'tap';
import type { End } from '../../../src/evaluate/end.ts';
import type { Outcome } from '../../../src/evaluate/distribution.ts';
import { fractionText } from '../../../src/evaluate/fraction.ts';
import { type Leaf, lowest } from '../leaf.ts';
import { compareLines } from '../run-world.ts';
import { type Reading, SignedBruteForce, TooMany } from './brute-force.ts';
import { randomSignedWorld } from './random-signed-world.ts';
import { runSignedWorld, type SignedRun } from './run-signed-world.ts';

const WORLDS = 400;
const MOST_ORDERS = 5_000;

t.test(`validating equals brute force on ${WORLDS} random signed worlds`, async (t) => {
  const seen = new Map<string, number>();
  for (let seed = 1; seed <= WORLDS; seed += 1) {
    const world = randomSignedWorld(seed);
    const run = await runSignedWorld(world, { seed });
    const { validating } = run.evaluation;
    if (validating === undefined) {
      t.fail(`world ${seed} has no validating view`);
      continue;
    }
    const differences = [
      ...compared('tries on', leavesOf(run, 'tries-on'), validating.outcomes),
      ...compared('first try', leavesOf(run, 'first-try'), validating.firstTryOutcomes),
    ];
    if (differences.length > 0) t.fail(`world ${seed}`, { differences });
    for (const { end } of [...validating.outcomes, ...validating.firstTryOutcomes])
      for (const kind of kindsIn(end)) seen.set(kind, (seen.get(kind) ?? 0) + 1);
  }
  t.comment(JSON.stringify([...seen]));
});

function leavesOf({ recording }: SignedRun, reading: Reading): readonly Leaf[] | undefined {
  const { dnssec } = recording.scope;
  if (dnssec?.validation === undefined) throw new Error('the run validates');
  try {
    return new SignedBruteForce(recording, dnssec.validation, reading, MOST_ORDERS).ends(dnssec.anchors);
  } catch (error) {
    if (error instanceof TooMany) return undefined;
    throw error;
  }
}

function compared(reading: string, leaves: readonly Leaf[] | undefined, outcomes: readonly Outcome[]): string[] {
  if (leaves === undefined) return [];
  const expected = leaves.map(({ end, p }) => `${end} = ${ratioText(p)}`);
  const actual = outcomes.map(({ end, probability }) => `${endText(end)} = ${fractionText(probability)}`);
  return compareLines(reading, expected, actual);
}

function ratioText(p: Leaf['p']): string {
  const [numerator, denominator] = lowest(p);
  return denominator === 1n ? `${numerator}` : `${numerator}/${denominator}`;
}

function endText(end: End): string {
  const server = end.server === null ? '-' : `${end.server.name} ${end.server.address}`;
  return [end.kind, end.question.name, end.question.type, end.zone, server, detail(end)].join('|');
}

function detail(end: End): string {
  const security = 'security' in end ? ` ${end.security}` : '';
  switch (end.kind) {
    case 'answer':
    case 'nxdomain':
    case 'nodata':
      return security;
    case 'alias-loop':
      return `${end.target}${security}`;
    case 'servfail':
      return `because ${causeText(end.cause)}`;
    default:
      return '';
  }
}

function causeText(cause: End | undefined): string {
  switch (cause?.kind) {
    case undefined:
      return '-';
    case 'bogus':
      return `bogus ${cause.reason}`;
    case 'error':
      return `error ${cause.rcode}`;
    case 'lame':
      return `lame ${cause.reason} ${cause.referredTo ?? '-'}`;
    case 'no-glue':
    case 'unresolvable-ns':
    case 'loop':
      return `${cause.kind} ${cause.nameserver}`;
    default:
      return cause.kind;
  }
}

function kindsIn(end: End): readonly string[] {
  const security = 'security' in end ? [`${end.kind} ${end.security}`] : [];
  return end.kind === 'servfail' ? [`servfail ${causeText(end.cause)}`] : [end.kind, ...security];
}
