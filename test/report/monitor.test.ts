import t, { type Test } from 'tap';
import type { Finding } from '../../src/document/finding.ts';
import type { TraversalResult } from '../../src/document/result.ts';
import { showcases } from '../../src/lab/showcases.ts';
import { nagiosCheck } from '../../src/report/nagios.ts';
import { prometheusText } from '../../src/report/prometheus.ts';
import { ALL_VIEWS, demoResult, showcaseResult } from '../lab/demo-result.ts';
import { ATTACK, hostile, savedNames, savedResult } from './graph-results.ts';

/** Status, words, and measures: svc-traverse(1), What to print. */
const NAGIOS =
  /^DNS (?:(?:OK|WARNING|CRITICAL) - [^|\n]+ \|(?: [a-z0-9_]+=\d+(?:\.\d+)?(?:%|s)?;;;0(?:;100)?)+|UNKNOWN - [^|\n]+)\n$/;

/** A line of the text format of Prometheus. */
const METRIC =
  /^(?:# (?:HELP [a-z_]+ .+|TYPE [a-z_]+ gauge)|[a-z_]+\{[a-z_]+="(?:[^"\\\n]|\\["\\n])*"(?:,[a-z_]+="(?:[^"\\\n]|\\["\\n])*")*\} \d+(?:\.\d+)?(?:e-?\d+)?)$/;

t.test('each showcase as a check and as metrics', async (t) => {
  for (const result of await Promise.all(showcases.map(showcaseResult))) {
    const { name } = result.query;
    t.match(nagiosCheck(result, []).line, NAGIOS, name);
    checkMetrics(t, prometheusText(result), name);
  }
});

function checkMetrics(t: Test, text: string, name: string): void {
  const lines = text.trimEnd().split('\n');
  t.same(
    lines.filter((line) => !METRIC.test(line)),
    [],
    name,
  );
  const samples = lines.filter((line) => !line.startsWith('#')).map((line) => line.replace(/ \S+$/, ''));
  t.equal(new Set(samples).size, samples.length, 'no sample is there twice');
}

t.test('the status of a check', async (t) => {
  const of = (name: string) => demoResult(`${name}.example`, 'A');
  const rows: readonly (readonly [
    what: string,
    result: TraversalResult,
    status: 0 | 1 | 2 | 3,
    said: RegExp,
  ])[] = [
    [
      'healthy',
      await of('www.shop'),
      0,
      /^DNS OK - www\.shop\.example A: all users get the answer; not checked: [^|]+: --quick \|/,
    ],
    [
      'the same denial for all',
      await of('nowhere.shop'),
      0,
      /^DNS OK - .* NXDOMAIN: no such name; not checked: /,
    ],
    [
      'resolvers get by',
      await of('www.dead'),
      1,
      /^DNS WARNING - www\.dead\.example A: all users get the answer, but ns\.dead\.example does not reply; [^|]+\| answered=100%;;;0;100 failing=0%;;;0;100 unknown=0%;;;0;100 first_tries_failing=50%;;;0;100 /,
    ],
    [
      'an error',
      await of('www.stale'),
      2,
      /^DNS CRITICAL - .*: 50 % of users get 198\S+ from ns1\.harbour\.example and 50 % /,
    ],
    ['some get a denial', without(await of('spring.sale')), 2, /^DNS CRITICAL /],
    ['nobody gets an answer', without(await of('www.left')), 2, /answered=0%;;;0;100 failing=100%;;;0;100 /],
    [
      'only a finding of little weight',
      { ...without(await of('www.shop')), findings: [finding('notice')] },
      0,
      /notice=1;;;0/,
    ],
    [
      'interception',
      await of('www.hotel'),
      3,
      /^DNS UNKNOWN - .*intercepted on the way: nothing here can be trusted; why\n$/,
    ],
  ];
  for (const [what, result, status, said] of rows) {
    const check = nagiosCheck(result, ['why']);
    t.equal(check.status, status, what);
    t.match(check.line, said);
  }
});

t.test('a check says which views it lacks', async (t) => {
  const result = await demoResult('www.shop.example', 'A');
  const notChecked = [{ view: 'validating', reason: '--quick' }] as const;
  const { line } = nagiosCheck({ ...result, notChecked }, []);
  t.match(line, /^DNS OK - www\.shop\.example A: all users get the answer; not checked: DNSSEC: --quick \|/);
});

t.test('metrics have the shares of every view, the culprits and the findings', async (t) => {
  const text = prometheusText(await demoResult('www.moved.example', 'A', { check: true }));
  const of = 'name="www.moved.example.",type="A"';
  for (const sample of [
    `share{${of},view="first-tries",kind="answer",ends_in="203.0.113.103"} 1`,
    `share{${of},view="warm",kind="answer",ends_in="198.51.100.103"} 1`,
    `severity_findings{${of},severity="critical"} 0`,
    `exit_status{${of}} 1`,
    `complete{${of}} 1`,
  ]) {
    t.ok(text.includes(`\ntraversal_result_${sample}\n`), sample);
  }
  const all = await demoResult('www.moved.example', 'A', ALL_VIEWS);
  const warm = `share{${of},view="bind/warm",kind="answer",ends_in="198.51.100.103"} 1`;
  t.ok(prometheusText(all).includes(`\ntraversal_result_${warm}\n`));
  t.match(nagiosCheck(all, []).line, / answered_bind=100%;;;0;100 answered_bind_warm=100%;;;0;100 /);
  const quick = prometheusText(await demoResult('www.moved.example', 'A', { views: ['resolver'] }));
  t.ok(quick.includes(`\ntraversal_result_not_checked{${of},view="warm",reason="--quick"} 1\n`));
  const mixed = prometheusText(await demoResult('www.mixed.example', 'A'));
  t.match(
    mixed,
    /server_share\{name="www\.mixed\.example\.",type="A",server="ns\.mixed\.example\."\} 0\.125\n/,
  );
  t.match(
    mixed,
    /_findings\{name="www\.mixed\.example\.",type="A",code="ANSWERS_DIFFER",severity="error"\} 1\n/,
  );
});

t.test('what --check asked of zones is measured, and nothing of it otherwise', async (t) => {
  const stale = prometheusText(await demoResult('www.stale.example', 'A', { check: true }));
  const of = 'name="www.stale.example.",type="A",zone="stale.example."';
  const serialsSeen = [
    ...stale.matchAll(
      /^traversal_result_zone_serial\{.*zone="stale\.example\.",server="([^"]*)",address="[^"]*"\} (\d+)$/gm,
    ),
  ];
  t.equal(new Set(serialsSeen.map(([, , serial]) => serial)).size, 2, 'two servers, two serials');
  for (const at of ['parent', 'zone'])
    t.ok(
      stale.includes(`\ntraversal_result_name_server{${of},at="${at}",server="ns1.harbour.example."} 1\n`),
      at,
    );
  const signed = prometheusText(await demoResult('www.shop.example', 'A', { check: true }));
  t.match(signed, /^traversal_result_signature_end_timestamp_seconds\{.*zone="shop\.example\."\} \d{10}$/m);
  const quick = prometheusText(await demoResult('www.shop.example', 'A'));
  t.notMatch(quick, /_(?:zone_serial|name_server|signature_end_timestamp_seconds)\{/);
});

t.test('names that attack are harmless', async (t) => {
  for (const name of savedNames) {
    const result = hostile(savedResult(name));
    const { line } = nagiosCheck(result, [ATTACK]);
    t.match(line, NAGIOS, name);
    t.notMatch(line, /[^\P{C}\n]/u, 'no control characters');
    checkMetrics(t, prometheusText(result), name);
  }
});

function without(result: TraversalResult): TraversalResult {
  return { ...result, findings: [] };
}

function finding(severity: Finding['severity']): Finding {
  return {
    id: 'f1',
    code: 'NS_LOSSY',
    severity,
    message: 'It is wrong.',
    advice: 'Mend it.',
    causes: [],
    evidence: [],
  };
}
