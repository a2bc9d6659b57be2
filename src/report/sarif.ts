/* Prints the findings of results in SARIF 2.1.0, which code hosts show beside the lines of files. */

import { jsonText, PRETTY_JSON } from '../base/json.ts';
import type { Finding, Severity } from '../document/finding.ts';
import { firstOfEach } from '../document/words/lists.ts';
import { plain } from '../document/words/names.ts';
import { printable } from '../document/words/shortened.ts';
import type { Judged } from './views/conclusion.ts';
import { RESULT_STATUS } from './views/status.ts';

/**
 * A run with a rule for each code and a result for each finding; the same finding of several names is one. `files`: findings
 * of planned zone files.
 */
export function sarifText(
  questions: readonly Judged[],
  files: readonly Finding[] = [],
  plan?: SarifPlan,
): string {
  const findings = firstOfEach([...files, ...questions.flatMap((one) => one.findings)], subjectOf);
  const rules = firstOfEach(findings, ({ code }) => code);
  const run = {
    tool: { driver: { name: 'svc', rules: rules.map(ruleOf) } },
    invocations: questions.map((one) => invocationOf(one, plan?.commandLine)),
    results: findings.map((finding) => {
      const ruleIndex = rules.findIndex(({ code }) => code === finding.code);
      return { ruleId: finding.code, ruleIndex, ...resultOf(finding, plan) };
    }),
  };
  return jsonText({ $schema: SCHEMA, version: '2.1.0', runs: [run] }, PRETTY_JSON);
}

/** The plan that questions are about. */
interface SarifPlan {
  /** The command that was run. */
  readonly commandLine: string;
  /** The file that has a zone, or the plan, for findings that name no line: code hosts refuse results without a file. */
  readonly fileOf: (zone: Finding['zone']) => string;
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
  const run = {
    tool: { driver: { name: 'svc', rules: [rule] } },
    invocations: [{ commandLine, exitCode: RESULT_STATUS.unknown, executionSuccessful: false }],
    results: errors.map(({ message, file, line = 1, column }) => ({
      ruleId: rule.id,
      ruleIndex: 0,
      level: 'error',
      message: { text: printable(message) },
      locations: [{ physicalLocation: physicalLocation(file, line, column) }],
    })),
  };
  return jsonText({ $schema: SCHEMA, version: '2.1.0', runs: [run] }, PRETTY_JSON);
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
  { query, startedAt, finishedAt, verdict, verdictStatus, exitStatus }: Judged,
  commandLine?: string,
) {
  const { name, type } = query;
  return {
    commandLine: commandLine ?? `svc traverse ${plain(name)} ${type}`,
    startTimeUtc: startedAt,
    endTimeUtc: finishedAt,
    exitCode: exitStatus,
    executionSuccessful: exitStatus !== RESULT_STATUS.unknown,
    toolExecutionNotifications: [
      {
        level: verdictStatus === RESULT_STATUS.agreed ? 'note' : 'error',
        message: { text: printable(`${plain(name)} ${type}: ${verdict}`) },
      },
    ],
  };
}

function resultOf(finding: Finding, plan: SarifPlan | undefined) {
  const { severity, message, advice, zone, server, file = plan?.fileOf(zone), line = 1 } = finding;
  const subject = server?.name ?? zone;
  const physical = file === undefined ? {} : { physicalLocation: physicalLocation(file, line) };
  const logical =
    subject === undefined
      ? {}
      : { logicalLocations: [{ fullyQualifiedName: printable(subject), kind: 'resource' }] };
  const location = { ...physical, ...logical };
  return {
    level: LEVELS[severity],
    message: { text: printable(`${message} ${advice}`) },
    ...(Object.keys(location).length > 0 && { locations: [location] }),
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
