import { compare, ONE } from '../../evaluate/fraction.ts';
import { questionKey } from '../../wire/question.ts';
import { type Graph, mainWalk } from './graph.ts';
import { grouped } from './group.ts';
import { percentage } from './percent.ts';
import { sectionRows } from './section-rows.ts';
import { type Section, sectionsOf } from './sections.ts';
import type { Detail } from './shortened.ts';
import type { Rows } from './table.ts';
import { listed } from './words.ts';

/** The zone cuts from the root down with their servers and what each did; one part for each alias followed. */
export function zoneCutRows(graph: Graph, detail: Detail): Rows {
  const sections = sectionsOf(mainWalk(graph), graph, 'same-question');
  const parts = grouped(sections, ({ question }) => questionKey(question));
  return parts.flatMap((part, at) => {
    const { name, type } = part[0].question;
    const title: Rows = at === 0 ? [] : [[], [{ text: `${name} ${type}`, style: 'strong' }], []];
    return [...title, ...part.flatMap((section) => sectionRows(section, remarkOn(section, part), detail))];
  });
}

/** Delegations of one zone that differ are told apart. */
function remarkOn(section: Section, part: readonly Section[]): string {
  const remarks = [
    ...delegationRemark(section, part),
    ...(compare(section.probability, ONE) < 0 ? [`on ${percentage(section.probability)} of paths`] : []),
  ];
  return remarks.join(', ');
}

/** Who delegates a zone so, where others delegate it otherwise. */
export function delegationRemark(
  { zone, delegatedBy }: Section,
  beside: readonly Section[],
): readonly string[] {
  const delegations = beside.filter((section) => section.zone === zone).length;
  return delegations > 1 && delegatedBy.length > 0 ? [`as delegated by ${listed(delegatedBy, 3)}`] : [];
}
