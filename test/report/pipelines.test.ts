import t from 'tap';
import type { TraversalResult } from '../../src/document/result.ts';
import { showcases } from '../../src/lab/showcases.ts';
import { junitText as junitOf } from '../../src/report/junit.ts';
import { sarifText as sarifOf } from '../../src/report/sarif.ts';
import { demoResult } from '../lab/demo-result.ts';
import { ATTACK, hostile, planReportOf, savedNames, savedResult } from './graph-results.ts';

const junitText = (results: readonly TraversalResult[]) => junitOf(planReportOf(results));
const sarifText = (results: readonly TraversalResult[]) =>
  sarifOf(planReportOf(results), 'svc plan', 'plan.json');

/** What an XML reader allows: one root, tags that match, attributes in quotes, references for the rest. */
function checkXml(text: string): string[] {
  const open: string[] = [];
  const names: string[] = [];
  const body = text.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/, '');
  const TOKEN = /<(\/?)([a-z-]+)((?: [a-z]+="[^"<>]*")*)(\/?)>|([^<>]+)|(.)/gs;
  for (const [, closes, name = '', , isEmpty, words, wrong] of body.matchAll(TOKEN)) {
    if (wrong !== undefined) throw new Error(`not XML: ${wrong}`);
    if (words !== undefined) continue;
    names.push(name);
    if (closes) {
      if (open.pop() !== name) throw new Error(`</${name}> closes nothing`);
    } else if (!isEmpty) open.push(name);
  }
  if (open.length > 0) throw new Error(`<${open.at(-1)}> is not closed`);
  if (/&(?!#\d+;)/.test(body)) throw new Error('a bare ampersand');
  return names;
}

t.test('each showcase as JUnit and as SARIF', async (t) => {
  for (const result of await Promise.all(showcases.map(({ name, type }) => demoResult(name, type)))) {
    const { name } = result.query;
    t.equal(checkXml(junitText([result]))[0], 'testsuites', name);
    const { runs } = JSON.parse(sarifText([result]));
    t.equal(runs[0].results.length, new Set(result.findings.map(subjectOf)).size, name);
  }
});

function subjectOf({ code, zone, server }: TraversalResult['findings'][number]): string {
  return [code, zone, server?.name, server?.address].join(' ');
}

t.test('a test for the verdict and one for each finding', async (t) => {
  const healthy = await demoResult('www.shop.example', 'A');
  t.match(junitText([healthy]), /<testsuites name="svc" tests="\d+" failures="0" errors="0">/);
  const stale = await demoResult('www.stale.example', 'A');
  const text = junitText([stale]);
  t.match(text, '<testcase classname="www.stale.example A" name="verdict">\n<failure message="');
  const dead = junitText([await demoResult('www.dead.example', 'A')]);
  t.match(dead, /name="NS_NO_RESPONSE_UDP [^"]+">\n<system-out>/);
  const strict = junitOf(planReportOf([await demoResult('www.dead.example', 'A')]), 'warning');
  t.match(strict, /name="NS_NO_RESPONSE_UDP [^"]+">\n<failure/);
  t.match(junitOf(planReportOf([stale]), 'critical'), 'failures="0"', 'of the verdict neither');
  const both = junitText([healthy, stale]);
  t.equal(checkXml(both).filter((name) => name === 'testsuite').length, 4, 'two, opened and closed');
  const limited: TraversalResult = { ...healthy, verdict: { ...healthy.verdict, exitStatus: 3 } };
  t.match(junitText([limited]), 'name="verdict">\n<error message="');
});

t.test('two faults of a zone with one code are two results', async (t) => {
  const healthy = await demoResult('www.shop.example', 'A');
  const zone = healthy.zones[0]?.zone;
  const fault = {
    id: 'f1',
    code: 'CNAME_LOOP',
    severity: 'critical',
    advice: 'Repair it.',
    causes: [],
    evidence: [],
  } as const;
  const ofName = (message: string) => ({
    ...healthy,
    findings: [{ ...fault, ...(zone && { zone }), message }],
  });
  const [run] = JSON.parse(sarifText([ofName('of x'), ofName('of y'), ofName('of x')])).runs;
  t.equal(run.results.length, 2);
});

t.test('findings of files have file and line', async (t) => {
  const healthy = await demoResult('www.shop.example', 'A');
  const finding = {
    id: 'f1',
    code: 'FILE_OCCLUDED',
    severity: 'warning',
    message: 'Hidden <data> & "more".',
    advice: 'Show it.',
    causes: [],
    evidence: [],
    zone: healthy.query.name,
    file: 'zones/a b#1.zone',
    line: 7,
  } as const;
  const result = { ...healthy, findings: [finding, { ...finding, line: 8 }, finding] };
  const xml = junitText([result]);
  t.match(
    xml,
    'file="zones/a b#1.zone" line="7">\n<system-out>Hidden &#60;data&#62; &#38; &#34;more&#34;. Show it.</system-out>',
  );
  const [run] = JSON.parse(sarifText([result, result])).runs;
  t.equal(run.results.length, 2, 'each once');
  t.match(run.results[0], {
    ruleId: 'FILE_OCCLUDED',
    ruleIndex: 0,
    level: 'warning',
    locations: [
      { physicalLocation: { artifactLocation: { uri: 'zones/a%20b%231.zone' }, region: { startLine: 7 } } },
    ],
  });
  t.same(
    run.tool.driver.rules.map(({ id }: { readonly id: string }) => id),
    ['FILE_OCCLUDED'],
  );
  t.match(run.invocations, [{ exitCode: 0, executionSuccessful: true }, { exitCode: 0 }]);
});

t.test('names and data from servers stay text', async (t) => {
  for (const name of savedNames) {
    const result = hostile(savedResult(name));
    checkXml(junitText([result]));
    t.doesNotThrow(() => JSON.parse(sarifText([result])), name);
    t.notMatch(junitText([result]), ATTACK, name);
  }
});
