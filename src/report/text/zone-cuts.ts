import { compare, ONE } from '../../evaluate/fraction.ts';
import type { Differs } from '../../reading/agreement.ts';
import { grouped } from '../../reading/grouped.ts';
import { listed } from '../../reading/listed.ts';
import { percentage } from '../../reading/percent.ts';
import { type Graph, mainWalk } from '../../reading/result-index.ts';
import type { Detail } from '../../reading/shortened.ts';
import { questionKey } from '../../wire/question.ts';
import type { Rows } from '../table/table.ts';
import { sectionRows } from './section-rows.ts';
import { type Outcome, type Section, sectionsOf } from './sections.ts';

/** The zone cuts from the root down with their servers and what each did; one part for each alias followed. */
export function zoneCutRows(graph: Graph, differs: Differs, detail: Detail): Rows {
  const sections = sectionsOf(mainWalk(graph), graph, 'same-question').map((section) =>
    compared(section, differs),
  );
  const parts = grouped(sections, ({ question }) => questionKey(question));
  return parts.flatMap((part, at) => {
    const { name, type } = part[0].question;
    const title: Rows = at === 0 ? [] : [[], [{ text: `then ${name} ${type}`, style: 'strong' }], []];
    return [...title, ...part.flatMap((section) => sectionRows(section, remarkOn(section, part), detail))];
  });
}

/** The section with those outcomes marked that differ from what most paths get. */
function compared(section: Section, differs: Differs): Section {
  const outcomes = section.outcomes.map((outcome): Outcome => {
    const { doing } = outcome;
    if (doing.end === undefined || !differs(doing.end)) return outcome;
    return { ...outcome, doing: { ...doing, bearing: 'differs' } };
  });
  return { ...section, outcomes };
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
