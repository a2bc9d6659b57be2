import type { LeadsTo, StepRow } from '../../document/steps.ts';
import { byFamily } from '../../reading/by-family.ts';
import { listed } from '../../reading/listed.ts';
import { count } from '../../reading/quantities.ts';
import { type Graph, mainWalk, walk } from '../../reading/result-index.ts';
import type { Detail } from '../../reading/shortened.ts';
import type { Name } from '../../wire/name.ts';
import type { Rows } from '../table/table.ts';
import { sectionRows } from './section-rows.ts';
import { type Section, sectionsOf } from './sections.ts';
import { delegationRemark } from './zone-cuts.ts';

/** The search for the addresses of one name server that came without glue, wherever paths needed it. */
interface Lookup {
  readonly name: Name;
  readonly sections: readonly Section[];
  /** Only what does not go on or end as it may. */
  readonly trouble: readonly Section[];
  readonly addresses: readonly string[];
  /** Whether the main walk needs it itself, or only another lookup does. */
  readonly needed: 'directly' | 'by-lookups';
}

/** So many that went well are named, so many addresses of each. */
const NAMED = 6;
const ADDRESSES_NAMED = 2;

/** The lookups of name servers without glue: one line each where all is well, else what went wrong too. */
export function lookupRows(graph: Graph, detail: Detail): Rows {
  const lookups = lookupsIn(graph);
  if (lookups.length === 0) return [];
  const title: Rows = [[{ text: 'Addresses looked up, for want of glue', style: 'strong' }]];
  if (detail === 'full') {
    return [...title, ...lookups.flatMap((one) => [headRow(one), ...indented(one.sections, detail)])];
  }
  const well = lookups.filter(({ trouble }) => trouble.length === 0);
  const named = well.filter(({ needed }) => needed === 'directly').slice(0, NAMED);
  const more = well.length - named.length;
  const bad = lookups.filter(({ trouble }) => trouble.length > 0);
  return [
    ...title,
    ...named.map(headRow),
    ...(more === 0 ? [] : [[{ text: `  and ${count(more, 'other')} that all went well` }]]),
    ...bad.flatMap((one) => [headRow(one), ...indented(one.trouble, detail)]),
  ];
}

function lookupsIn(graph: Graph): readonly Lookup[] {
  const main = new Set(mainWalk(graph));
  const found = new Map<Name, { begin: LeadsTo[]; addresses: Set<string>; steps: StepRow[] }>();
  for (const step of graph.steps) {
    for (const { name, lookups, addresses } of step.nameservers) {
      if (lookups === undefined) continue;
      const known = found.get(name) ?? { begin: [], addresses: new Set(), steps: [] };
      found.set(name, known);
      known.begin.push(...lookups);
      known.steps.push(step);
      for (const { address } of addresses) known.addresses.add(address);
    }
  }
  return [...found].map(([name, { begin, addresses, steps }]) => {
    const sections = sectionsOf(walk(begin, graph), graph, 'any-question');
    const needed = steps.some((step) => main.has(step)) ? 'directly' : 'by-lookups';
    const inOrder = [...addresses].sort(byFamily);
    return { name, sections, trouble: troubleIn(sections), addresses: inOrder, needed };
  });
}

function troubleIn(sections: readonly Section[]): readonly Section[] {
  return sections
    .map((section) => ({
      ...section,
      outcomes: section.outcomes.filter(
        ({ doing }) => doing.bearing === 'fails' || doing.bearing === 'unknown',
      ),
    }))
    .filter(({ outcomes }) => outcomes.length > 0);
}

function indented(sections: readonly Section[], detail: Detail): Rows {
  return sections.flatMap((section) =>
    sectionRows(section, delegationRemark(section, sections).join(''), detail).map(([first, ...others]) =>
      first === undefined ? [] : [{ ...first, text: `    ${first.text}` }, ...others],
    ),
  );
}

function headRow({ name, addresses, sections }: Lookup): Rows[number] {
  const zones = [...new Set(sections.map(({ zone }) => zone))].filter((zone) => zone !== '.');
  return [
    { text: `  ${name}` },
    { text: addresses.length === 0 ? 'no address' : listed(addresses, ADDRESSES_NAMED) },
    { text: '' },
    { text: zones.length === 0 ? '' : `through ${listed(zones, 4)}`, style: 'faint' },
  ];
}
