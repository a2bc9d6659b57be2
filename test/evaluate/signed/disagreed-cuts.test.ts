/** Servers that disagree on zone cuts: what is proven then, and that it takes little work to find out. */
import t from 'tap';
import { parseName } from '../../../src/dns/name.ts';
import { outcomesIn } from '../../../src/evaluate/evaluate.ts';
import { fractionText } from '../../../src/evaluate/fraction.ts';
import type { Fault } from '../../../src/lab/faults.ts';
import { readWorld, rootServers, trustAnchorOf, type World } from '../../../src/lab/world.ts';
import { zoneText } from '../../../src/lab/zone-text.ts';
import { labExchange } from '../../lab/lab-exchange.ts';
import { runSignedWorld, type SignedWorld, TIME } from './random-signed-world.ts';

const ROOT_ZONE = `@ NS r.
r. A 127.9.1.1
a. NS ns1.a.
a. NS ns2.a.
ns1.a. A 127.9.1.2
ns2.a. A 127.9.1.3`;
const A_ZONE = `@ NS ns1
@ NS ns2
ns1 A 127.9.1.2
ns2 A 127.9.1.3`;
const WITHOUT_SIGNATURES: Fault = { kind: 'flawed-signatures', flaw: 'missing', covering: 'A' };

interface Server {
  /** Besides its apex and name servers. */
  readonly a: readonly string[];
  readonly zones?: readonly string[];
  readonly faults?: readonly Fault[];
}

/** Two servers of a. that have different records there. */
function signedWorld(name: string, one: Server, other: Server): SignedWorld {
  const spec = (address: string, { a, zones = [], faults = [] }: Server) => ({
    addresses: [address],
    zones: [zoneText('a.', [A_ZONE, ...a].join('\n')), ...zones],
    faults,
  });
  const lab: World = {
    servers: [
      { name: 'r.', addresses: ['127.9.1.1'], zones: [zoneText('.', ROOT_ZONE)] },
      { name: 'ns1.a.', ...spec('127.9.1.2', one) },
      { name: 'ns2.a.', ...spec('127.9.1.3', other) },
    ],
    signed: { '.': {}, 'a.': {}, 'x.a.': {} },
  };
  const exchange = labExchange(lab);
  return {
    question: { name: parseName(name), type: 'A' },
    maxDepth: 12,
    hints: rootServers(readWorld(lab)),
    anchor: trustAnchorOf(lab),
    time: TIME,
    lab,
    exchange: (query) => ({ ...exchange(query), elapsedMs: 10 }),
  };
}

async function run(world: SignedWorld, seed: number, maxWork: number) {
  const { asked, evaluation } = await runSignedWorld(world, { seed, change: { maxWork } });
  const outcomes = outcomesIn(evaluation, 'validating').map(({ end, probability }) => {
    const cause = end.kind === 'servfail' && end.cause?.kind === 'bogus' ? `: ${end.cause.reason}` : '';
    const security = 'security' in end ? `${end.security} ` : '';
    return `${fractionText(probability)} ${security}${end.kind}${cause}`;
  });
  return { outcomes, furtherAsked: asked.filter((one) => / (DS|DNSKEY)$/.test(one)).sort() };
}

const SEEDS = [1, 2, 3, 4];

t.test('names that are secure cuts to one server and none to the other take little work', async (t) => {
  const labels = Array.from({ length: 12 }, (_, at) => `l${at}`);
  const names = labels.map((_, at) => labels.slice(at).join('.'));
  const unsigned = [`${names[0]} A 192.0.2.80`];
  const signers = names.map((name) => `${name} DS 1 15 2 ${'0'.repeat(64)}`);
  const faults = [WITHOUT_SIGNATURES];
  // 4,000 steps do, where a state for each choice of facts took more than 200,000.
  const world = signedWorld(
    `${names[0]}.a.`,
    { a: unsigned, faults },
    { a: [...unsigned, ...signers], faults },
  );
  for (const seed of SEEDS) {
    const { outcomes, furtherAsked } = await run(world, seed, 4_000);
    t.same(outcomes, ['1 servfail: no-signature']);
    const expected = names.flatMap((name) => [`127.9.1.2 ${name}.a. DS`, `127.9.1.3 ${name}.a. DS`]);
    t.same(
      furtherAsked.filter((one) => one.endsWith(' DS')),
      expected.sort(),
    );
  }
});

t.test('whether the cut is there decides on data that its name signed', async (t) => {
  const world = signedWorld(
    'www.x.a.',
    { a: ['www.x A 192.0.2.80'], faults: [WITHOUT_SIGNATURES] },
    { a: ['x NS ns2'], zones: [zoneText('x.a.', '@ NS ns2.a.\nwww A 192.0.2.80')] },
  );
  for (const seed of SEEDS) {
    const { outcomes, furtherAsked } = await run(world, seed, 2_000);
    t.same(outcomes, ['1/2 secure answer', '1/2 servfail: no-signature']);
    t.same(furtherAsked, [
      '127.9.1.1 . DNSKEY',
      '127.9.1.2 a. DNSKEY',
      '127.9.1.2 www.x.a. DS',
      '127.9.1.2 x.a. DNSKEY',
      '127.9.1.2 x.a. DS',
      '127.9.1.3 a. DNSKEY',
      '127.9.1.3 www.x.a. DS',
      '127.9.1.3 x.a. DNSKEY',
      '127.9.1.3 x.a. DS',
    ]);
  }
});
