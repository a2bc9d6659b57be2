/* Prints results as a JUnit report, which systems for continuous integration show. */

import type { FailOn, Finding } from '../document/finding.ts';
import { plain } from '../document/words/names.ts';
import { printable } from '../document/words/shortened.ts';
import { changeWords } from './plan-text.ts';
import { findingPlace, hasFinding } from './views/findings.ts';
import type { PlannedName, PlanReport } from './views/plan-report.ts';
import { planView } from './views/plan-view.ts';
import { RESULT_STATUS } from './views/status.ts';

/**
 * The report of a plan: a test suite for each question, and in it a test case for the verdict, for the change and for each
 * finding. A finding of severity error or critical is a failure, and so is a verdict of trouble; too little known is an error.
 * `failOn`: findings of that severity or worse are failures, and no verdict is. Findings of zone files have a suite of their
 * own, and what was not checked is a test each that was skipped.
 */
export function junitText(report: PlanReport, failOn?: FailOn): string {
  return junitDocument(
    [
      suiteFor(
        'zone files',
        report.files.map((finding) => caseOf(finding, failOn)),
      ),
      ...report.names.map((name) => suiteOf(name, failOn)),
      suiteFor(
        'plan',
        planView(report, failOn).remarks.map(({ subject, words }) => ({
          name: subject,
          outcome: 'skipped',
          message: words,
        })),
      ),
    ].flat(),
  );
}

function junitDocument(suites: readonly Suite[]): string {
  const total = sums(suites.flatMap(({ cases }) => cases));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    tag('testsuites', { name: 'svc', ...total }, suites.map(suiteText)),
    '',
  ].join('\n');
}

/** A suite of errors that kept everything else from being looked at, with the place of each. */
export function junitErrors(name: string, errors: readonly PlacedError[]): string {
  const cases = errors.map(
    ({ message, file, line }): Case => ({ name: file, outcome: 'error', message, file, line }),
  );
  return junitDocument([{ name, cases }]);
}

/** What could not be read, and where. */
interface PlacedError {
  readonly message: string;
  readonly file: string;
  readonly line?: number | undefined;
}

/** The tests of a question, or of the zone files. */
interface Suite {
  readonly name: string;
  readonly timestamp?: string;
  readonly time?: string;
  readonly cases: readonly Case[];
}

/** Something that was looked at. */
interface Case {
  readonly name: string;
  readonly outcome: 'passed' | 'failure' | 'error' | 'skipped';
  /** The severity of a finding. */
  readonly type?: string;
  readonly message: string;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
}

function suiteFor(name: string, cases: readonly Case[]): readonly Suite[] {
  return cases.length === 0 ? [] : [{ name, cases }];
}

function suiteOf(name: PlannedName, failOn?: FailOn): Suite {
  const { query, startedAt, planned, findings } = name;
  const { verdict, durationMs } = planned;
  const judged = OUTCOMES[verdict.exitStatus];
  const outcome = failOn !== undefined && judged === 'failure' ? 'passed' : judged;
  return {
    name: `${plain(query.name)} ${query.type}`,
    timestamp: startedAt,
    time: seconds(durationMs),
    cases: [
      { name: 'verdict', outcome, message: verdict.text },
      { name: 'change', outcome: 'passed', message: changeWords(name) },
      ...findings.map((finding) => caseOf(finding, failOn)),
    ],
  };
}

const OUTCOMES = {
  [RESULT_STATUS.agreed]: 'passed',
  [RESULT_STATUS.trouble]: 'failure',
  [RESULT_STATUS.unknown]: 'error',
} as const;

function caseOf(finding: Finding, failOn: FailOn = 'error'): Case {
  const { code, severity, message, advice, file, line } = finding;
  const name = [code, findingPlace(finding), ...(line === undefined ? [] : [`line ${line}`])]
    .join(' ')
    .trimEnd();
  const outcome = hasFinding({ findings: [finding] }, failOn) ? 'failure' : 'passed';
  return { name, outcome, type: severity, message: `${message} ${advice}`, file, line };
}

function suiteText({ name, timestamp, time, cases }: Suite): string {
  const shown = cases.map(({ outcome, type, message, ...one }) => {
    const said = printable(message);
    const inner =
      outcome === 'passed'
        ? `<system-out>${escaped(said)}</system-out>`
        : tag(outcome, { message: said, ...(type && { type }) }, []);
    return tag('testcase', { classname: name, ...one }, [inner]);
  });
  return tag('testsuite', { name, ...sums(cases), time, timestamp }, shown);
}

function sums(cases: readonly Case[]): Attributes {
  const count = (wanted: Case['outcome']) => cases.filter(({ outcome }) => outcome === wanted).length;
  const skipped = count('skipped');
  return {
    tests: cases.length,
    failures: count('failure'),
    errors: count('error'),
    ...(skipped > 0 && { skipped }),
  };
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

type Attributes = Readonly<Record<string, string | number | undefined>>;

function tag(name: string, attributes: Attributes, inner: readonly string[]): string {
  const words = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${escaped(printable(String(value)))}"`],
  );
  const start = `<${name}${words.join('')}`;
  return inner.length === 0 ? `${start}/>` : `${start}>\n${inner.join('\n')}\n</${name}>`;
}

/** XML 1.0 2.2 and 2.4: characters that it does not allow are replaced. */
export function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
