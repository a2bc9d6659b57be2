/** Small worlds whose validating views are worked out by hand: what is asked, what ends paths, and what is made of replies. */
import t from 'tap';
import { parseName } from '../../../src/dns/name.ts';
import type { Outcome } from '../../../src/evaluate/distribution.ts';
import type { End } from '../../../src/evaluate/end.ts';
import { outcomesIn } from '../../../src/evaluate/evaluate.ts';
import { fractionText } from '../../../src/evaluate/fraction.ts';
import type { ExchangeVerdict } from '../../../src/evaluate/step.ts';
import type { Exchanged } from '../../../src/exchange/exchanged.ts';
import type { Query } from '../../../src/exchange/query.ts';
import { type Delegation, delegationOf } from '../../../src/explore/delegation.ts';
import {
  readWorld,
  rootServers,
  type ServerSpec,
  trustAnchorOf,
  type World,
} from '../../../src/lab/world.ts';
import { zoneText } from '../../../src/lab/zone-text.ts';
import { labExchange } from '../../lab/lab-exchange.ts';
import { runSignedWorld, TIME } from './random-signed-world.ts';

const ROOT_ZONE = lines(`
  @ NS r.
  r. A 127.9.1.1
  a. NS ns1.a.
  a. NS ns2.a.
  ns1.a. A 127.9.1.2
  ns2.a. A 127.9.1.3
  b. NS ns.b.
  ns.b. A 127.9.1.4
`);
const A_ZONE = lines(`
  @ NS ns1
  @ NS ns2
  ns1 A 127.9.1.2
  ns2 A 127.9.1.3
  www A 192.0.2.80
  to-b CNAME www.b.
  twice CNAME www
  child NS ns.b.
`);
const B_ZONE = lines(`
  @ NS ns
  ns A 127.9.1.4
  www A 192.0.2.81
`);

function lines(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((line) => line.trim())
    .join('\n');
}

interface Case {
  readonly shows: string;
  readonly ask: string;
  readonly servers?: Readonly<Record<string, Partial<ServerSpec>>>;
  readonly signed?: World['signed'];
  readonly planned?: readonly Delegation[];
  readonly validating: readonly string[];
  /** What is asked besides the cold walk. */
  readonly besides?: readonly string[];
  readonly verdicts?: Readonly<Record<string, string>>;
}

const SIGNED = { '.': {}, 'a.': {}, 'b.': {} };

const CASES: readonly Case[] = [
  {
    shows: 'in a signed zone each server is asked for the keys',
    ask: 'www.a. A',
    validating: ['1/2 secure answer of a. by ns1.a.', '1/2 secure answer of a. by ns2.a.'],
    besides: ['127.9.1.1 . DNSKEY', '127.9.1.2 a. DNSKEY', '127.9.1.3 a. DNSKEY'],
    verdicts: {
      '127.9.1.1 www.a. A': 'secure',
      '127.9.1.1 . DNSKEY': 'secure',
      '127.9.1.2 www.a. A': 'secure',
      '127.9.1.3 a. DNSKEY': 'secure',
    },
  },
  {
    shows: 'below a delegation without DS nothing is asked',
    ask: 'www.a. A',
    signed: { '.': {} },
    validating: ['1/2 insecure answer of a. by ns1.a.', '1/2 insecure answer of a. by ns2.a.'],
    besides: ['127.9.1.1 . DNSKEY'],
    verdicts: { '127.9.1.1 www.a. A': 'secure', '127.9.1.2 www.a. A': 'insecure no-ds a. by r. 127.9.1.1' },
  },
  {
    shows: 'a referral without DS makes one more question',
    ask: 'www.a. A',
    servers: { 'r.': { faults: [{ kind: 'omits-ds' }] } },
    validating: ['1/2 secure answer of a. by ns1.a.', '1/2 secure answer of a. by ns2.a.'],
    besides: ['127.9.1.1 . DNSKEY', '127.9.1.1 a. DS', '127.9.1.2 a. DNSKEY', '127.9.1.3 a. DNSKEY'],
    verdicts: { '127.9.1.1 www.a. A': 'secure', '127.9.1.1 a. DS': 'secure' },
  },
  {
    shows: 'a referral without proof is insecure if its DS question proves that',
    ask: 'www.a. A',
    signed: { '.': {} },
    servers: { 'r.': { faults: [{ kind: 'omits-proof', only: { type: 'A' } }] } },
    validating: ['1/2 insecure answer of a. by ns1.a.', '1/2 insecure answer of a. by ns2.a.'],
    besides: ['127.9.1.1 . DNSKEY', '127.9.1.1 a. DS'],
    verdicts: {
      '127.9.1.1 www.a. A': 'insecure no-ds a. by r. 127.9.1.1',
      '127.9.1.1 a. DS': 'secure',
      '127.9.1.2 www.a. A': 'insecure no-ds a. by r. 127.9.1.1',
    },
  },
  {
    shows: 'what is below an insecure zone says which',
    ask: 'www.child.a. A',
    signed: { '.': {} },
    servers: { 'ns.b.': { zones: [zoneText('child.a.', '@ NS ns.b.\nwww A 192.0.2.83')] } },
    validating: ['1 insecure answer of child.a. by ns.b.'],
    verdicts: {
      '127.9.1.3 www.child.a. A': 'insecure no-ds a. by r. 127.9.1.1',
      '127.9.1.4 www.child.a. A': 'insecure unsigned-parent a.',
    },
  },
  {
    shows: 'a signed zone whose DS nobody there has is insecure if a zone between is',
    ask: 'www.z.b. A',
    signed: { '.': {}, 'z.b.': {} },
    servers: { 'r.': { zones: [zoneText('z.b.', '@ NS r.\nwww A 192.0.2.84')] } },
    validating: ['1 insecure answer of . by r.'],
    besides: ['127.9.1.1 . DNSKEY', '127.9.1.1 b. DS', '127.9.1.1 z.b. DS'],
    verdicts: { '127.9.1.1 www.z.b. A': 'insecure no-ds b. by r. 127.9.1.1' },
  },
  {
    shows: 'where one of two servers does not verify the other one gives the answer',
    ask: 'www.a. A',
    servers: { 'ns2.a.': { faults: [{ kind: 'flawed-signatures', flaw: 'expired', covering: 'A' }] } },
    validating: ['1 secure answer of a. by ns1.a.'],
    verdicts: { '127.9.1.2 www.a. A': 'secure', '127.9.1.3 www.a. A': 'bogus expired' },
  },
  {
    shows: 'the cause is what most servers show, and of those that show as much the first by name',
    ask: 'www.a. A',
    servers: {
      'ns1.a.': { faults: [{ kind: 'flawed-signatures', flaw: 'expired', covering: 'A' }] },
      'ns2.a.': { faults: [{ kind: 'dead', only: { type: 'A' } }] },
    },
    validating: ['1 servfail at a.: expired'],
    verdicts: { '127.9.1.2 www.a. A': 'bogus expired', '127.9.1.3 www.a. A': 'none' },
  },
  {
    shows: 'an alias verifies although the address that comes with it does not: it is asked anew',
    ask: 'twice.a. A',
    servers: { 'ns2.a.': { faults: [{ kind: 'flawed-signatures', flaw: 'spoilt', covering: 'A' }] } },
    validating: ['1 secure answer of a. by ns1.a.'],
    besides: ['127.9.1.1 . DNSKEY', '127.9.1.2 a. DNSKEY', '127.9.1.3 a. DNSKEY'],
    verdicts: { '127.9.1.3 twice.a. A': 'secure', '127.9.1.3 www.a. A': 'bogus bad-signature' },
  },
  {
    shows: 'what an alias of a secure zone leads to in an insecure one is insecure',
    ask: 'to-b.a. A',
    signed: { '.': {}, 'a.': {} },
    validating: ['1 insecure answer of b. by ns.b.'],
  },
  {
    shows: 'a planned delegation has the trust that the parent has for the zone now',
    ask: 'www.b. A',
    planned: [delegationOf(parseName('b.'), new Map([[parseName('ns1.a.'), ['127.9.1.2']]]))],
    servers: { 'ns1.a.': { zones: [zoneText('b.', B_ZONE)], signed: { 'b.': 'unsigned' } } },
    validating: ['1 servfail at b.: no-keys'],
  },
  {
    shows: 'a planned delegation of a zone that the parent has no word of is insecure',
    ask: 'www.c. A',
    planned: [delegationOf(parseName('c.'), new Map([[parseName('ns1.a.'), ['127.9.1.2']]]))],
    servers: { 'ns1.a.': { zones: [zoneText('c.', '@ NS ns1.a.\nwww A 192.0.2.82')] } },
    validating: ['1 insecure answer of c. by ns1.a.'],
    besides: ['127.9.1.1 . DNSKEY'],
  },
];

for (const row of CASES) {
  t.test(row.shows, async (t) => {
    const { evaluation, asked } = await run(row, 'proof');
    t.same(texts(outcomesIn(evaluation, 'validating')), row.validating, 'validating');
    const cold = new Set((await run(row, 'nothing')).asked);
    if (row.besides !== undefined)
      t.same(asked.filter((one) => !cold.has(one)).sort(), row.besides, 'asked besides');
    for (const [key, verdict] of Object.entries(row.verdicts ?? {})) {
      const known = evaluation.validation?.verdicts.get(key);
      t.equal(known === undefined ? 'none' : verdictText(known), verdict, key);
    }
  });
}

function verdictText(verdict: ExchangeVerdict): string {
  if (verdict.status === 'bogus') return `bogus ${verdict.reason}`;
  if (verdict.status !== 'insecure') return verdict.status;
  const { why, server } = verdict;
  const by = server === undefined ? '' : ` by ${server.name} ${server.address}`;
  return why === undefined ? 'insecure' : `insecure ${why.reason} ${why.zone}${by}`;
}

/** Every exchange takes 10 ms. */
async function run({ ask, servers = {}, signed = SIGNED, planned }: Case, demands: 'proof' | 'nothing') {
  const lab = worldOf(servers, signed);
  const [name = '', type = ''] = ask.split(' ');
  const exchange = labExchange(lab);
  const world = {
    question: { name: parseName(name), type },
    maxDepth: 12,
    hints: rootServers(readWorld(lab)),
    anchor: trustAnchorOf(lab),
    time: TIME,
    lab,
    exchange: (query: Query): Exchanged => ({ ...exchange(query), elapsedMs: 10 }),
  };
  return await runSignedWorld(world, { demands, change: planned === undefined ? {} : { planned } });
}

function worldOf(changed: Case['servers'], signed: World['signed']): World {
  const servers: readonly ServerSpec[] = [
    { name: 'r.', addresses: ['127.9.1.1'], zones: [zoneText('.', ROOT_ZONE)] },
    { name: 'ns1.a.', addresses: ['127.9.1.2'], zones: [zoneText('a.', A_ZONE)] },
    { name: 'ns2.a.', addresses: ['127.9.1.3'], zones: [zoneText('a.', A_ZONE)] },
    { name: 'ns.b.', addresses: ['127.9.1.4'], zones: [zoneText('b.', B_ZONE)] },
  ];
  return {
    servers: servers.map((server) => {
      const { zones = [], ...rest } = changed?.[server.name] ?? {};
      return { ...server, ...rest, zones: [...(server.zones ?? []), ...zones] };
    }),
    ...(signed && { signed }),
  };
}

function texts(outcomes: readonly Outcome[]): readonly string[] {
  return outcomes.map(({ end, probability }) => `${fractionText(probability)} ${textOf(end)}`);
}

function textOf(end: End): string {
  if (end.kind !== 'servfail')
    return `${'security' in end ? end.security : '-'} ${end.kind} of ${end.zone} by ${end.server?.name}`;
  const { cause } = end;
  return `servfail at ${end.zone}: ${cause?.kind === 'bogus' ? cause.reason : cause?.kind}`;
}
