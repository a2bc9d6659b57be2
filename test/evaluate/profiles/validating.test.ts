/** Profiles where replies are validated: what the real resolvers do in these worlds, by test/real/profiles. */
import t, { type Test } from 'tap';
import { NODE_CRYPTO } from '../../../src/dns/dnssec/node-crypto.ts';
import { trustFromAnchors } from '../../../src/dns/dnssec/trust-anchors.ts';
import { type Name, parseName, ROOT } from '../../../src/dns/name.ts';
import type { End } from '../../../src/evaluate/end.ts';
import { evaluate } from '../../../src/evaluate/evaluate.ts';
import { fractionText } from '../../../src/evaluate/fraction.ts';
import { createExchange } from '../../../src/exchange/exchange.ts';
import { delegationOf } from '../../../src/explore/delegation.ts';
import { Explorer } from '../../../src/explore/explore.ts';
import type { ProfileName } from '../../../src/explore/profiles/profiles.ts';
import { validatingScope } from '../../../src/explore/recording.ts';
import type { Fault } from '../../../src/lab/faults.ts';
import { startLab } from '../../../src/lab/lab.ts';
import { trustAnchorOf, type World } from '../../../src/lab/world.ts';
import { zoneText } from '../../../src/lab/zone-text.ts';
import { type ProductViews, productsIn } from '../products-in.ts';

/** A signed zone with two servers, of which the second one has fresh data and does only what both do. */
interface SignedZone {
  readonly name: 'www.home.test.' | 'www.y.home.test.' | 'www.x.y.home.test.';
  /** Of the first server. */
  readonly faults: readonly Fault[];
  readonly both?: readonly Fault[];
  /** How long the first server takes, in milliseconds; the second one takes 10. */
  readonly ms?: number;
  /** Whether the first server has the name. */
  readonly lacks?: 'the name';
  /** Further lines of the zone. */
  readonly data?: string;
  /** How the zone denies names. */
  readonly denial?: 'nsec3';
  readonly expected: Readonly<Partial<Record<ProfileName, readonly string[]>>>;
  /** The profiles that say that their product may do otherwise. */
  readonly deviating?: readonly ProfileName[];
}

const FRESH = ['answer fresh 1'];
const EITHER = ['answer fresh 1/2', 'answer stale 1/2'];
const expired: Fault = { kind: 'flawed-signatures', flaw: 'expired' };
const missing: Fault = { kind: 'flawed-signatures', flaw: 'missing' };
const keys = { type: 'DNSKEY' };
const minimised = { name: 'y.home.test.' };
/** Denies a name that exists, without a proof. */
const deniesSecond: Fault = { kind: 'denies-nodata', only: { name: 'x.y.home.test.' } };

const zones: Readonly<Record<string, SignedZone>> = {
  'who asks for keys knows both servers by the whole name, and takes the faster one': {
    name: 'www.y.home.test.',
    faults: [],
    ms: 60,
    expected: { bind: FRESH, unbound: EITHER, knot: FRESH, powerdns: FRESH },
    deviating: [],
  },
  'without names to minimise, only who asks for keys first has heard one': {
    name: 'www.home.test.',
    faults: [],
    ms: 60,
    expected: { bind: EITHER, unbound: EITHER, knot: EITHER, powerdns: EITHER },
  },
  'expired signatures': {
    name: 'www.home.test.',
    faults: [expired],
    expected: { bind: FRESH, unbound: FRESH, knot: FRESH, powerdns: ['answer fresh 1/2', 'servfail 1/2'] },
    deviating: ['unbound'],
  },
  'no signatures: each comes to that server for the reply or for the keys': {
    name: 'www.home.test.',
    faults: [missing],
    expected: { bind: FRESH, unbound: FRESH, knot: ['servfail 1'], powerdns: ['servfail 1'] },
    deviating: ['bind', 'unbound', 'powerdns'],
  },
  'an empty reply to the question for keys': {
    name: 'www.home.test.',
    faults: [{ kind: 'empty', only: keys }],
    expected: { bind: EITHER, unbound: EITHER, knot: ['servfail 1/2', 'answer stale 1/2'], powerdns: EITHER },
  },
  'a denial of the keys': {
    name: 'www.home.test.',
    faults: [{ kind: 'rcode', rcode: 'NXDOMAIN', only: keys }],
    expected: {
      bind: EITHER,
      unbound: EITHER,
      knot: ['servfail 1/2', 'answer stale 1/2'],
      powerdns: ['servfail 1/2', 'answer stale 1/2'],
    },
  },
  'a server that refers the zone to itself': {
    name: 'www.home.test.',
    faults: [{ kind: 'lame', zone: 'home.test.', ns: ['ns1.home.test.'], only: { name: 'www.home.test.' } }],
    expected: { bind: FRESH, unbound: FRESH, knot: FRESH, powerdns: FRESH },
    deviating: ['knot'],
  },
  'no server has keys': {
    name: 'www.home.test.',
    faults: [],
    both: [{ kind: 'rcode', rcode: 'REFUSED', only: keys }],
    expected: {
      bind: ['servfail 1'],
      unbound: ['servfail 1'],
      knot: ['servfail 1'],
      powerdns: ['servfail 1'],
    },
    deviating: [],
  },
  'a proven NXDOMAIN for a minimised name': {
    name: 'www.y.home.test.',
    faults: [],
    lacks: 'the name',
    expected: { unbound: ['nxdomain 1/2', 'nxdomain 1/4', 'answer fresh 1/4'] },
  },
  'a denial of a minimised name that does not verify': {
    name: 'www.y.home.test.',
    faults: [{ kind: 'denies-nodata', only: minimised }],
    expected: {
      unbound: ['answer fresh 3/4', 'answer stale 1/4'],
      knot: EITHER,
      powerdns: ['servfail 1/2', 'answer fresh 1/4', 'answer stale 1/4'],
      'unbound-strict': ['answer fresh 3/4', 'answer stale 1/4'],
    },
  },
  'a reply that does not verify for the name right above the whole one': {
    name: 'www.y.home.test.',
    faults: [{ kind: 'flawed-signatures', flaw: 'expired', covering: 'NSEC' }],
    expected: { bind: EITHER, powerdns: ['servfail 1/2', 'answer fresh 1/4', 'answer stale 1/4'] },
  },
  'a denial that does not verify, and no other server': {
    name: 'www.y.home.test.',
    faults: [{ kind: 'denies-nodata', only: minimised }],
    both: [{ kind: 'denies-nodata', only: minimised }],
    expected: { unbound: EITHER },
  },
  'a reply without AA that does not verify for the name right above the whole one': {
    name: 'www.y.home.test.',
    faults: [
      { kind: 'flawed-signatures', flaw: 'expired', covering: 'NSEC' },
      { kind: 'not-authoritative', only: minimised },
    ],
    expected: { powerdns: ['servfail 1/2', 'answer fresh 1/4', 'answer stale 1/4'] },
  },
  'an empty non-terminal that NSEC records prove': {
    name: 'www.x.y.home.test.',
    faults: [deniesSecond],
    expected: { powerdns: EITHER, unbound: ['answer fresh 3/4', 'answer stale 1/4'] },
  },
  'an empty non-terminal that NSEC3 records deny': {
    name: 'www.x.y.home.test.',
    faults: [deniesSecond],
    denial: 'nsec3',
    expected: { powerdns: ['servfail 1/2', 'answer fresh 1/4', 'answer stale 1/4'] },
  },
  'minimised names with records of their own': {
    name: 'www.x.y.home.test.',
    faults: [deniesSecond],
    data: 'y TXT "there"\nx.y TXT "there"\n',
    expected: { powerdns: ['servfail 1/2', 'answer fresh 1/4', 'answer stale 1/4'] },
  },
  'silence at a minimised name': {
    name: 'www.y.home.test.',
    faults: [expired],
    both: [{ kind: 'dead', only: { ...minimised, type: 'NS' } }],
    expected: { bind: ['servfail 1'], knot: ['servfail 1'] },
  },
};

const ROOT_ADDRESS = '192.0.2.1';
const TEST_ADDRESS = '192.0.2.2';
const FIRST = '192.0.2.3';
const SECOND = '192.0.2.4';
const STALE = '203.0.113.1';

function worldOf({ name, faults, both = [], lacks, data: more = '', denial }: SignedZone): World {
  const at = (server: string, address: string, zone: string, wrong: readonly Fault[] = []) => {
    return { name: server, addresses: [address], zones: [zone], faults: wrong };
  };
  const home = (data: string) =>
    zoneText('home.test.', `@ NS ns1\n@ NS ns2\nns1 A ${FIRST}\nns2 A ${SECOND}\n${more}${data}`);
  const host = name.replace('.home.test.', '');
  return {
    signed: { '.': {}, 'test.': {}, 'home.test.': denial === undefined ? {} : { denial: { kind: denial } } },
    servers: [
      at(
        'k.root.',
        ROOT_ADDRESS,
        zoneText('.', `@ NS k.root.\ntest NS a.nic.test\na.nic.test A ${TEST_ADDRESS}`),
      ),
      at(
        'a.nic.test.',
        TEST_ADDRESS,
        zoneText(
          'test.',
          `@ NS a.nic\na.nic A ${TEST_ADDRESS}\nhome NS ns1.home\nhome NS ns2.home\nns1.home A ${FIRST}\nns2.home A ${SECOND}`,
        ),
      ),
      at('ns1.home.test.', FIRST, home(lacks ? '' : `${host} A ${STALE}`), [...faults, ...both]),
      at('ns2.home.test.', SECOND, home(`${host} A 203.0.113.2`), both),
    ],
  };
}

async function profilesIn(t: Test, zone: SignedZone): Promise<readonly ProductViews[]> {
  const world = worldOf(zone);
  const lab = await startLab(world);
  t.teardown(lab.close);
  const hints = new Map<Name, readonly string[]>(lab.roots.map((root) => [root.name, root.addresses]));
  const explorer = new Explorer(
    {
      question: { name: parseName(zone.name), type: 'A' },
      hints: delegationOf(ROOT, hints),
      families: [4],
      maxDepth: 30,
      maxWork: 1_000_000,
      specialTargets: 'allowed',
      warm: 'off',
      check: 'off',
      profiles: ['bind', 'unbound', 'knot', 'powerdns', 'unbound-strict'],
      dnssec: validatingScope(NODE_CRYPTO, {
        time: Date.UTC(2026, 0, 1) / 1000,
        anchors: trustFromAnchors(trustAnchorOf(world).trim().split('\n')),
      }),
    },
    { maxQueries: 100, maxTimeMs: 60_000 },
  );
  const exchange = createExchange({ route: lab.route, timeoutMs: 2_000, retries: 0 });
  // A busy machine adds to the times that are meant.
  const inTime: typeof exchange = async (...asked) => {
    const exchanged = await exchange(...asked);
    const { address, outcome } = exchanged;
    const rttMs = address === FIRST ? (zone.ms ?? 10) : 10;
    return outcome.kind === 'reply'
      ? { ...exchanged, elapsedMs: rttMs, outcome: { ...outcome, rttMs } }
      : exchanged;
  };
  const { recording } = await explorer.run(inTime, new AbortController().signal);
  return productsIn(evaluate(recording));
}

function outcomesOf({ asking, ...given }: ProductViews): readonly string[] {
  return (asking ?? given).outcomes.map(
    ({ end, probability }) => `${textOf(end)} ${fractionText(probability)}`,
  );
}

function textOf(end: End): string {
  if (end.kind !== 'answer') return end.kind;
  const isStale = end.records.some(({ data }) => data === STALE);
  return `${end.kind} ${isStale ? 'stale' : 'fresh'}`;
}

for (const [title, zone] of Object.entries(zones))
  t.test(title, async (t) => {
    const profiles = await profilesIn(t, zone);
    for (const profile of profiles) {
      const expected = zone.expected[profile.name];
      if (expected) t.same([...outcomesOf(profile)].sort(), [...expected].sort(), profile.name);
    }
    const deviating = profiles.flatMap(({ name, deviations = [] }) => (deviations.length > 0 ? [name] : []));
    if (zone.deviating) t.same(deviating, zone.deviating, 'the products that may do otherwise');
  });
