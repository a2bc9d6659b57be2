import t from 'tap';
import type { TraversalOptions } from '../../src/base/options.ts';
import type { Finding } from '../../src/document/finding.ts';
import { demoWorld } from '../../src/lab/demo-world.ts';
import { showcases } from '../../src/lab/showcases.ts';
import { trustAnchorOf } from '../../src/lab/world.ts';
import { demoResult } from '../lab/demo-result.ts';

/** What each showcase of the demo is found to have wrong, as its line says, and in parentheses what comes of it. */
const DEMO: Readonly<Record<string, string>> = {
  'www.shop.example': '',
  'www.blog.test': '',
  'nowhere.shop.example': '',
  '80.100.51.198.in-addr.arpa': 'SINGLE_POINT_OF_FAILURE',
  'www.lame.example': 'NS_UPWARD_REFERRAL (FIRST_TRY_FAILS SINGLE_POINT_OF_FAILURE)',
  'www.forgotten.example': 'NS_REFUSED (FIRST_TRY_FAILS SINGLE_POINT_OF_FAILURE)',
  'www.dead.example': 'NS_NO_RESPONSE_UDP (FIRST_TRY_FAILS SINGLE_POINT_OF_FAILURE)',
  'www.stale.example': 'SOA_SERIAL_DIFFERS (ANSWER_NOT_CERTAIN ANSWERS_DIFFER)',
  'spring.sale.example': 'EXISTENCE_DIFFERS (ANSWER_NOT_CERTAIN SINGLE_POINT_OF_FAILURE)',
  'www.launch.test': 'PARENT_INCONSISTENT (ANSWER_NOT_CERTAIN SINGLE_POINT_OF_FAILURE)',
  // What is wrong with the next three only --check can tell.
  'www.moved.example': 'SINGLE_POINT_OF_FAILURE',
  'www.copied.example': '',
  'www.berlin.offices.example': '',
  'www.hotel.example': 'PATH_INTERCEPTED',
  // Whoever looks ns2 up needs ns1 for it.
  'www.missing-glue.example': 'GLUE_MISSING (FIRST_TRY_FAILS SINGLE_POINT_OF_FAILURE)',
  'www.wrong-glue.example': 'NS_REFUSED (FIRST_TRY_FAILS SINGLE_POINT_OF_FAILURE)',
  'www.left.example': 'DEPENDENCY_CYCLE (ZONE_NO_WORKING_NS) NS_COUNT_LOW',
  'www.circle.example': 'CNAME_LOOP',
  'www.magazine.example': 'NS_NO_RESPONSE_UDP (FIRST_TRY_FAILS)',
  'www.six.example': 'NS_V6_DEAD (FIRST_TRY_FAILS NS_NO_RESPONSE_UDP)',
  'www.intranet.example': 'NS_ADDR_NOT_GLOBAL (FIRST_TRY_FAILS NS_NO_RESPONSE_UDP SINGLE_POINT_OF_FAILURE)',
  'www.old.example': 'EDNS_BREAKS',
  'post.letters.example': 'TCP_UNREACHABLE (FIRST_TRY_FAILS SINGLE_POINT_OF_FAILURE)',
  // What is wrong with these only --dnssec can tell.
  'www.expired.example': '',
  'www.rollover.example': '',
  'www.lost-key.example': '',
  'nowhere.denial.example': '',
  'www.unsigned.example': '',
  'www.pool.example': 'ANSWERS_ROTATE',
  'www.sealed.example': 'ANSWERS_ROTATE',
  'www.cached.example': 'ANSWERS_ROTATE',
  'www.weighted.example': 'ANSWERS_ROTATE',
  'www.regional.example': 'ANSWERS_DIFFER (ANSWER_NOT_CERTAIN)',
  'www.machine.example': 'ANSWERS_DIFFER (ANSWER_NOT_CERTAIN)',
  'www.stray.example': 'SOA_SERIAL_DIFFERS (ANSWER_NOT_CERTAIN ANSWERS_DIFFER) ANSWERS_ROTATE',
  'www.behind.example': 'SOA_SERIAL_DIFFERS (ANSWER_NOT_CERTAIN ANSWERS_DIFFER) ANSWERS_ROTATE',
  'www.mixed.example': 'SOA_SERIAL_DIFFERS (ANSWER_NOT_CERTAIN ANSWERS_DIFFER) NS_NO_RESPONSE_UDP (FIRST_TRY_FAILS)',
};

/** The same with `--check`, where that finds more. */
const CHECKED_DEMO: Readonly<Record<string, string>> = {
  'www.shop.example': '',
  'nowhere.shop.example': '',
  'www.stale.example': 'SOA_SERIAL_DIFFERS (ANSWER_NOT_CERTAIN ANSWERS_DIFFER)',
  'www.launch.test': 'SOA_SERIAL_DIFFERS (ANSWER_NOT_CERTAIN PARENT_INCONSISTENT SINGLE_POINT_OF_FAILURE)',
  'www.moved.example': 'PARENT_CHILD_NS_DISJOINT (WARM_DIFFERS SINGLE_POINT_OF_FAILURE ANSWERS_DIFFER)',
  'www.copied.example': 'PARENT_CHILD_NS_DISJOINT (WARM_DIFFERS ANSWERS_DIFFER)',
  'www.wrong-glue.example': 'GLUE_MISMATCH (NS_REFUSED FIRST_TRY_FAILS SINGLE_POINT_OF_FAILURE)',
  'www.hotel.example': 'PATH_INTERCEPTED',
};

/** The same with `--dnssec`. */
const VALIDATED_DEMO: Readonly<Record<string, string>> = {
  'www.shop.example': '',
  'www.unsigned.example': '',
  'www.expired.example': 'RRSIG_EXPIRED (DNSSEC_BOGUS SERVERS_DIFFER_DNSSEC)',
  'www.rollover.example': 'KEYS_DIFFER (DNSSEC_BOGUS RRSIG_INVALID)',
  'www.lost-key.example': 'DS_NO_MATCH (DNSSEC_BOGUS)',
  'nowhere.denial.example': 'DENIAL_BROKEN (DNSSEC_BOGUS)',
};

const CHECK: Partial<TraversalOptions> = { check: true };
const DNSSEC: Partial<TraversalOptions> = {
  dnssec: true,
  trustAnchors: trustAnchorOf(demoWorld()).trim().split('\n'),
};

/** The findings of a name but for the finding on latency, which is this machine's business. */
function findingsOf(name: string, type = 'A', others: Partial<TraversalOptions> = {}) {
  return demoResult(name, type, others).then(withoutLatency);
}

function withoutLatency({ findings }: { readonly findings: readonly Finding[] }): readonly Finding[] {
  return findings.filter(({ code }) => code !== 'COLD_LATENCY_HIGH');
}

t.test('the demo has the findings that it was made for', async (t) => {
  const shows = async (name: string, expected: string | undefined, type?: string, others = {}) => {
    const found = outline(await findingsOf(name, type, others));
    t.equal(found, expected, [name, ...Object.keys(others)].join(' --'));
  };
  await Promise.all([
    ...showcases.map(({ name, type }) => shows(name, DEMO[name], type)),
    ...Object.entries(CHECKED_DEMO).map(([name, expected]) => shows(name, expected, 'A', CHECK)),
    ...Object.entries(VALIDATED_DEMO).map(([name, expected]) => shows(name, expected, 'A', DNSSEC)),
  ]);
});

t.test('silence that has a reason is answered by the advice that the reason gives', async (t) => {
  for (const [name, advice, consequence] of [
    ['www.six.example', /Repair its IPv6 connection or remove the IPv6 address\./, /See NS_V6_DEAD\./],
    ['www.intranet.example', /Give it a public address/, /Give it a public address/],
  ] as const) {
    const findings = await findingsOf(name);
    const silence = findings.find(({ code }) => code === 'NS_NO_RESPONSE_UDP');
    const reason = findings.find(({ id }) => id === silence?.consequenceOf);
    t.match(
      { reason: reason?.message, silence: silence?.message },
      { reason: advice, silence: consequence },
      name,
    );
  }
});

t.test('a consequence repeats no advice, and a finding about users has none of its own', async (t) => {
  for (const [name, finds] of [
    ['www.wrong-glue.example', ['FIRST_TRY_FAILS: GLUE_MISMATCH', 'SINGLE_POINT_OF_FAILURE: GLUE_MISMATCH']],
    ['www.missing-glue.example', ['FIRST_TRY_FAILS: GLUE_MISSING', 'SINGLE_POINT_OF_FAILURE: GLUE_MISSING']],
    ['www.moved.example', OF_DISJOINT_SETS],
    ['www.copied.example', OF_DISJOINT_SETS.filter((one) => !one.startsWith('SINGLE'))],
  ] as const) {
    const referring = (await findingsOf(name, 'A', CHECK)).flatMap(({ code, message }) => {
      const [, cause] = /\. See ([A-Z_]+)\.$/.exec(message) ?? [];
      return cause === undefined ? [] : [`${code}: ${cause}`];
    });
    t.same(referring, finds, name);
  }
});

const OF_DISJOINT_SETS: readonly string[] = [
  'WARM_DIFFERS: PARENT_CHILD_NS_DISJOINT',
  'SINGLE_POINT_OF_FAILURE: PARENT_CHILD_NS_DISJOINT',
  'ANSWERS_DIFFER: PARENT_CHILD_NS_DISJOINT',
];

/** The codes in their order, each once, consequences in parentheses. */
function outline(findings: readonly Finding[]): string {
  const codes = findings.map(({ code, consequenceOf }) => (consequenceOf === undefined ? code : `(${code})`));
  return [...new Set(codes)].join(' ').replaceAll(') (', ' ');
}
