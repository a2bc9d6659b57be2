import type { PageFacts } from '../../document/api/service-documents.ts';

type DemoName = NonNullable<PageFacts['demo']>[number];

/** Names of the demo that show one kind of thing. */
interface DemoGroup {
  readonly title: string;
  readonly names: readonly DemoName[];
}

/** Eight names of the demo in four groups, and all others. */
export function demoGroups(names: readonly DemoName[]): {
  readonly groups: readonly DemoGroup[];
  readonly others: readonly DemoName[];
} {
  const groups = GROUPS.map(([title, shown]) => ({
    title,
    names: names.filter(({ name }) => shown.includes(name)),
  }));
  const grouped = new Set(groups.flatMap((group) => group.names));
  return {
    groups: groups.filter((group) => group.names.length > 0),
    others: names.filter((one) => !grouped.has(one)),
  };
}

const GROUPS: readonly (readonly [title: string, names: readonly string[]])[] = [
  ['Servers disagree', ['www.stale.example', 'www.mixed.example']],
  ['Servers fail', ['www.dead.example', 'www.lame.example']],
  ['DNSSEC', ['www.expired.example', 'www.rollover.example']],
  ['Nothing is wrong', ['www.shop.example', 'www.pool.example']],
];
