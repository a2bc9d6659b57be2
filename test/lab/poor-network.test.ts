import t, { type Test } from 'tap';
import { createFairClock } from '../../src/base/clock.ts';
import { parseName } from '../../src/dns/name.ts';
import { summaryOf } from '../../src/document/ends.ts';
import { DEFAULT_OPTIONS } from '../../src/document/options.ts';
import type { TraversalResult } from '../../src/document/result.ts';
import { createExchange, type ExchangeOptions } from '../../src/exchange/exchange.ts';
import { parseRootHints } from '../../src/explore/root-hints.ts';
import type { Fault } from '../../src/lab/faults.ts';
import { type Lab, startLab } from '../../src/lab/lab.ts';
import { zoneText } from '../../src/lab/zone-text.ts';
import { traverse } from '../../src/traversal/traverse.ts';

/** Four servers for each of three zones; of those of `a.example`, one is stale and one refuses. */
function startWorld(t: Test, network: readonly Fault[]): Promise<Lab> {
  const of = (zone: string, above: string, index: number, says: string, faults: readonly Fault[] = []) => ({
    name: nameIn(zone, index),
    addresses: [`192.0.2.${above}${index}`],
    zones: [zoneText(zone, says)],
    faults: [...faults, ...network],
  });
  const root = `${servers('.', '1')}\n${servers('example.', '2')}`;
  const example = `${servers('example.', '2')}\n${servers('a.example.', '3')}`;
  const own = (address: string) => `${servers('a.example.', '3')}\nwww.a.example. A ${address}`;
  return startLab({
    servers: [
      ...NUMBERS.map((index) => of('.', '1', index, root)),
      ...NUMBERS.map((index) => of('example.', '2', index, example)),
      of('a.example.', '3', 1, own('203.0.113.1')),
      of('a.example.', '3', 2, own('203.0.113.1')),
      of('a.example.', '3', 3, own('203.0.113.2')),
      of('a.example.', '3', 4, own('203.0.113.1'), [{ kind: 'rcode', rcode: 'REFUSED' }]),
    ],
  }).then((lab) => {
    t.teardown(lab.close);
    return lab;
  });
}

const NUMBERS = [1, 2, 3, 4];

function servers(zone: string, above: string): string {
  return NUMBERS.map((index) => {
    const name = nameIn(zone, index);
    return `${zone} NS ${name}\n${name} A 192.0.2.${above}${index}`;
  }).join('\n');
}

function nameIn(zone: string, index: number): string {
  return `n${index}.${zone === '.' ? '' : zone}`;
}

async function ask(lab: Lab, options: Partial<ExchangeOptions> = {}): Promise<TraversalResult> {
  const exchange = createExchange({
    clock: createFairClock(),
    route: lab.route,
    timeoutMs: 100,
    retries: 15,
    ...options,
  });
  const question = { name: parseName('www.a.example'), type: 'A' };
  const traversal = {
    ...DEFAULT_OPTIONS,
    views: ['resolver'],
    families: [4],
    specialTargets: 'allowed',
  } as const;
  const request = { question, options: traversal, hints: parseRootHints(lab.hints) };
  return await traverse(request, { exchange, emit: () => {}, signal: new AbortController().signal });
}

/** What a result says that the network should have no part in. */
function numbers({
  views: {
    'first-tries': { outcomes },
    resolver,
  },
  figures: { paths },
}: TraversalResult) {
  return { outcomes, resolver, paths };
}

/** The findings about servers, as "CODE address". */
function found({ findings }: TraversalResult): readonly string[] {
  return findings.flatMap(({ code, server }) => (server === undefined ? [] : [`${code} ${server.address}`]));
}

/** The addresses to which some query went in vain; a slow machine may see more of these than the faults make. */
function lossy({ exchanges }: TraversalResult): ReadonlySet<string> {
  const inVain = exchanges.filter(({ tries }) =>
    tries.some(({ outcome, ignored }) => outcome.kind === 'timeout' && ignored.length === 0),
  );
  return new Set(inVain.map(({ server }) => server.address));
}

const loss = (ratio: number, seed: number): Fault => ({
  kind: 'loss',
  ratio,
  seed,
  only: { transport: 'udp' },
});
const decoys = (as: Extract<Fault, { kind: 'decoy' }>['as'], count: number): Fault => ({
  kind: 'decoy',
  as,
  count,
});

const NETWORKS: readonly (readonly [what: string, faults: readonly Fault[]])[] = [
  ['that loses 1 %', [loss(0.01, 3)]],
  ['that loses 10 %', [loss(0.1, 1)]],
  ['that loses 30 %', [loss(0.3, 1)]],
  ['that doubles', [{ kind: 'duplicates', copies: 2 }]],
  ['whose delay varies', [{ kind: 'jitter', ms: 30 }]],
  [
    'that reorders',
    [{ kind: 'duplicates', copies: 1 }, decoys('wrong-id', 1), { kind: 'reorders', ratio: 0.5, ms: 20 }],
  ],
  [
    'that does all of it',
    [
      loss(0.3, 2),
      { kind: 'duplicates', copies: 1 },
      { kind: 'jitter', ms: 30 },
      { kind: 'reorders', ratio: 0.3, ms: 20 },
    ],
  ],
  ['with a flood of other IDs', [decoys('wrong-id', 100)]],
  ['with a flood from other ports', [decoys('wrong-port', 100)]],
  ['with a flood of other questions', [decoys('wrong-question', 100)]],
  ['with a flood of garbage', [decoys('garbage', 100)]],
];

t.test('the outcomes are those of the model, whatever the network is like', async (t) => {
  const fine = await ask(await startWorld(t, []));
  t.same(
    summaryOf(fine.views['first-tries']).map(({ kind, answer, fraction }) => [
      kind,
      answer?.join(),
      fraction,
    ]),
    [
      ['answer', '203.0.113.1', '1/2'],
      ['answer', '203.0.113.2', '1/4'],
      ['error', undefined, '1/4'],
    ],
  );
  await Promise.all(
    NETWORKS.map(async ([what, faults]) => {
      await t.test(`a network ${what}`, async (t) => {
        const lab = await startWorld(t, faults);
        const result = await ask(lab);
        t.strictSame(numbers(result), numbers(fine));
        const codes = found(result);
        if (faults.some(({ kind }) => kind === 'loss')) t.not(lossy(result).size, 0);
        for (const address of lossy(result))
          t.ok(codes.includes(`NS_LOSSY ${address}`), `${address} is lossy`);
        t.same(
          codes.filter((code) => /NO_RESPONSE|WORKING/.test(code)),
          [],
        );
      });
    }),
  );
});

t.test('without further tries, who was asked in vain is silent, and never lame', async (t) => {
  for (const seed of [1, 2, 3]) {
    const lab = await startWorld(t, [loss(0.3, seed)]);
    const result = await ask(lab, { retries: 0 });
    const silent = result.exchanges.filter(({ failure }) => failure === 'timeout');
    t.ok(silent.length > 0 && silent.length < result.exchanges.length);
    t.ok(
      silent.every(({ tries }) => tries.every(({ outcome }) => outcome.kind === 'timeout')),
      'silent is only who never answered',
    );
    t.ok(
      result.views['first-tries'].outcomes.every(({ kind }) => ['answer', 'error', 'timeout'].includes(kind)),
      'and nobody is lame',
    );
    const dead = silent.map(({ server }) => `NS_NO_RESPONSE_UDP ${server.address}`);
    t.strictSame(new Set(found(result).filter((code) => code.startsWith('NS_NO'))), new Set(dead));
  }
});
