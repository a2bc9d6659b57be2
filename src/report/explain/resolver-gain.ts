import type { OutcomeRow } from '../../document/ends.ts';
import type { TraversalResult } from '../../document/result.ts';
import type { End, PickedServer } from '../../evaluate/end.ts';
import { compare, type Fraction, ZERO } from '../../evaluate/fraction.ts';
import { bearingOf } from '../../reading/bearing.ts';
import { contentKey, weightOf } from '../../reading/comparison.ts';
import { grouped } from '../../reading/grouped.ts';
import type { Gain } from './known.ts';

/** Finds out why resolvers get the answer of an end more often than paths do, if failing addresses are the reason. */
export function gainsIn(
  { outcomes, resolver }: TraversalResult,
  decidingServers: (end: End) => readonly PickedServer[],
): (end: End) => Gain | undefined {
  const [paths, resolved] = [outcomes, resolver.outcomes].map(sharesOf);
  const failures = outcomes.filter((end) => bearingOf(end) === 'fails').flatMap(({ server }) => server ?? []);
  const failingAt = new Map(failures.map((server) => [server.name, server]));
  return (end) => {
    const [path = ZERO, resolver = ZERO] = [paths, resolved].map((shares) => shares?.get(contentKey(end)));
    const [failing] = decidingServers(end).flatMap(({ name }) => failingAt.get(name) ?? []);
    return failing !== undefined && compare(resolver, path) > 0 ? { path, resolver, failing } : undefined;
  };
}

/** How often each answer or denial occurs in a view. */
function sharesOf(outcomes: readonly OutcomeRow[]): ReadonlyMap<string, Fraction> {
  const contents = grouped(
    outcomes.filter((end) => bearingOf(end) === 'ends-well'),
    contentKey,
  );
  return new Map(contents.map((alike) => [contentKey(alike[0]), weightOf(alike)]));
}
