import type { Test } from 'tap';
import { describeOutcome } from './describe.ts';
import type { ReportedTraversal, ReportedViews } from './reported.ts';
import { traverse } from './traverse.ts';
import type { Expectation, ExpectedViews } from './world/expectation.ts';

/** Traverses, with these flags besides, and compares with what was worked out by hand; returns the result. */
export async function checkTraversal(
  t: Test,
  expectation: Expectation,
  rootHints: string,
  flags: readonly string[] = [],
): Promise<ReportedTraversal> {
  const { status, result } = await traverse(expectation, rootHints, flags);
  t.equal(result.complete, true, 'complete');
  checkViews(t, 'cold', result, expectation);
  t.equal(result.stats.paths, expectation.paths, 'number of paths');
  t.equal(status, expectation.status, 'exit status');
  const asked = result.exchanges.map(
    ({ server, question }) => `${server.address} ${question.name} ${question.type}`,
  );
  t.equal(new Set(asked).size, asked.length, 'nothing is asked twice');
  return result;
}

/** Compares both views of one walk. */
export function checkViews(t: Test, walk: string, reported: ReportedViews, expected: ExpectedViews): void {
  t.same(reported.outcomes.map(describeOutcome).sort(), [...expected.path].sort(), `${walk}: path view`);
  t.same(
    reported.resolver.outcomes.map(describeOutcome).sort(),
    [...expected.resolver].sort(),
    `${walk}: resolver view`,
  );
}

export function questionText({ name, type }: Expectation): string {
  return `${name} ${type}`;
}
