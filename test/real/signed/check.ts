import { readFile } from 'node:fs/promises';
import type { Test } from 'tap';
import { LIMITS } from '../../../src/base/limits.ts';
import { parseName } from '../../../src/dns/name.ts';
import type { OutcomeRow } from '../../../src/document/ends.ts';
import { traversalOptions } from '../../../src/document/options.ts';
import { add, fractionText, lowestTerms, readFraction } from '../../../src/evaluate/fraction.ts';
import { createExchange } from '../../../src/exchange/exchange.ts';
import { createPacer } from '../../../src/exchange/pacer.ts';
import { parseRootHints } from '../../../src/explore/root-hints.ts';
import { traverse } from '../../../src/traversal/traverse.ts';
import type { Lookup } from '../cold-resolver.ts';
import { all } from '../daemon.ts';
import type { Exception } from '../resolver-exceptions.ts';
import { countsText, type Effort, type Seen, sample } from '../resolver-sample.ts';
import { bind, knotResolver, powerdnsRecursor, type ResolverSoftware, unbound } from '../resolvers.ts';
import type { Setting } from '../setting.ts';
import { type SignedSetting, signedSettingFor } from './setting.ts';
import type { Asked, Shares, World } from './world/world.ts';

/** A resolver that validates, and whether it always tries another server after a reply that does not validate. */
interface Validator {
  readonly software: ResolverSoftware;
  readonly retries: 'always' | 'not always';
}

/** As svc-model(7), VALIDATING has them. Knot Resolver retries, but not where signatures are missing. */
const validators: readonly Validator[] = [
  { software: unbound, retries: 'always' },
  { software: bind, retries: 'always' },
  { software: knotResolver, retries: 'not always' },
  { software: powerdnsRecursor, retries: 'not always' },
];

/** What is to be compared. */
interface Comparison {
  readonly worlds: readonly World[];
  readonly effort: Effort;
  /** Whether the view is the one worked out by hand; otherwise only resolvers are held against it. */
  readonly byHand: boolean;
}

/** Signs the worlds, computes the validating view of them, and holds resolvers against it. */
export async function checkSigned(t: Test, { worlds, effort, byHand }: Comparison): Promise<void> {
  const setting = await signedSettingFor(t, worlds);
  const read: Asked[] = [];
  await t.test(byHand ? 'the validating view is as worked out by hand' : 'the validating view', async (t) => {
    for (const { about, asked } of worlds) {
      for (const one of asked) {
        const validating = await validatingShares(one, setting);
        if (byHand) t.same(validating, one.validating, `${about}: ${questionText(one)}`);
        read.push({ ...one, validating });
      }
    }
  });
  await t.test('resolvers that validate give what the view says', async (t) => {
    await checkValidators(t, read, effort, setting);
  });
}

async function checkValidators(
  t: Test,
  asked: readonly Asked[],
  effort: Effort,
  setting: SignedSetting,
): Promise<void> {
  const sessions = asked.map((one) => [one]);
  // Each is told of as soon as it is done: the rest may take hours.
  const checked = validators.map(async (validator, i) => {
    const { software } = validator;
    const seen = await sample(software, sessions, effort, { ...setting, network: `127.53.${30 + i}` });
    for (const [j, one] of asked.entries()) checkValidator(t, validator, one, seen[j]?.[0] ?? new Map());
  });
  await all(checked);
}

/**
 * Nothing may be seen that the view gives no probability, but that a resolver which does not retry may fail; and what is
 * certain has to be seen. How often something is seen is not compared: resolvers have favourites among servers.
 */
function checkValidator(t: Test, { software, retries }: Validator, asked: Asked, seen: Seen): void {
  const excused = exceptions.filter((one) => one.resolver === software.name && one.name === asked.name);
  for (const { outcome, reason } of excused) {
    t.comment(`${asked.name}: ${outcome} excused: ${software.name} ${reason}`);
  }
  const mayFail = asked.withoutRetry === 'may fail' ? ['servfail'] : [];
  const possible = userOutcomes(asked.validating);
  const others = retries === 'always' ? [] : mayFail;
  const allowed = new Set([...possible, ...others, ...excused.map((one) => one.outcome)]);
  const impossible = [...seen.keys()].filter((outcome) => !allowed.has(outcome));
  t.same(
    impossible,
    [],
    `${software.name}, ${questionText(asked)}: only what is possible (${countsText(seen)})`,
  );
  const [certain, ...further] = new Set([...possible, ...mayFail]);
  if (certain === undefined || further.length > 0 || excused.some(({ always }) => always)) return;
  t.ok(seen.has(certain), `${software.name}, ${questionText(asked)}: what is certain appears`);
}

/** A user does not see why a look-up fails. */
function userOutcomes(shares: Shares): readonly string[] {
  return Object.keys(shares).map((what) => what.replace(/^servfail: .*/, 'servfail'));
}

function questionText({ name, type }: Asked): string {
  return `${name} ${type}`;
}

/** An exception, and whether the resolver shows only that: what is certain never appears then. */
interface SignedException extends Exception {
  readonly always?: true;
}

const unboundGivesUp =
  'asks for DS at the name when a denial lacks its proof, and at both servers again and again: once each has ' +
  'failed it, chance decides which one is asked, and after five attempts it gives up (its log: "Could not establish ' +
  'a chain of trust"); measured in up to 31 of 50 look-ups';

const bindWaits =
  'asks for DS at the owners of NSEC3 records that do not verify, and for DS at the owners of those that deny that, ' +
  'until two of these questions wait for each other; after 12 s it gives up (its log: "shut down hung fetch"); ' +
  'measured in 8 of 50 look-ups';

/**
 * Where a resolver that validates departs from the view, for a reason of its own. What is certain still has to be seen.
 */
const exceptions: readonly SignedException[] = [
  ...['missing.gap.test.', 'web.gap.test.', 'x.wild.gap.test.'].map(givesUp),
  ...['missing.hole.test.', 'web.hole.test.', 'x.wild.hole.test.'].map(givesUp),
  ...['web.alien.test.', 'web.rolling.test.'].map((name) => ({
    resolver: 'BIND',
    name,
    outcome: 'servfail',
    reason: bindWaits,
  })),
  {
    resolver: 'BIND',
    name: 'missing.start.test.',
    outcome: 'insecure nxdomain',
    reason:
      'takes a denial whose NSEC records verify, whatever its SOA; the AD bit, which speaks for all records of a ' +
      'reply (RFC 4035 3.2.3), is not set then; measured in 21 to 28 of 50 look-ups',
  },
  {
    resolver: 'PowerDNS Recursor',
    name: 'web.names.test.',
    outcome: 'servfail',
    reason: 'demands that NS records which come with an answer verify, although nobody asked for them',
    always: true,
  },
];

function givesUp(name: string): SignedException {
  return { resolver: 'unbound', name, outcome: 'servfail', reason: unboundGivesUp };
}

/** Traverses the signed hierarchy, and says what users behind validating resolvers get. */
async function validatingShares(
  { name, type }: Lookup,
  { rootHints, trustAnchors = '' }: Pick<Setting, 'rootHints' | 'trustAnchors'>,
): Promise<Shares> {
  const options = traversalOptions({
    families: [4],
    specialTargets: 'allowed',
    views: ['validating'],
    trustAnchors: (await readFile(trustAnchors, 'utf8')).trim().split('\n'),
  });
  const pacer = createPacer({ ratePerAddress: 0, totalInFlight: LIMITS.totalInFlight.default });
  const {
    views: { validating },
  } = await traverse(
    {
      question: { name: parseName(name), type },
      options,
      hints: parseRootHints(await readFile(rootHints, 'utf8')),
    },
    { exchange: createExchange({ ...options, pacer }), signal: AbortSignal.timeout(60_000) },
  );
  if (validating === undefined) throw new Error(`${name} ${type}: there is no validating view`);
  return sharesOf(validating.outcomes);
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
