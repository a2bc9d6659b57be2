import type { Question } from '../../dns/message.ts';
import { isBelow, labelCount, type Name, parentOf } from '../../dns/name.ts';
import type { MinimisationStyle } from './profile.ts';

/**
 * The minimised questions of a style that go to servers of a zone before the question itself, in order: svc-model(7),
 * PROFILES. None go to the root and to top-level domains, whose servers are taken to answer as for the whole name.
 */
export function minimisedQuestions(
  style: MinimisationStyle,
  zone: Name,
  whole: Question,
): readonly Question[] {
  if (labelCount(zone) <= MOST_LABELS_OF_TLD || !isBelow(whole.name, zone)) return NONE;
  const { type, apex, mostAtZone, wholeNameWithA } = style;
  const names = [...(apex === 'asked' ? [zone] : []), ...namesBelow(zone, whole.name, style)];
  const last = { name: whole.name, type: 'A' };
  const isAskedBefore = wholeNameWithA === 'asked' && whole.type !== 'A' && whole.type !== 'DS';
  return [...names.slice(0, mostAtZone).map((name) => ({ name, type })), ...(isAskedBefore ? [last] : [])];
}

const MOST_LABELS_OF_TLD = 1;

const NONE: readonly Question[] = [];

/** The names of the series strictly between a zone and a name below it, the shortest first. */
function namesBelow(zone: Name, name: Name, { labels, mostLabels }: MinimisationStyle): readonly Name[] {
  const all = labelCount(name);
  const most = Math.min(all - 1, mostLabels ?? all);
  const counts = labels === 'one-each' ? undefined : seriesOf(all, labels);
  const names: Name[] = [];
  for (let at = parentOf(name); at !== undefined && at !== zone; at = parentOf(at)) {
    const count = labelCount(at);
    if (count <= most && counts?.has(count) !== false) names.unshift(at);
  }
  return names;
}

/** RFC 9156 2.3: MINIMISE_ONE_LAB and MAX_MINIMISE_COUNT. */
const ONE_LABEL = 4;
const MOST_QUESTIONS = 10;

/** How many labels the questions for a name with so many have, from those right below a top-level domain on. */
function seriesOf(all: number, labels: 'rfc-9156' | 'rfc-9156-alike'): ReadonlySet<number> {
  const counts = new Set<number>();
  const [others, each] = [all - ONE_LABEL, MOST_QUESTIONS - ONE_LABEL];
  let count = MOST_LABELS_OF_TLD;
  for (let question = 1; question <= MOST_QUESTIONS && count < all; question += 1) {
    const left = MOST_QUESTIONS - question;
    const spread = {
      'rfc-9156': Math.floor((all - count) / (left + 1)),
      'rfc-9156-alike': left === 0 ? all : Math.floor(others / each) + (left < others % each ? 1 : 0),
    };
    count = Math.min(all, count + (question <= ONE_LABEL ? 1 : Math.max(1, spread[labels])));
    counts.add(count);
  }
  return counts;
}
