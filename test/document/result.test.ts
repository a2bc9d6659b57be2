import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { readShape, ShapeError } from '../../src/base/shape.ts';
import { readResult } from '../../src/document/read-result.ts';
import { RESULT, type TraversalResult } from '../../src/document/result.ts';
import { allViewsOf } from '../../src/document/views.ts';
import {
  add,
  type Fraction,
  fractionText,
  multiply,
  ONE,
  readFraction,
  sum,
  toNumber,
  ZERO,
} from '../../src/evaluate/fraction.ts';
import { VIEWS } from '../../src/evaluate/views.ts';
import { todaysProfile, usualProfile } from '../../src/explore/profiles/profiles.ts';
import { failedShare, failuresAt } from '../../src/report/views/picks.ts';
import { resultIndex } from '../../src/report/views/result-index.ts';
import { replay } from '../../src/traversal/node-replay.ts';
import { ALL_VIEWS, demoResult } from '../lab/demo-result.ts';

const SAVED = new URL('../fixtures/text/', import.meta.url);

/** Results with every kind of trouble, as JSON has them. */
const RESULTS: readonly (readonly [name: string, result: TraversalResult])[] = readdirSync(SAVED)
  .filter((file) => file.endsWith('.json') && file !== 'cases.json')
  .map((file) => {
    const saved = readResult(JSON.parse(readFileSync(new URL(file, SAVED), 'utf8')));
    return [file, JSON.parse(JSON.stringify(replay(saved)))];
  });

t.test('a result has each view of the table', async (t) => {
  const result = await demoResult('www.moved.example', 'A', ALL_VIEWS);
  t.same(
    allViewsOf(result).map(({ row }) => row),
    // A variant of a product is listed where it differs.
    VIEWS.filter(
      (row) =>
        row.behaviour !== 'profile' ||
        (todaysProfile(row.profile) ?? usualProfile(row.profile)) === undefined,
    ),
  );
});

t.test('a result is what its description says, to the last member', async (t) => {
  for (const [name, result] of RESULTS) t.strictSame(readShape(RESULT, result), result, name);
});

t.test('ends and lookups stand once, and whatever is named is there', async (t) => {
  for (const [name, result] of RESULTS) {
    const {
      ends,
      views: {
        'first-tries': { outcomes },
      },
      steps,
      lookups,
      delegations,
      exchanges,
      findings,
    } = result;
    t.equal(new Set(ends.map(withoutId)).size, ends.length, `${name}: ends`);
    t.equal(new Set(lookups.map(withoutId)).size, lookups.length, `${name}: lookups`);
    const rows = [...ends, ...steps, ...lookups, ...delegations, ...exchanges, ...findings];
    const known = new Set(rows.map(({ id }) => id));
    const named = [
      ...steps.flatMap(({ delegation, nameservers }) => [delegation, ...nameservers.flatMap(namesIn)]),
      ...lookups.flatMap(({ begins, failures }) => [...begins.map(idIn), ...failures.map(({ end }) => end)]),
      ...findings.flatMap(({ evidence, causes }) => [...evidence, ...causes]),
    ];
    t.same(
      named.filter((id) => !known.has(id)),
      [],
      `${name}: what is named`,
    );
    const reached = new Set(named);
    const ended = new Set(outcomes.map(({ probability, fraction, ...end }) => JSON.stringify(end)));
    t.same(
      ends.filter((end) => !reached.has(end.id) && !ended.has(withoutId(end))),
      [],
      `${name}: every end is reached`,
    );
    t.same(
      [...ended].filter((end) => !ends.map(withoutId).includes(end)),
      [],
      `${name}: ends of the path view`,
    );
  }
});

t.test('a name server has the share of its addresses and of the ways to get none', async (t) => {
  let failures = 0;
  for (const [name, { steps, lookups }] of RESULTS) {
    const failing = new Map(lookups.map((row) => [row.id, total(row.failures)]));
    failures += lookups.flatMap((row) => row.failures).length;
    for (const { id, nameservers } of steps) {
      for (const { name: server, fraction, addresses, lookup, end } of nameservers) {
        const without = end === undefined ? (lookup && failing.get(lookup)) || ZERO : ONE;
        const all = add(total(addresses), multiply(readFraction(fraction), without));
        t.equal(fractionText(all), fraction, `${name}: ${server} at ${id}`);
      }
    }
  }
  t.ok(failures > 0, 'some lookups fail');
});

function total(parts: readonly { readonly fraction: string }[]): Fraction {
  return sum(parts.map(({ fraction }) => readFraction(fraction)));
}

function withoutId({ id, ...row }: { readonly id: string }): string {
  return JSON.stringify(row);
}

type NameserverRow = TraversalResult['steps'][number]['nameservers'][number];

function namesIn({ lookup, addresses, end }: NameserverRow): readonly string[] {
  return [
    ...addresses.flatMap(({ leadsTo, exchange = [] }) => [idIn(leadsTo), exchange].flat()),
    ...[lookup, end].filter((id) => id !== undefined),
  ];
}

function idIn(leadsTo: { readonly step: string } | { readonly end: string }): string {
  return 'end' in leadsTo ? leadsTo.end : leadsTo.step;
}

t.test('everything that is wrong with a file is told, the first in the message', async (t) => {
  const [, result] = RESULTS[0] ?? [];
  const options = { ...result?.options, families: [], maxDepth: 99 };
  try {
    readResult({ ...result, schema: 4, options, durationMs: 'long' });
    t.fail('it was read');
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    t.equal(error.message, '/schema: must be one of 1, 2, 3');
    t.same(
      error.issues.map(({ pointer }) => pointer),
      ['/schema', '/options/families', '/options/maxDepth', '/durationMs'],
    );
  }
});

/** A result as version 0.1.0 saved it: `svc traverse www.missing-glue.example --demo -4 --save`. */
const FIXTURE = fileURLToPath(new URL('../fixtures/document/schema-1.json', import.meta.url));

t.test('a file of schema 1 replays to the same numbers', async (t) => {
  // Answers listed their aliases once.
  const saved = JSON.parse(readFileSync(FIXTURE, 'utf8'), (key, value) =>
    key === 'aliases' ? undefined : value,
  );
  t.equal(saved.schema, 1);
  const result = JSON.parse(JSON.stringify(replay(readResult(saved))));
  t.equal(result.schema, 3);
  const { outcomes, resolver } = saved;
  t.strictSame(result.views, { 'first-tries': { outcomes }, resolver: { outcomes: resolver.outcomes } });
  const same = [
    'query',
    'startedAt',
    'finishedAt',
    'durationMs',
    'complete',
    'ending',
    'delegations',
    'exchanges',
    'unasked',
  ];
  for (const member of same) t.strictSame(result[member], saved[member], member);
  // Sums of doubles: the last digit depends on their order.
  for (const [member, ms] of Object.entries(result.coldLatencyMs))
    t.ok(Math.abs(Number(ms) - saved.coldLatencyMs[member]) < 1e-9, `coldLatencyMs, ${member}`);
  t.match(result.options, saved.options, 'options; those of later versions have their defaults');
  t.strictSame(result.figures, { checkExchanges: 0, unused: 0, ...saved.stats }, 'figures');

  t.test('also where a limit left questions unasked, whose servers it does not name', async (t) => {
    const [{ server, question }] = saved.exchanges;
    const row = { server: { address: server.address }, question, kind: 'query-limit', limit: 5 };
    const { recording } = readResult({ ...saved, unasked: [row] });
    t.strictSame(
      [...recording.unasked.values()],
      [{ query: { address: server.address, question }, why: { kind: 'query-limit', limit: 5 } }],
    );
  });

  t.test('and to the same graph, its ends and lookups named instead of repeated', async (t) => {
    const again = replay(readResult(saved));
    const index = resultIndex(again);
    const steps = again.steps.map((step) => ({
      ...step,
      nameservers: step.nameservers.map((nameserver) => {
        const { lookup, end, ...rest } = nameserver;
        const failuresOf = failuresAt(step, index);
        const begins = lookup && { lookups: index.lookup(lookup).begins };
        const failures = failuresOf(nameserver).map((end) => {
          const share = failedShare(step, nameserver, end, index);
          return { share: toNumber(share), fraction: fractionText(share), end };
        });
        return { ...rest, ...begins, ...(failures.length > 0 && { failures }) };
      }),
    }));
    const ends = new Map<string, unknown>(again.ends.map(({ id, ...end }) => [id, end]));
    const inline = (key: string, value: unknown) =>
      key === 'end' && typeof value === 'string' ? ends.get(value) : value;
    t.same(JSON.parse(JSON.stringify(steps), inline), saved.steps);
    t.ok(ends.size > 1);
  });
});
