/* Tells which answers users of busy resolvers get, by the server that is near: svc-model(7), PROFILES. */

import type { StickyRow, TraversalResult } from '../../document/result.ts';
import { type AllViews, viewsOf } from '../../document/views.ts';
import { grouped, listed } from '../../document/words/lists.ts';
import { plain } from '../../document/words/names.ts';
import { percentage, time } from '../../document/words/quantities.ts';
import { readFraction, sum } from '../../evaluate/fraction.ts';
import { PROFILES } from '../../explore/profiles/profiles.ts';
import { contentTerm } from './wording.ts';

/** The most lines that a text has of it. */
const MOST_LINES = 3;

type Sticky = Pick<TraversalResult, 'sticky'> & AllViews;

/**
 * What users get near each server, a line for each step where servers lead to different ends: "near ns1.example
 * 192.0.2.1; near ns2.example 192.0.2.2 (the fastest from here)". Then the products that also ask slower servers.
 */
export function stickyWords(result: Sticky): readonly string[] {
  const steps = (result.sticky ?? []).map((step) => groupsOf(step)).filter((groups) => groups.length > 0);
  if (steps.length === 0) return [];
  const lines = steps.map((groups) =>
    groups
      .map(({ names, content, isFastest }) => `near ${names} ${content}${isFastest ? ` (${FASTEST})` : ''}`)
      .join('; '),
  );
  const apart = spreadWords(result);
  const most = MOST_LINES - apart.length;
  return lines.length <= most
    ? [...lines, ...apart]
    : [...lines.slice(0, most - 1), `and at ${lines.length - most + 1} more steps`, ...apart];
}

/** What users of busy resolvers near one of these servers get, a sentence for each step at which servers differ. */
export function nearWords(
  result: Sticky,
  servers: readonly { readonly name: string; readonly address?: string }[],
): readonly string[] {
  const isNear = ({ server, address }: StickyRow['rows'][number]) =>
    servers.some((one) => one.name === server && one.address === address);
  const sentences = (result.sticky ?? []).flatMap((step) =>
    groupsOf(step, isNear).map(
      ({ names, content, isFastest }) =>
        `Busy resolvers near ${names}${isFastest ? `, ${FASTEST},` : ''} give ${content}.`,
    ),
  );
  const each = [...new Set(sentences)];
  return each.length === 0 ? [] : [...each, ...spreadWords(result).map((words) => `${words}.`)];
}

const FASTEST = 'the fastest from here';

/** Servers near which users get the same. */
interface NearGroup {
  readonly names: string;
  readonly content: string;
  readonly isFastest: boolean;
}

/** The shown servers of a step, grouped by what they give; none if all servers of the step give the same. */
function groupsOf(
  { rows, fastestHere }: StickyRow,
  isShown: (row: StickyRow['rows'][number]) => boolean = () => true,
): readonly NearGroup[] {
  // Nobody stays with a server that does not reply.
  const replying = rows.filter(({ rttMs }) => rttMs !== undefined);
  if (grouped(replying, contentOf).length < 2) return [];
  const fastest = fastestHere === null ? undefined : rows[fastestHere];
  const groups = grouped(replying.filter(isShown), contentOf);
  const fewestFirst = [...groups].sort((a, b) => a.length - b.length);
  return fewestFirst.map((alike) => ({
    names: listed([...new Set(alike.map(({ server }) => plain(server)))]),
    content: contentOf(alike[0]),
    isFastest: fastest !== undefined && alike.includes(fastest),
  }));
}

/** The products that ask slower servers, too: "X asks any server at most 100 ms slower than the fastest". */
function spreadWords(result: Sticky): readonly string[] {
  const apart = viewsOf(result).flatMap(({ row }) => {
    if (row.behaviour !== 'profile') return [];
    const { product, picks } = PROFILES[row.profile];
    return picks.busy.kind === 'band' ? [{ product, ms: picks.busy.ms }] : [];
  });
  return grouped(apart, ({ ms }) => `${ms}`).map((alike) => {
    const products = [...new Set(alike.map(({ product }) => product))];
    const verb = products.length === 1 ? 'asks' : 'ask';
    return `${listed(products)} ${verb} any server at most ${time(alike[0].ms)} slower than the fastest`;
  });
}

/** What users get; each with its share where that is not all. */
function contentOf({ outcomes }: StickyRow['rows'][number]): string {
  const contents = grouped(outcomes, contentTerm).map((alike) => {
    const share = sum(alike.map(({ fraction }) => readFraction(fraction)));
    return { term: contentTerm(alike[0]), share };
  });
  const [only] = contents;
  if (only !== undefined && contents.length === 1) return only.term;
  return listed(contents.map(({ term, share }) => `${percentage(share)} ${term}`));
}
