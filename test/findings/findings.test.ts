import { readFileSync } from 'node:fs';
import t, { type Test } from 'tap';
import type { Finding } from '../../src/document/findings.ts';
import { identifiers } from '../../src/document/identifiers.ts';
import { readResult } from '../../src/document/read-result.ts';
import type { TraversalResult } from '../../src/document/result.ts';
import type { Outcome } from '../../src/evaluate/distribution.ts';
import { causeOf } from '../../src/evaluate/end.ts';
import { evaluate, evaluating } from '../../src/evaluate/evaluate.ts';
import { imaginedWorld } from '../../src/evaluate/what-if/imagined-world.ts';
import type { ServerOrAddress } from '../../src/evaluate/what-if/what-if.ts';
import type { Recording } from '../../src/explore/recording.ts';
import { CATALOGUE, type Entry, HEADINGS } from '../../src/findings/catalogue.ts';
import { finding } from '../../src/findings/findings.ts';
import { Ways } from '../../src/findings/ways.ts';
import { LIST_CODES } from '../../src/fingerprint/server-list.ts';
import { showcases } from '../../src/lab/demo/showcases.ts';
import { demoWorld } from '../../src/lab/demo/world.ts';
import { trustAnchorOf } from '../../src/lab/trust-anchor.ts';
import type { TraversalOptions } from '../../src/options.ts';
import { runThrough } from '../../src/pausable.ts';
import { replay } from '../../src/provable.ts';
import { ROOT } from '../../src/wire/name.ts';
import { randomSignedWorld } from '../evaluate/signed/random-signed-world.ts';
import { runSignedWorld } from '../evaluate/signed/run-signed-world.ts';
import { demoResult } from '../lab/demo-result.ts';
import { ALIASES } from './aliases.ts';
import { ANSWERS } from './answers.ts';
import { CAUSES } from './causes.ts';
import { DELEGATIONS } from './delegations.ts';
import { DNSSEC, DNSSEC_CAUSES } from './dnssec.ts';
import { GLUE } from './glue.ts';
import { healthyWorld } from './healthy-world.ts';
import { LOOKUPS } from './lookups.ts';
import { OUTLOOK } from './outlook.ts';
import { PROBE_CAUSES, PROBES } from './probes.ts';
import { PROTOCOL } from './protocol.ts';
import { randomRecording } from './random-recordings.ts';
import { REPLIES } from './replies.ts';
import { SERVERS } from './servers.ts';
import { denial, type FindingRow, ledger, referral, reply, spelled, traverseWorld } from './world.ts';
import { FIVE_FAULTS, ZONE_CAUSES } from './zone-causes.ts';
import { ZONES } from './zones.ts';

const ROWS: readonly FindingRow[] = [
  SERVERS,
  REPLIES,
  PROTOCOL,
  PROBES,
  DELEGATIONS,
  GLUE,
  LOOKUPS,
  ANSWERS,
  ALIASES,
  OUTLOOK,
  ZONES,
  DNSSEC,
].flat();

t.test('each code is found where it is proven, and only there', async (t) => {
  for (const { code, shows, finds, tells, ...world } of ROWS) {
    await t.test(`${code}: ${shows}`, async (t) => {
      const result = await traverseWorld(world);
      t.same(spelled(result, code), finds);
      const found = result.findings.filter((finding) => finding.code === code);
      for (const [i, part] of (tells ?? []).entries()) t.match(found[i]?.message, part);
      for (const { code, exchanges } of result.findings) {
        t.equal(exchanges.length === 0, WITHOUT_PROOF.includes(code), code);
      }
      checkForm(t, result);
      t.same(readAgain(result, result.exchanges).findings, result.findings);
      const { findings } = readAgain(result, [...result.exchanges].reverse());
      t.same(findings.map(withoutProof), result.findings.map(withoutProof), 'whoever answered first');
    });
  }
});

t.test('one cause is one finding, and what follows from it names it', async (t) => {
  for (const { shows, finds, ...world } of [...CAUSES, ...ZONE_CAUSES, ...PROBE_CAUSES, ...DNSSEC_CAUSES]) {
    await t.test(shows, async (t) => {
      const result = await traverseWorld(world);
      t.same(ledger(result), finds);
      checkForm(t, result);
    });
  }
});

/** The findings of a saved result that is read again, its exchanges in this order. */
function readAgain(result: TraversalResult, exchanges: TraversalResult['exchanges']): TraversalResult {
  return replay(readResult(JSON.parse(JSON.stringify({ ...result, exchanges }))));
}

function withoutProof({ exchanges, ...finding }: Finding): Omit<Finding, 'exchanges'> {
  return finding;
}

/** Findings that are about the whole rather than about exchanges. */
const WITHOUT_PROOF: readonly string[] = ['COLD_LATENCY_HIGH', 'UNEXPLORED'];

/** Whatever the servers say: what is wrong and what to do in printable sentences, exchanges and causes that are there. */
function checkForm(
  t: Test,
  {
    findings,
    exchanges,
    probes = [],
  }: Pick<TraversalResult, 'findings'> &
    Readonly<Record<'exchanges', readonly { id: string }[]>> & {
      readonly probes?: readonly { id: string }[] | undefined;
    },
): void {
  const ids = new Set([...exchanges, ...probes].map(({ id }) => id));
  const culprits = new Set<string>();
  const wrong = findings.filter(({ id, consequenceOf, message, exchanges }, index) => {
    if (consequenceOf === undefined) culprits.add(id);
    const isTwoSentences = /^[ -~]+[^.]\. [A-Z][ -~]*[^.]\.$/.test(message);
    const isWhole = isTwoSentences && !/undefined|NaN|\[object/.test(message);
    const comesAfterCulprit = consequenceOf === undefined || culprits.has(consequenceOf);
    return !(
      id === `f${index + 1}` &&
      isWhole &&
      comesAfterCulprit &&
      exchanges.every((one) => ids.has(one))
    );
  });
  t.same(wrong, [], 'numbered, in two sentences, after its culprit, with exchanges that exist');
}

t.test('every code has a world that shows it, and one that nearly does', async (t) => {
  for (const code of Object.keys(CATALOGUE)) {
    const rows = ROWS.filter((row) => row.code === code);
    t.ok(
      rows.some(({ finds }) => finds.length > 0),
      `${code} is found`,
    );
    t.ok(
      rows.some(({ finds }) => finds.length === 0),
      `${code} is not found`,
    );
  }
});

/** What svc-findings(7) says of a code: "SERVERS NS_REFUSED, error, RFC 1035 4.1.1", in the order of the page. */
function pageRows(): string[] {
  const page = readFileSync(new URL('../../man/svc-findings.7', import.meta.url), 'utf8');
  return page.split(/^\.Sh /m).flatMap((section) => {
    const [heading = ''] = section.split('\n');
    const items = [...section.matchAll(/^\.It Sy (.*)$/gm)].map(([, item = '']) => item);
    return items
      .filter((item) => item.includes(' , No '))
      .map((item) => `${heading} ${item.replace(', No', ',').replaceAll(' ,', ',')}`);
  });
}

t.test('svc-findings(7) has every code under its heading, with its severity and reference', async (t) => {
  const rows = Object.entries({ ...HEADINGS, 'SERVER LIST': LIST_CODES }).flatMap(([heading, entries]) =>
    Object.entries<Omit<Entry, 'check'>>(entries).map(([code, { severity, reference }]) =>
      [`${heading} ${code}`, severity, ...(reference === undefined ? [] : [reference])].join(', '),
    ),
  );
  t.same(pageRows(), rows);
});

t.test('a healthy world has no findings', async (t) => {
  t.same((await traverseWorld({})).findings, []);
});

t.test('five faults planted in one zone are named with their culprits', async (t) => {
  const { shows, finds, ...world } = FIVE_FAULTS;
  const { findings } = await traverseWorld(world);
  const culprits = findings.filter(({ consequenceOf }) => consequenceOf === undefined);
  t.same(
    culprits.map(({ code, zone, server }) => [code, server?.name ?? zone].join(' ')),
    [
      'ANSWERS_DIFFER x.a.',
      'NS_UNRESOLVABLE gone.y.b.',
      'PARENT_CHILD_NS_DIFFER x.a.',
      'NS_UPWARD_REFERRAL ns2.x.a.',
      'NS_NO_RESPONSE_UDP ns3.x.a.',
    ],
  );
  const told = (code: string) => findings.find((one) => one.code === code)?.message;
  t.match(told('ANSWERS_DIFFER'), 'ns5.x.a (192.0.2.35) returns 192.0.2.99');
  t.match(told('PARENT_CHILD_NS_DIFFER'), 'Ask the registrar to add ns6.x.a to the delegation of x.a.');
});

t.test('healthy worlds have no findings, however much is asked', async (t) => {
  for (let seed = 1; seed <= 60; seed += 1) {
    const { findings, stats } = await traverseWorld(healthyWorld(seed));
    if (findings.length > 0) t.same(findings, [], `world ${seed}`);
    t.ok(stats.checkExchanges > 0, `world ${seed}`);
  }
});

/** What nobody can know who has not asked the zones about themselves. */
const ONLY_ASKED: readonly string[] = [
  'PARENT_CHILD_NS_DIFFER',
  'PARENT_CHILD_NS_DISJOINT',
  'CHILD_NS_SETS_DIFFER',
  'NS_TTL_SKEW',
  'GLUE_MISSING_FAMILY',
  'GLUE_EXTRA',
  'NS_NO_IPV6',
  'WARM_DIFFERS',
];

t.test('in random worlds, too, causes come first and are no consequences', async (t) => {
  const seen = new Set<string>();
  for (let seed = 1; seed <= 200; seed += 1) {
    const found = findingsOf(t, await randomRecording(seed));
    const early = found.filter(({ code }) => ONLY_ASKED.includes(code));
    if (early.length > 0) t.same(early, [], `world ${seed}: found without being asked for`);
    for (const { consequenceOf, code } of found) if (consequenceOf !== undefined) seen.add(code);
  }
  t.ok(seen.size > 4, `consequences of many kinds: ${[...seen].join(' ')}`);
});

t.test('the same where zones were asked about themselves', async (t) => {
  const seen = new Set<string>();
  for (let seed = 1; seed <= 100; seed += 1) {
    for (const { code } of findingsOf(t, await randomRecording(seed, 'on'))) seen.add(code);
  }
  t.ok(seen.has('WARM_DIFFERS'), `findings of many kinds: ${[...seen].join(' ')}`);
});

t.test('the same where zones are signed, many of them badly', async (t) => {
  const seen = new Set<string>();
  for (let seed = 1; seed <= 150; seed += 1) {
    const world = randomSignedWorld(seed);
    // Signatures are too long for a sentence, and cut short.
    if (world.question.type === 'RRSIG') continue;
    const { recording, evaluation } = await runSignedWorld(world);
    const found = findingsOf(t, recording);
    for (const { code } of found) seen.add(code);
    const bogus = evaluation.validating?.outcomes.some(({ end }) => causeOf(end).kind === 'bogus');
    const told = found.some(({ code }) => code === 'DNSSEC_BOGUS' || code === 'PATH_INTERCEPTED');
    if (bogus && !told) t.fail(`world ${seed}: users fail, and nothing says so`);
  }
  const missing = Object.keys(HEADINGS.DNSSEC).filter((code) => !seen.has(code) && !RARE.includes(code));
  t.same(missing, [], 'findings of many kinds');
});

/** What signed worlds hardly ever have. */
const RARE: readonly string[] = ['RRSIG_EXPIRES_SOON', 'DNSKEY_UNREACHABLE', 'ALGORITHM_WEAK'];

function findingsOf(t: Test, recording: Recording): readonly Finding[] {
  const evaluation = evaluate(recording);
  const ids = identifiers(evaluation, recording);
  const exchanges = [...recording.exchanges.values()].map((exchanged) => ({ id: ids.exchange(exchanged) }));
  const findings = runThrough(finding(recording, evaluation, ids));
  checkForm(t, { findings, exchanges });
  return findings;
}

t.test('a server is needed exactly if the resolver view has no answer while it is down', async (t) => {
  const counts = { needed: 0, spare: 0 };
  for (let seed = 1; seed <= 200; seed += 1) {
    const recording = await randomRecording(seed);
    const { start, resolverOutcomes } = evaluate(recording);
    if (start.kind !== 'step' || !hasAnswer(resolverOutcomes)) continue;
    const tell = (text: string, down: ServerOrAddress) => {
      const expected = hasAnswer(whileDown(recording, down)) ? 'spare' : 'needed';
      const part = { kind: down.kind, text, zone: ROOT };
      const found = new Ways(new Set(['answer']), part).parts(start.step) === undefined ? 'needed' : 'spare';
      counts[found] += 1;
      if (found !== expected) t.fail(`world ${seed}: ${text} is ${expected}, not ${found}`);
    };
    for (const address of new Set([...recording.exchanges.values()].map((one) => one.address)))
      tell(address, { kind: 'address', address });
    for (const { name } of start.step.servers) tell(name, { kind: 'server', name });
  }
  t.ok(counts.needed > 50 && counts.spare > 50, 'both often enough', counts);
});

function whileDown(recording: Recording, down: ServerOrAddress): readonly Outcome[] {
  const asked = { families: recording.scope.families, timeoutMs: 1_000, retries: 0, maxQueries: 100_000 };
  const world = imaginedWorld({ down: [down], without: [], only: [] }, asked);
  return runThrough(evaluating(recording, world)).resolverOutcomes;
}

function hasAnswer(outcomes: readonly Outcome[]): boolean {
  return outcomes.some(({ end }) => end.kind === 'answer');
}

t.test('names and data that mean harm come escaped', async (t) => {
  const [esc, zone] = ['\\027]0;x\\007', 'a\\027\\010\\"\\\\.'];
  const server = `n${esc}.${zone}`;
  const result = await traverseWorld({
    ask: `w${esc}.${zone} TXT`,
    roots: 'r1.=192.0.2.1',
    says: {
      '192.0.2.1 *': referral(`${zone} ${server}=192.0.2.11 ns2.${zone}=192.0.2.12`),
      '192.0.2.11 *': reply({
        answer: [`@ CNAME x${esc}.${zone}`],
        additional: [`${esc}. A 192.0.2.66`],
      }),
      '192.0.2.12 *': denial('nxdomain', `${esc}.`),
    },
  });
  checkForm(t, result);
  const codes = new Set(result.findings.map(({ code }) => code));
  for (const code of ['NS_NAME_SYNTAX', 'EXISTENCE_DIFFERS', 'OUT_OF_ZONE_DATA', 'NEGATIVE_WRONG_SOA']) {
    t.ok(codes.has(code), code);
  }
});

/** What each showcase of the demo is found to have wrong, as its line says, and in parentheses what comes of it. */
const DEMO: Readonly<Record<string, string>> = {
  'www.shop.example': '',
  'www.blog.test': '',
  'nowhere.shop.example': '',
  '80.100.51.198.in-addr.arpa': 'SINGLE_POINT_OF_FAILURE',
  'www.lame.example': 'NS_UPWARD_REFERRAL (FIRST_TRY_FAILS SINGLE_POINT_OF_FAILURE)',
  'www.forgotten.example': 'NS_REFUSED (FIRST_TRY_FAILS SINGLE_POINT_OF_FAILURE)',
  'www.dead.example': 'NS_NO_RESPONSE_UDP (FIRST_TRY_FAILS SINGLE_POINT_OF_FAILURE)',
  'www.stale.example': 'ANSWERS_DIFFER (ANSWER_NOT_CERTAIN)',
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
  'www.mixed.example': 'ANSWERS_DIFFER (ANSWER_NOT_CERTAIN) NS_NO_RESPONSE_UDP (FIRST_TRY_FAILS)',
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

t.test('the demo has the findings that it was made for', async (t) => {
  const trustAnchors = trustAnchorOf(demoWorld).trim().split('\n');
  const outlined = async (name: string, type: string, others: Partial<TraversalOptions>) => {
    const { findings } = await demoResult(name, type, others);
    // How long it takes is this machine's business.
    return outline(findings.filter(({ code }) => code !== 'COLD_LATENCY_HIGH'));
  };
  await Promise.all([
    ...showcases.map(async ({ name, type }) => {
      t.equal(await outlined(name, type, {}), DEMO[name], name);
    }),
    ...Object.entries(CHECKED_DEMO).map(async ([name, expected]) => {
      t.equal(await outlined(name, 'A', { check: true }), expected, `${name} --check`);
    }),
    ...Object.entries(VALIDATED_DEMO).map(async ([name, expected]) => {
      const found = await outlined(name, 'A', { dnssec: true, trustAnchors });
      t.equal(found, expected, `${name} --dnssec`);
    }),
  ]);
});

t.test('silence that has a reason is answered by the advice that the reason gives', async (t) => {
  for (const [name, advice, consequence] of [
    ['www.six.example', /Repair its IPv6 connection or remove the IPv6 address\./, /See NS_V6_DEAD\./],
    ['www.intranet.example', /Give it a public address/, /Give it a public address/],
  ] as const) {
    const { findings } = await demoResult(name, 'A');
    const silence = findings.find(({ code }) => code === 'NS_NO_RESPONSE_UDP');
    const reason = findings.find(({ id }) => id === silence?.consequenceOf);
    t.match(reason?.message, advice, `${name} ${reason?.code}`);
    t.match(silence?.message, consequence, `${name} ${silence?.code}`);
  }
});

t.test('a consequence repeats no advice, and what things come to has none of its own', async (t) => {
  for (const [name, finds] of [
    ['www.wrong-glue.example', ['FIRST_TRY_FAILS: GLUE_MISMATCH', 'SINGLE_POINT_OF_FAILURE: GLUE_MISMATCH']],
    ['www.missing-glue.example', ['FIRST_TRY_FAILS: GLUE_MISSING', 'SINGLE_POINT_OF_FAILURE: GLUE_MISSING']],
    ['www.moved.example', OF_DISJOINT_SETS],
    ['www.copied.example', OF_DISJOINT_SETS.filter((one) => !one.startsWith('SINGLE'))],
  ] as const) {
    const { findings } = await demoResult(name, 'A', { check: true });
    const referring = findings.flatMap(({ code, message }) => {
      const [, cause] = /\. See ([A-Z_]+)\.$/.exec(message) ?? [];
      return cause === undefined || code === 'COLD_LATENCY_HIGH' ? [] : [`${code}: ${cause}`];
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
