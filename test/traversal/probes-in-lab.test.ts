import t from 'tap';
import { createFairClock } from '../../src/base/clock.ts';
import { parseName } from '../../src/dns/name.ts';
import { DEFAULT_OPTIONS } from '../../src/document/options.ts';
import { readResult } from '../../src/document/read-result.ts';
import { createExchange, probing } from '../../src/exchange/exchange.ts';
import { parseRootHints } from '../../src/explore/root-hints.ts';
import type { Fault } from '../../src/lab/faults.ts';
import { startLab } from '../../src/lab/lab.ts';
import type { World } from '../../src/lab/world.ts';
import { zoneText } from '../../src/lab/zone-text.ts';
import { replay } from '../../src/traversal/node-replay.ts';
import { traverse } from '../../src/traversal/traverse.ts';

/** Zones below test., each with one server that has one fault, and what is found of it by probes. */
const ZONES: readonly (readonly [zone: string, fault: Fault, found: string])[] = [
  ['closed', { kind: 'closed-port', only: { transport: 'tcp' } }, 'TCP_UNREACHABLE p1'],
  ['old', { kind: 'rejects-edns', with: 'silence' }, 'EDNS_BREAKS p1'],
  ['version', { kind: 'ignores-edns-version' }, 'EDNS_ABSENT_OR_WRONG p2'],
  ['echo', { kind: 'echoes-options' }, 'EDNS_ABSENT_OR_WRONG p3'],
  ['open', { kind: 'recurses' }, 'OPEN_RECURSION p4'],
  ['modest', { kind: 'recursion-available' }, ''],
  ['narrow', { kind: 'denies-nodata' }, 'NXDOMAIN_BY_TYPE NXDOMAIN_ON_ENT p4,p5'],
];

const addressOf = (index: number) => `192.0.2.${index + 10}`;

const WORLD: World = {
  servers: [
    {
      name: 'a.root.',
      addresses: ['192.0.2.1'],
      zones: [
        zoneText(
          '.',
          [
            '@ NS a.root.',
            'a.root. A 192.0.2.1',
            ...ZONES.flatMap(([zone], index) => [
              `${zone}.test. NS ns.${zone}.test.`,
              `ns.${zone}.test. A ${addressOf(index)}`,
            ]),
          ].join('\n'),
        ),
      ],
    },
    ...ZONES.map(([zone, fault], index) => ({
      name: `ns.${zone}.test.`,
      addresses: [addressOf(index)],
      zones: [zoneText(`${zone}.test.`, `@ NS ns\nns A ${addressOf(index)}\nwww.deep A 192.0.2.80`)],
      faults: [fault],
    })),
  ],
};

/** The codes of findings that rest on probes, and these. */
const OF_PROBES =
  /^(TCP_UNREACHABLE|EDNS_BREAKS|EDNS_ABSENT_OR_WRONG|OPEN_RECURSION|NXDOMAIN_BY_TYPE|NXDOMAIN_ON_ENT)$/;

t.test('servers of the simulated internet are found out, over sockets', async (t) => {
  const lab = await startLab(WORLD);
  t.teardown(lab.close);
  const exchange = createExchange({ clock: createFairClock(), route: lab.route, timeoutMs: 500, retries: 0 });
  const options = {
    ...DEFAULT_OPTIONS,
    specialTargets: 'allowed',
    families: [4],
    check: true,
    views: ['resolver'],
  } as const;
  await Promise.all(
    ZONES.map(async ([zone, fault, found]) => {
      const question = { name: parseName(`www.deep.${zone}.test`), type: 'A' };
      const result = await traverse(
        { question, options, hints: parseRootHints(lab.hints) },
        {
          exchange,
          probing: probing(exchange),
          emit: () => undefined,
          signal: new AbortController().signal,
        },
      );
      const findings = result.findings.filter(({ code }) => OF_PROBES.test(code));
      const codes = findings.map(({ code }) => code).sort();
      const probes = findings.flatMap(({ evidence }) => evidence.filter((id) => id.startsWith('p')));
      t.equal([...codes, [...new Set(probes)].sort().join()].join(' ').trim(), found, fault.kind);
      const saved: unknown = JSON.parse(JSON.stringify(result));
      t.strictSame(
        JSON.parse(JSON.stringify(replay(readResult(saved)))),
        saved,
        'and again when it is replayed',
      );
      t.equal(result.figures.exchanges, result.exchanges.length, 'probes are no exchanges');
      const sent = [...result.exchanges, ...(result.probes ?? [])].map(({ traffic }) => traffic.packetsSent);
      t.equal(
        result.figures.packetsSent,
        sent.reduce((a, b) => a + b),
      );
    }),
  );
});

t.test('what exchanges leave of the packets is all there is', async (t) => {
  const lab = await startLab(WORLD);
  t.teardown(lab.close);
  const exchange = createExchange({ clock: createFairClock(), route: lab.route, timeoutMs: 500, retries: 0 });
  const hints = parseRootHints(lab.hints);
  const question = { name: parseName('www.deep.modest.test'), type: 'A' };
  const around = { exchange, emit: () => undefined, signal: new AbortController().signal };
  const options = {
    ...DEFAULT_OPTIONS,
    specialTargets: 'allowed',
    families: [4],
    check: true,
    views: ['resolver'],
  } as const;
  const { figures } = await traverse({ question, options, hints }, around);
  const maxPackets = figures.packetsSent + 2;
  const bounded = { question, options: { ...options, maxPackets }, hints };
  const { ending, probes } = await traverse(bounded, { ...around, probing: probing(exchange) });
  t.equal(ending, 'whole');
  t.ok((probes?.length ?? 0) <= 2);
});
