/* Prints results as a JUnit report, which systems for continuous integration show. */

import type { FailOn, Finding } from '../document/finding.ts';
import { plain } from '../document/words/names.ts';
import { printable } from '../document/words/shortened.ts';
import type { Judged } from './views/conclusion.ts';
import { findingPlace, hasFinding } from './views/findings.ts';
import { RESULT_STATUS } from './views/status.ts';

/**
 * A test suite for each question, and in it a test case for the verdict and for each finding. A finding of severity error or
 * critical is a failure, and so is a verdict by which paths fail or differ; too little known is an error. `failOn`: findings of
 * that severity or worse are failures, and no verdict is. `files`: findings of planned zone files, which have a suite of
 * their own. `skipped`: what was not checked of a plan, which is a test each that was skipped.
 */
export function junitText(
  questions: readonly (Judged & { readonly change?: string })[],
  { files = [], skipped, failOn }: JunitOptions = {},
): string {
  return junitDocument([
    ...fileSuites(files, failOn),
    ...questions.map((question) => suiteOf(question, failOn)),
    ...skippedSuites(skipped),
  ]);
}

interface JunitOptions {
  readonly files?: readonly Finding[];
  readonly skipped?: readonly { readonly subject: string; readonly words: string }[];
  readonly failOn?: FailOn | undefined;
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

function fileSuites(findings: readonly Finding[], failOn?: FailOn): readonly Suite[] {
  const cases = findings.map((finding) => caseOf(finding, failOn));
  return cases.length === 0 ? [] : [{ name: 'zone files', cases }];
}

function skippedSuites(skipped: JunitOptions['skipped'] = []): readonly Suite[] {
  const cases = skipped.map(
    ({ subject, words }): Case => ({ name: subject, outcome: 'skipped', message: words }),
  );
  return cases.length === 0 ? [] : [{ name: 'plan', cases }];
}

function suiteOf(
  {
    query,
    startedAt,
    durationMs,
    verdict,
    verdictStatus,
    findings,
    change,
  }: Judged & { readonly change?: string },
  failOn?: FailOn,
): Suite {
  const judged = OUTCOMES[verdictStatus];
  const outcome = failOn !== undefined && judged === 'failure' ? 'passed' : judged;
  return {
    name: `${plain(query.name)} ${query.type}`,
    timestamp: startedAt,
    time: seconds(durationMs),
    cases: [
      { name: 'verdict', outcome, message: verdict },
      ...(change === undefined ? [] : [{ name: 'change', outcome: 'passed', message: change } as const]),
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
