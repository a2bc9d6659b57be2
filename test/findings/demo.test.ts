import t from 'tap';
import { summaryOf } from '../../src/document/ends.ts';
import { type Finding, onlyCauseOf } from '../../src/document/finding.ts';
import type { TraversalOptions } from '../../src/document/options.ts';
import type { TraversalResult } from '../../src/document/result.ts';
import { percentage } from '../../src/document/words/quantities.ts';
import { readFraction } from '../../src/evaluate/fraction.ts';
import { showcases } from '../../src/lab/showcases.ts';
import { demoResult, showcaseResult } from '../lab/demo-result.ts';
import { formMistakes } from './world.ts';

/** What a showcase has to show: what its line says, and which findings say so. */
interface Shown {
  /** The line that `svc traverse --demo` prints: whoever changes it has to look at this row, too. */
  readonly line: string;
  /** What users get: the resolver view. */
  readonly users: string;
  /** What first attempts come to, where that is something else. */
  readonly tries?: string;
  /** What users get once a resolver knows the zone's own servers, where that is something else. */
  readonly warm?: string;
  /** What users get behind validating resolvers, where that is something else. */
  readonly validating?: string;
  /** The codes, what merely follows from them in parentheses. */
  readonly finds: string;
}

const SHOWCASES: Readonly<Record<string, Shown>> = {
  'www.shop.example': {
    line: 'healthy: every path ends in the same answer',
    users: '100 % 198.51.100.80',
    finds: '',
  },
  'www.blog.test': {
    line: 'healthy, over IPv6 as well',
    users: '100 % 2001:db8:2::110',
    finds: '',
  },
  'nowhere.shop.example': {
    line: 'healthy: every server agrees that there is no such name',
    users: '100 % nxdomain',
    finds: '',
  },
  '80.100.51.198.in-addr.arpa': {
    line: 'an address: -x 198.51.100.80 asks its reverse zone',
    users: '100 % www.shop.example.',
    finds: 'SINGLE_POINT_OF_FAILURE',
  },
  'www.lame.example': {
    line: 'a lame server: one of two refers back to the root',
    users: '100 % 198.51.100.101',
    tries: '50 % 198.51.100.101, 50 % lame',
    finds: 'NS_UPWARD_REFERRAL (FIRST_TRY_FAILS SINGLE_POINT_OF_FAILURE)',
  },
  'www.forgotten.example': {
    line: 'one of two servers refuses: the zone was never set up there',
    users: '100 % 198.51.100.102',
    tries: '50 % 198.51.100.102, 50 % error',
    finds: 'NS_REFUSED (FIRST_TRY_FAILS SINGLE_POINT_OF_FAILURE)',
  },
  'www.dead.example': {
    line: 'a dead server: half of all first attempts time out',
    users: '100 % 198.51.100.107',
    tries: '50 % 198.51.100.107, 50 % timeout',
    finds: 'NS_NO_RESPONSE_UDP (FIRST_TRY_FAILS SINGLE_POINT_OF_FAILURE)',
  },
  'www.stale.example': {
    line: 'a stale server: half of all users get an old address',
    users: '50 % 192.0.2.104, 50 % 198.51.100.104',
    finds: 'SOA_SERIAL_DIFFERS (ANSWER_NOT_CERTAIN ANSWERS_DIFFER)',
  },
  'spring.sale.example': {
    line: 'a new name that one of two servers says does not exist',
    users: '50 % 198.51.100.106, 50 % nxdomain',
    finds: 'SOA_SERIAL_DIFFERS (ANSWER_NOT_CERTAIN EXISTENCE_DIFFERS SINGLE_POINT_OF_FAILURE)',
  },
  'www.launch.test': {
    line: 'a new domain that one of the two registry servers does not know',
    users: '50 % 203.0.113.111, 50 % nxdomain',
    finds: 'PARENT_INCONSISTENT (ANSWER_NOT_CERTAIN SINGLE_POINT_OF_FAILURE)',
  },
  'www.moved.example': {
    line: 'a move of which the registry knows nothing: cold wrong, warm right',
    users: '100 % 203.0.113.103',
    warm: '100 % 198.51.100.103',
    finds: 'PARENT_CHILD_NS_DISJOINT (WARM_DIFFERS ANSWERS_DIFFER SINGLE_POINT_OF_FAILURE)',
  },
  'www.copied.example': {
    line: "a move with the old hoster's NS records: cold right, warm wrong",
    users: '100 % 198.51.100.114',
    warm: '100 % 203.0.113.114',
    finds: 'PARENT_CHILD_NS_DISJOINT (WARM_DIFFERS ANSWERS_DIFFER)',
  },
  'www.berlin.offices.example': {
    line: 'one of two servers denies a name that only has names below it',
    users: '100 % 198.51.100.115',
    finds: 'NS_NOT_AUTHORITATIVE NXDOMAIN_ON_ENT',
  },
  'www.paris.offices.example': {
    line: 'servers silent to the short questions of some resolver products',
    users: '100 % 198.51.100.116',
    finds: 'NS_LOSSY MINIMISED_FAILS',
  },
  'www.missing-glue.example': {
    line: 'missing glue: ns2 can only be found by way of ns1',
    users: '100 % 198.51.100.111',
    tries: '12.5 % no-glue, 87.5 % 198.51.100.111',
    finds: 'GLUE_MISSING (FIRST_TRY_FAILS SINGLE_POINT_OF_FAILURE)',
  },
  'www.wrong-glue.example': {
    line: 'wrong glue: the address of ns2 now belongs to somebody else',
    users: '100 % 198.51.100.112',
    tries: '50 % 198.51.100.112, 50 % error',
    finds: 'GLUE_MISMATCH (NS_REFUSED FIRST_TRY_FAILS SINGLE_POINT_OF_FAILURE)',
  },
  'www.left.example': {
    line: 'two domains that depend on each other: neither resolves',
    users: '100 % servfail',
    tries: '100 % unresolvable-ns',
    finds: 'DEPENDENCY_CYCLE (ZONE_NO_WORKING_NS) NS_COUNT_LOW',
  },
  'www.circle.example': {
    line: 'an alias loop across two zones and two hosters',
    users: '100 % alias-loop',
    finds: 'CNAME_LOOP',
  },
  'www.magazine.example': {
    line: 'an alias to a content network with one dead server of four',
    users: '100 % 203.0.113.200',
    tries: '25 % timeout, 75 % 203.0.113.200',
    finds: 'NS_NO_RESPONSE_UDP (FIRST_TRY_FAILS)',
  },
  'www.six.example': {
    line: 'a server with dead IPv6: a quarter of first attempts time out',
    users: '100 % 198.51.100.113',
    tries: '25 % timeout, 75 % 198.51.100.113',
    finds: 'NS_V6_DEAD (FIRST_TRY_FAILS NS_NO_RESPONSE_UDP)',
  },
  'www.intranet.example': {
    line: 'a name server with a private address',
    users: '100 % 198.51.100.109',
    tries: '50 % 198.51.100.109, 50 % timeout',
    finds: 'NS_NO_RESPONSE_UDP (FIRST_TRY_FAILS SINGLE_POINT_OF_FAILURE) NS_ADDR_NOT_GLOBAL',
  },
  'www.old.example': {
    line: 'a server that rejects EDNS: right answers, one query later',
    users: '100 % 198.51.100.108',
    finds: 'EDNS_BREAKS',
  },
  'post.letters.example': {
    line: 'an answer too large for UDP, and a server that refuses TCP',
    users: '100 % "MIIB',
    tries: '50 % "MIIB, 50 % unreachable',
    finds: 'TCP_UNREACHABLE (FIRST_TRY_FAILS SINGLE_POINT_OF_FAILURE)',
  },
  'www.hotel.example': {
    line: 'DNS intercepted on the way: a resolver answers for the root servers',
    users: '100 % 198.51.100.116',
    validating: '100 % servfail',
    finds: 'PATH_INTERCEPTED',
  },
  'www.expired.example': {
    line: 'old signatures at one of two servers: not all resolvers retry',
    users: '100 % 198.51.100.117',
    finds: 'RRSIG_EXPIRED (SERVERS_DIFFER_DNSSEC SINGLE_POINT_OF_FAILURE)',
  },
  'www.firewall.example': {
    line: 'a firewall that holds back the keys of one of two servers',
    users: '100 % 198.51.100.125',
    finds: 'TCP_UNREACHABLE (DNSSEC_MISSING_AT_SERVER SINGLE_POINT_OF_FAILURE)',
  },
  'www.rollover.example': {
    line: 'a half-done change of keys: one server has the old one, one the new',
    users: '100 % 198.51.100.118',
    finds: 'KEYS_DIFFER (RRSIG_INVALID)',
  },
  'www.new-key.example': {
    line: 'a change of keys: the new one signs, and has no DS record yet',
    users: '100 % 198.51.100.126',
    finds: 'KEY_ROLLOVER',
  },
  'www.lost-key.example': {
    line: 'the registry names a key that the zone does not have',
    users: '100 % 198.51.100.119',
    validating: '100 % servfail',
    finds: 'DS_NO_MATCH (DNSSEC_BOGUS)',
  },
  'nowhere.denial.example': {
    line: 'a name that does not exist, but nobody proves that',
    users: '100 % nxdomain',
    validating: '100 % servfail',
    finds: 'DENIAL_BROKEN (DNSSEC_BOGUS)',
  },
  'www.unsigned.example': {
    line: 'healthy: not signed, and the registry proves that',
    users: '100 % 198.51.100.121',
    finds: '',
  },
  'www.pool.example': {
    line: 'healthy: rotating, each reply has 4 of 16 addresses',
    users: '100 % rotating 198.51.100',
    finds: 'ANSWERS_ROTATE',
  },
  'www.sealed.example': {
    line: 'healthy: rotating, and each answer signed as it is given',
    users: '100 % rotating 198.51.100',
    finds: 'ANSWERS_ROTATE',
  },
  'www.cached.example': {
    line: 'healthy: rotating, with a cache in front of one of two servers',
    users: '100 % rotating 198.51.100',
    finds: 'ANSWERS_ROTATE',
  },
  'www.weighted.example': {
    line: 'healthy: an alias of one of two networks by turns',
    users: '100 % rotating 198.51.100, 203.0.113',
    finds: 'ANSWERS_ROTATE',
  },
  'www.regional.example': {
    line: 'another answer from each server, from one version of the zone',
    users: '50 % 198.51.100.220, 50 % 198.51.100.221',
    finds: 'ANSWERS_DIFFER (ANSWER_NOT_CERTAIN)',
  },
  'www.machine.example': {
    line: 'a stale machine: one of two behind one address',
    users: '25 % 192.0.2.124, 75 % 198.51.100.124',
    finds: 'ANSWERS_DIFFER (ANSWER_NOT_CERTAIN)',
  },
  'www.stray.example': {
    line: 'rotating, and one server of three is stale',
    users: '33.33 % 192.0.2.123, 66.67 % rotating 198.51.100',
    finds: 'SOA_SERIAL_DIFFERS (ANSWER_NOT_CERTAIN ANSWERS_DIFFER) ANSWERS_ROTATE',
  },
  'www.behind.example': {
    line: 'rotating, and one server of three is stale and rotates, too',
    users: '33.33 % 192.0.2.140,192.0.2.141, 66.67 % rotating 198.51.100',
    finds: 'SOA_SERIAL_DIFFERS (ANSWER_NOT_CERTAIN ANSWERS_DIFFER) ANSWERS_ROTATE',
  },
  'www.mixed.example': {
    line: 'a bit of everything: 75 % right, 12.5 % stale, 12.5 % time out',
    users: '25 % 192.0.2.110, 75 % 198.51.100.110',
    tries: '12.5 % 192.0.2.110, 12.5 % timeout, 75 % 198.51.100.110',
    finds: 'SOA_SERIAL_DIFFERS (ANSWER_NOT_CERTAIN ANSWERS_DIFFER) NS_NO_RESPONSE_UDP (FIRST_TRY_FAILS)',
  },
};

/** What `--check` finds of other names. */
const CHECKED_DEMO: Readonly<Record<string, string>> = {
  'www.shop.example': '',
  'nowhere.shop.example': '',
  'www.launch.test': 'SOA_SERIAL_DIFFERS (ANSWER_NOT_CERTAIN PARENT_INCONSISTENT SINGLE_POINT_OF_FAILURE)',
  'www.wrong-glue.example': 'GLUE_MISMATCH (NS_REFUSED FIRST_TRY_FAILS SINGLE_POINT_OF_FAILURE)',
  'www.hotel.example': 'PATH_INTERCEPTED',
};

const CHECK: Partial<TraversalOptions> = { check: true };

/** The findings of a name but for the finding on latency, which is this machine's business. */
function withoutLatency({ findings }: Pick<TraversalResult, 'findings'>): readonly Finding[] {
  return findings.filter(({ code }) => code !== 'COLD_LATENCY_HIGH');
}

t.test('each line that svc traverse --demo prints is true', async (t) => {
  t.same(showcases.map(({ name }) => name).sort(), Object.keys(SHOWCASES).sort());
  await Promise.all(
    showcases.map(async (showcase) => {
      const { name, line } = showcase;
      const result = await showcaseResult(showcase);
      const shown = { line, ...shownBy(result), mistakes: formMistakes(result) };
      t.same(shown, { ...SHOWCASES[name], mistakes: [] }, name);
    }),
  );
});

function shownBy(result: TraversalResult): Omit<Shown, 'line'> {
  const { 'first-tries': firstTries, resolver, warm = resolver, validating = resolver } = result.views;
  const [tries, users] = [sharesIn(firstTries), sharesIn(resolver)];
  const later = sharesIn(warm);
  const proven = sharesIn(validating);
  return {
    users,
    ...(tries !== users && { tries }),
    ...(later !== users && { warm: later }),
    ...(proven !== users && { validating: proven }),
    finds: outline(withoutLatency(result)),
  };
}

/** "25 % timeout, 75 % 192.0.2.1": sorted, an answer by the beginning of its data. */
function sharesIn(view: TraversalResult['views']['resolver']): string {
  return summaryOf(view)
    .map(({ fraction, kind, answer, varies }) => {
      const end =
        varies === true
          ? `rotating ${networksOf(answer ?? [])}`
          : (answer?.join().replace(/^("....).*/, '$1') ?? kind);
      return `${percentage(readFraction(fraction))} ${end}`;
    })
    .sort()
    .join(', ');
}

/** "198.51.100, 203.0.113": which of the addresses there were seen is a matter of chance. */
function networksOf(addresses: readonly string[]): string {
  return [...new Set(addresses.map((address) => address.replace(/\.\d+$/, '')))].join(', ');
}

t.test('with --check more is found', async (t) => {
  for (const [name, expected] of Object.entries(CHECKED_DEMO))
    t.equal(outline(withoutLatency(await demoResult(name, 'A', CHECK))), expected, name);
});

t.test('a denial without the AA bit counts against the server that sent it, and no other', async (t) => {
  const found = withoutLatency(await demoResult('www.berlin.offices.example', 'A', CHECK));
  t.same(new Set(found.map(({ server }) => server?.name)), new Set(['ns2.harbour.example.']));
});

t.test('where several servers disagree, the message names the one that differs, or none', async (t) => {
  const messages = async (name: string) => (await demoResult(name)).findings.map(({ message }) => message);
  t.match(
    (await messages('www.mixed.example'))[0],
    /^Most servers .*, but ns\.mixed\.example \(198\.51\.100\.81\)/,
  );
  t.match((await messages('www.stale.example'))[0], /^The servers of stale\.example disagree on /);
});

t.test('silence that has a reason is answered by the advice that the reason gives', async (t) => {
  const { findings } = await demoResult('www.six.example');
  const silence = findings.find(({ code }) => code === 'NS_NO_RESPONSE_UDP');
  const reason = findings.find(({ id }) => id === silence?.causes[0]);
  t.match(reason?.advice, /Repair its IPv6 connection or remove the IPv6 address\./);
  t.match(silence?.advice, /See NS_V6_DEAD\./);
});

t.test('a consequence repeats no advice, and a finding about users has none of its own', async (t) => {
  for (const [name, finds] of [
    [
      'www.wrong-glue.example',
      [
        'NS_REFUSED: GLUE_MISMATCH',
        'FIRST_TRY_FAILS: GLUE_MISMATCH',
        'SINGLE_POINT_OF_FAILURE: GLUE_MISMATCH',
      ],
    ],
    ['www.missing-glue.example', ['FIRST_TRY_FAILS: GLUE_MISSING', 'SINGLE_POINT_OF_FAILURE: GLUE_MISSING']],
    ['www.moved.example', OF_DISJOINT_SETS],
    ['www.copied.example', OF_DISJOINT_SETS.filter((one) => !one.startsWith('SINGLE'))],
  ] as const) {
    const referring = withoutLatency(await demoResult(name, 'A', CHECK)).flatMap(({ code, advice }) => {
      const [, cause] = /^See ([A-Z_]+)\.$/.exec(advice) ?? [];
      return cause === undefined ? [] : [`${code}: ${cause}`];
    });
    t.same(referring, finds, name);
  }
});

const OF_DISJOINT_SETS: readonly string[] = [
  'WARM_DIFFERS: PARENT_CHILD_NS_DISJOINT',
  'ANSWERS_DIFFER: PARENT_CHILD_NS_DISJOINT',
  'SINGLE_POINT_OF_FAILURE: PARENT_CHILD_NS_DISJOINT',
];

/** The codes in their order, each once, consequences in parentheses. */
function outline(findings: readonly Finding[]): string {
  const codes = findings.map((finding) =>
    onlyCauseOf(finding) === undefined ? finding.code : `(${finding.code})`,
  );
  return [...new Set(codes)].join(' ').replaceAll(') (', ' ');
}
