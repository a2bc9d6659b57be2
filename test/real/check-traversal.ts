import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';
import type { Lookup } from './cold-resolver.ts';
import type { Expectation, ExpectedEnd, ExpectedViews } from './world/expectation.ts';

/** Traverses, with these flags besides, and compares with what was worked out by hand; returns the result. */
export async function checkTraversal(
  t: Test,
  expectation: Expectation,
  rootHints: string,
  flags: readonly string[] = [],
): Promise<ReportedTraversal> {
  const { status, result } = await traverse(expectation, rootHints, flags);
  t.equal(result.complete, true, 'complete');
  checkViews(t, 'cold', result.views, expectation);
  t.equal(result.figures.paths, expectation.paths, 'number of paths');
  t.equal(status, expectation.status, 'exit status');
  const asked = result.exchanges.map(
    ({ server, question }) => `${server.address} ${question.name} ${question.type}`,
  );
  t.equal(new Set(asked).size, asked.length, 'nothing is asked twice');
  return result;
}

/** Compares both views of one walk. */
export function checkViews(t: Test, walk: string, reported: ReportedViews, expected: ExpectedViews): void {
  t.same(
    reported['first-tries'].outcomes.map(describeOutcome).sort(),
    [...expected.path].sort(),
    `${walk}: path view`,
  );
  t.same(
    reported.resolver.outcomes.map(describeOutcome).sort(),
    [...expected.resolver].sort(),
    `${walk}: resolver view`,
  );
}

export function questionText({ name, type }: Expectation): string {
  return `${name} ${type}`;
}

/** Puts a reported outcome into the words of the expected ones, so that they can be compared. */
function describeOutcome(outcome: ReportedOutcome): ExpectedEnd {
  return [outcome.fraction, whatOf(outcome), whereOf(outcome), serverOf(outcome)];
}

function whatOf(end: ReportedEnd): string {
  const parts = [
    end.kind,
    ...(end.records ?? []).map((record) => record.data).sort(),
    end.rcode,
    end.reason,
    end.referredTo && `to ${end.referredTo}`,
    end.nameserver,
    end.target && `to ${end.target}`,
    end.cause && `because ${whatOf(end.cause)}, ${whereOf(end.cause)}, ${serverOf(end.cause)}`,
  ];
  return parts.filter((part) => part !== undefined).join(' ');
}

function whereOf({ question, zone }: ReportedEnd): string {
  return `${question.name} ${question.type} in ${zone}`;
}

function serverOf({ server }: ReportedEnd): string {
  return server === null ? '-' : `${server.name} ${server.address}`;
}

const svc = fileURLToPath(new URL('../../bin/svc.js', import.meta.url));

/** A traversal as the command gives it: its JSON result and its exit status. */
interface Traversed {
  readonly status: number | null;
  readonly result: ReportedTraversal;
}

/**
 * Runs the built `svc traverse` against the hierarchy. IPv4 only, because the hierarchy is; short
 * time-outs, because every server is on this machine. `flags` are given besides.
 */
async function traverse(
  { name, type }: Lookup,
  rootHints: string,
  flags: readonly string[],
): Promise<Traversed> {
  const place = ['--root-hints', rootHints, '--allow-special-targets', '-4', '--rate', '0'];
  const patience = ['--timeout', '500ms', '--retries', '1'];
  const args = [svc, 'traverse', name, type, '--format', 'json', '--full', ...place, ...patience, ...flags];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (data: Buffer) => stdout.push(data));
  child.stderr.on('data', (data: Buffer) => stderr.push(data));
  await once(child, 'close');
  try {
    return { status: child.exitCode, result: JSON.parse(Buffer.concat(stdout).toString()) };
  } catch (cause) {
    throw new Error(`svc traverse ${name} ${type}: ${Buffer.concat(stderr)}`, { cause });
  }
}

/** What the suite reads of a traversal's JSON: as svc-api(5), RESULT has it, not as the program's types do. */
interface ReportedTraversal {
  readonly views: ReportedViews & {
    readonly 'first-tries/warm'?: ReportedView;
    readonly warm?: ReportedView;
  };
  readonly complete: boolean;
  readonly exchanges: readonly {
    readonly server: { readonly address: string };
    readonly question: ReportedQuestion;
  }[];
  readonly figures: { readonly paths: string };
}

/** Both views of one walk. */
interface ReportedViews {
  readonly 'first-tries': ReportedView;
  readonly resolver: ReportedView;
}

interface ReportedView {
  readonly outcomes: readonly ReportedOutcome[];
}

interface ReportedQuestion {
  readonly name: string;
  readonly type: string;
}

/** An end; the fields that only some kinds have are optional. */
interface ReportedEnd {
  readonly kind: string;
  readonly question: ReportedQuestion;
  readonly zone: string;
  readonly server: { readonly name: string; readonly address: string } | null;
  readonly records?: readonly { readonly type: string; readonly data: string }[];
  readonly rcode?: string;
  readonly reason?: string;
  readonly referredTo?: string;
  readonly nameserver?: string;
  readonly target?: string;
  readonly cause?: ReportedEnd;
}

interface ReportedOutcome extends ReportedEnd {
  readonly fraction: string;
}
