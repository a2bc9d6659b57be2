/* Rows of text for all zone cuts and lookups, with what each server did. */

import { questionKey } from '../../dns/message.ts';
import type { TraversalResult } from '../../document/result.ts';
import { grouped, listed } from '../../document/words/lists.ts';
import { shown } from '../../document/words/names.ts';
import { octets, percentage } from '../../document/words/quantities.ts';
import { verdictDetails } from '../../document/words/security-words.ts';
import { compare, ONE } from '../../evaluate/fraction.ts';
import { comparisonOf, MARKS } from '../views/effects.ts';
import { type NameLookup, nameLookups } from '../views/lookups.ts';
import { effectOfReply, type PickView, replyWords, type ServerReply, tookWords } from '../views/picks.ts';
import { mainWalk, resultIndex } from '../views/result-index.ts';
import { byQuestion, picksInOrder, type StepView, stepViews } from '../views/steps.ts';
import { extendedErrorWords, type Wording } from '../views/wording.ts';
import { type Cell, type Rows, STYLES } from './table.ts';

/** The zone cuts from the root down, with their servers and what each did; one section for each alias. */
export function zoneCutRows(result: TraversalResult, wording: Wording): Rows {
  const index = resultIndex(result);
  const { effectOf } = comparisonOf(result.views.resolver.outcomes);
  const views = stepViews(mainWalk(index), byQuestion, index, effectOf);
  return grouped(views, ({ question }) => questionKey(question)).flatMap((part, at) => {
    const { name, type } = part[0].question;
    const title: Rows = at === 0 ? [] : [[], [{ text: `then ${shown(name)} ${type}`, style: 'strong' }], []];
    return [...title, ...part.flatMap((view) => stepViewRows(view, remarkOn(view), wording))];
  });
}

/** Which delegation this is if there are several, and how many paths come here if not all do. */
export function remarkOn({ remark, probability }: StepView): string {
  const passing = probability();
  const share = compare(passing, ONE) < 0 ? `on ${percentage(passing)} of paths` : '';
  return [remark, share].filter((words) => words !== '').join(', ');
}

/** The most addresses and zones of a lookup that are named. */
const ADDRESSES_NAMED = 2;

const ZONES_NAMED = 4;

/** The lookups of name servers without glue, with all their steps. */
export function lookupRows(result: TraversalResult, wording: Wording): Rows {
  const lookups = nameLookups(resultIndex(result));
  if (lookups.length === 0) return [];
  const title: Rows = [[{ text: 'Name servers looked up (no glue)', style: 'strong' }]];
  return [...title, ...lookups.flatMap((one) => rowsOf(one, one.steps, wording))];
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
    { text: `  ${shown(name)}` },
    { text: addresses.length === 0 ? 'no address' : listed(addresses, ADDRESSES_NAMED) },
    { text: '' },
    { text: zones.length === 0 ? '' : `through ${listed(zones, ZONES_NAMED)}`, style: 'faint' },
  ];
}

/** A step as rows: the zone, then for each pick the server, its address, the time taken, and behind a mark what it did. */
function stepViewRows(view: StepView, remark: string, wording: Wording): Rows {
  return [
    [
      { text: shown(view.zone), style: 'strong' },
      { text: remark, style: 'faint' },
    ],
    ...picksInOrder(view.picks).map((pick) => pickCells(pick, wording)),
  ];
}

function pickCells(pick: PickView, wording: Wording): readonly Cell[] {
  const { name, address = '', reply } = pick;
  const more: Cell = { text: particulars(pick).join(', '), style: 'faint' };
  return [
    { text: `  ${shown(name)}` },
    { text: address },
    ...replyCells(reply, tookWords(pick), wording),
    more,
  ];
}

function replyCells(reply: ServerReply, took: string, { shorten }: Wording): readonly Cell[] {
  const text = `${MARKS[reply.effect].padStart(1)} ${replyWords(reply, shorten)}`;
  return [
    { text: took, align: 'right', style: 'faint' },
    { text, style: STYLES[effectOfReply(reply)] },
  ];
}

function particulars({
  exchange,
  source,
  basis,
  probability,
  reply: { security },
}: PickView): readonly string[] {
  const share = `on ${percentage(probability())} of paths`;
  const found = source === 'lookup' ? ['address looked up', share] : [share];
  if (exchange === undefined) return found;
  const { id, flags = [], bytes } = exchange;
  // What came is no referral to there.
  if (basis === 'plan') return ['planned', ...found, id];
  const reply = [flags.join(' '), bytes === undefined ? '' : octets(bytes)].filter((part) => part !== '');
  return [...reply, ...found, id, ...verdictDetails(security), ...extendedErrorWords(exchange.edns)];
}
