/* Prints the findings of results in SARIF 2.1.0, which code hosts show beside the lines of files. */

import { jsonText, PRETTY_JSON } from '../base/json.ts';
import type { Finding, Severity } from '../document/finding.ts';
import { firstOfEach } from '../document/words/lists.ts';
import { plain } from '../document/words/names.ts';
import { printable } from '../document/words/shortened.ts';
import { fileOf, type PlannedName, type PlanReport } from './views/plan-report.ts';
import { RESULT_STATUS } from './views/status.ts';

/**
 * The report of a plan as a run with a rule for each code and a result for each finding; the same finding of several names is
 * one. `commandLine`: that was run. `planFile`: for findings that name no line and no zone with a file, as code hosts refuse
 * results without a file.
 */
export function sarifText(
  { zones, names, files }: PlanReport,
  commandLine: string,
  planFile: string,
): string {
  const findings = firstOfEach([...files, ...names.flatMap((one) => one.findings)], subjectOf);
  const rules = firstOfEach(findings, ({ code }) => code);
  return sarifRun(
    rules.map(ruleOf),
    names.map((one) => invocationOf(one, commandLine)),
    findings.map((finding) => ({
      ruleId: finding.code,
      ruleIndex: rules.findIndex(({ code }) => code === finding.code),
      ...resultOf(finding, fileOf(finding.zone, zones) ?? planFile),
    })),
  );
}

function sarifRun(
  rules: readonly object[],
  invocations: readonly object[],
  results: readonly object[],
): string {
  const run = { tool: { driver: { name: 'svc', rules } }, invocations, results };
  return jsonText({ $schema: SCHEMA, version: '2.1.0', runs: [run] }, PRETTY_JSON);
}

/** A run that could not look at anything, with a result for each error. */
export function sarifErrors(
  errors: readonly {
    readonly message: string;
    readonly file: string;
    readonly line?: number | undefined;
    readonly column?: number | undefined;
  }[],
  commandLine: string,
): string {
  const rule = { id: 'UNREADABLE', shortDescription: { text: 'a plan or zone file that cannot be read' } };
  return sarifRun(
    [rule],
    [{ commandLine, exitCode: RESULT_STATUS.unknown, executionSuccessful: false }],
    errors.map(({ message, file, line = 1, column }) => ({
      ruleId: rule.id,
      ruleIndex: 0,
      level: 'error',
      message: { text: printable(message) },
      locations: [{ physicalLocation: physicalLocation(file, line, column) }],
    })),
  );
}

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';

const LEVELS: Readonly<Record<Severity, 'error' | 'warning' | 'note'>> = {
  critical: 'error',
  error: 'error',
  warning: 'warning',
  notice: 'note',
  info: 'note',
};

/** Without a server and a line, only the message tells two faults of a zone apart. */
function subjectOf(finding: Finding): string {
  const { server, line, message } = finding;
  return server === undefined && line === undefined
    ? `${fingerprint(finding)}\n${message}`
    : fingerprint(finding);
}

function fingerprint({ code, zone, server, file, line }: Finding): string {
  return [code, zone, server?.name, server?.address, file, line].join(' ');
}

function ruleOf({ code, severity, reference }: Finding) {
  const words = code.toLowerCase().replaceAll('_', ' ');
  const rule = reference === undefined ? '' : ` (${reference})`;
  return {
    id: code,
    shortDescription: { text: `${words}${rule}` },
    fullDescription: { text: `${words}${rule}` },
    help: { text: `svc-findings(7) explains ${code}.` },
    defaultConfiguration: { level: LEVELS[severity] },
  };
}

/** One for each name: its verdict, and whether enough is known. */
function invocationOf(
  { query, startedAt, finishedAt, planned: { verdict } }: PlannedName,
  commandLine: string,
) {
  const { name, type } = query;
  const { text, exitStatus } = verdict;
  return {
    commandLine,
    startTimeUtc: startedAt,
    endTimeUtc: finishedAt,
    exitCode: exitStatus,
    executionSuccessful: exitStatus !== RESULT_STATUS.unknown,
    toolExecutionNotifications: [
      {
        level: exitStatus === RESULT_STATUS.agreed ? 'note' : 'error',
        message: { text: printable(`${plain(name)} ${type}: ${text}`) },
      },
    ],
  };
}

function resultOf(finding: Finding, usualFile: string) {
  const { severity, message, advice, zone, server, file = usualFile, line = 1 } = finding;
  const subject = server?.name ?? zone;
  const location = {
    physicalLocation: physicalLocation(file, line),
    ...(subject && { logicalLocations: [{ fullyQualifiedName: printable(subject), kind: 'resource' }] }),
  };
  return {
    level: LEVELS[severity],
    message: { text: printable(`${message} ${advice}`) },
    locations: [location],
    partialFingerprints: { 'finding/v1': printable(fingerprint(finding)) },
  };
}

function physicalLocation(file: string, startLine: number, startColumn?: number) {
  const path = encodeURI(file.replaceAll('\\', '/')).replace(/[?#]/g, encodeURIComponent);
  return {
    artifactLocation: { uri: path.startsWith('/') ? `file://${path}` : path },
    region: { startLine, ...(startColumn !== undefined && { startColumn }) },
  };
}
