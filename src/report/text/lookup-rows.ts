import type { ResultIndex } from '../../reading/result-index.ts';
import { type NameLookup, nameLookups } from '../../reading/steps/name-lookups.ts';
import type { StepView } from '../../reading/steps/step-views.ts';
import type { Wording } from '../../reading/wording.ts';
import { listed } from '../../reading/words/listed.ts';
import { count } from '../../reading/words/quantities.ts';
import type { Rows } from '../table/table.ts';
import { stepViewRows } from './step-rows.ts';

/** The most lookups without trouble that are named, and the most addresses and zones of each. */
const NAMED = 6;
const ADDRESSES_NAMED = 2;
const ZONES_NAMED = 4;

/** The lookups of name servers without glue: one line each, and below it what went wrong. */
export function lookupRows(index: ResultIndex, wording: Wording): Rows {
  const lookups = nameLookups(index);
  if (lookups.length === 0) return [];
  const title: Rows = [[{ text: 'Name servers looked up (no glue)', style: 'strong' }]];
  if (wording.detail === 'full')
    return [...title, ...lookups.flatMap((one) => rowsOf(one, one.steps, wording))];
  const well = lookups.filter(({ trouble }) => trouble.length === 0);
  const named = well.filter(isNeededDirectly).slice(0, NAMED);
  const more = well.length - named.length;
  const bad = lookups.filter(({ trouble }) => trouble.length > 0);
  return [
    ...title,
    ...named.map(headRow),
    ...(more === 0 ? [] : [[{ text: `  and ${count(more, 'other')} without trouble` }]]),
    ...bad.flatMap((one) => rowsOf(one, one.trouble, wording)),
  ];
}

function isNeededDirectly({ views }: NameLookup): boolean {
  return views.some(({ needed }) => needed === 'directly');
}

function rowsOf(lookup: NameLookup, steps: readonly StepView[], wording: Wording): Rows {
  const rows = steps.flatMap((step) => stepViewRows(step, step.remark, wording));
  const indented = rows.map(([first, ...others]) =>
    first === undefined ? [] : [{ ...first, text: `    ${first.text}` }, ...others],
  );
  return [headRow(lookup), ...indented];
}

function headRow({ name, views }: NameLookup): Rows[number] {
  const addresses = views.flatMap((view) => view.addresses);
  const zones = [...new Set(views.flatMap((view) => view.zones))];
  return [
    { text: `  ${name}` },
    { text: addresses.length === 0 ? 'no address' : listed(addresses, ADDRESSES_NAMED) },
    { text: '' },
    { text: zones.length === 0 ? '' : `through ${listed(zones, ZONES_NAMED)}`, style: 'faint' },
  ];
}
