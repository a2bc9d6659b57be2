import { type Account, bearingOfDeed } from '../../reading/account.ts';
import { MARKS } from '../../reading/bearing.ts';
import { endWords } from '../../reading/end-words.ts';
import { grouped } from '../../reading/grouped.ts';
import { type PickView, tookAt } from '../../reading/steps/pick-views.ts';
import { picksInOrder } from '../../reading/steps/picks-in-order.ts';
import type { StepView } from '../../reading/steps/step-views.ts';
import type { Wording } from '../../reading/wording.ts';
import { percentage } from '../../reading/words/percent.ts';
import { count, octets, span, time } from '../../reading/words/quantities.ts';
import { STYLES } from '../table/styles.ts';
import type { Cell, Rows } from '../table/table.ts';

type Group = readonly [PickView, ...PickView[]];

/**
 * A step as rows: zone or name server, address, time taken, what the server did behind a mark. Equal
 * siblings are folded; a step whose servers all pass the question on alike takes one row.
 */
export function stepViewRows(view: StepView, remark: string, wording: Wording): Rows {
  const heading: Cell = { text: view.zone, style: 'strong' };
  const picks = picksInOrder(view.picks);
  const groups = grouped(picks, ({ account }) => [account.words, ...account.notes].join('\n'));
  const [only, ...others] = groups;
  const alike = only !== undefined && others.length === 0 && isPassedOn(only);
  if (alike && remark === '' && wording.detail === 'terse') return [[heading, ...foldedCells(only, wording)]];
  const folded =
    wording.detail === 'full' ? [] : groups.filter((group) => alike || group.length > EACH_SHOWN);
  const single = picks.filter((pick) => !folded.some((group) => group.includes(pick)));
  const rows = picks.flatMap((pick) => {
    const group = folded.find((members) => members.includes(pick));
    if (group !== undefined)
      return group[0] === pick ? [[{ text: '  most' }, ...foldedCells(group, wording)]] : [];
    const before = single[single.indexOf(pick) - 1];
    return [pickCells(pick, before, wording)];
  });
  return [[heading, { text: remark, style: 'faint' }], ...rows];
}

/** The most picks with the same outcome that are each shown, where others had another. */
const EACH_SHOWN = 6;

/** Whether these are several that all passed the question on, so that it does not matter which did. */
function isPassedOn(group: Group): boolean {
  return group.length > 1 && group[0].account.bearing === 'leads-on';
}

function foldedCells(group: Group, wording: Wording): readonly Cell[] {
  const addresses = group.filter(({ address }) => address !== undefined).length;
  const servers = count(new Set(group.map(({ name }) => name)).size, 'server');
  const times = group.flatMap((pick) => tookAt(pick) ?? []);
  const met = addresses === 0 ? servers : `${servers}, ${count(addresses, 'address', 'addresses')}`;
  return [{ text: met }, ...accountCells(group[0].account, span(times), wording)];
}

function pickCells(pick: PickView, before: PickView | undefined, wording: Wording): readonly Cell[] {
  const { name, address = '', account } = pick;
  const repeated = before?.name === name && wording.detail === 'terse';
  const elapsedMs = tookAt(pick);
  const took = elapsedMs === undefined ? '' : time(elapsedMs);
  const more: Cell = { text: wording.detail === 'full' ? particulars(pick).join(', ') : '', style: 'faint' };
  const cells = accountCells(account, took, wording);
  return [{ text: repeated ? '' : `  ${name}` }, { text: address }, ...cells, more];
}

function accountCells(account: Account, took: string, { shorten }: Wording): readonly Cell[] {
  const { words, notes, bearing, end } = account;
  const said = end === undefined ? words : endWords(end, shorten);
  const noted = notes.length === 0 ? [] : [`(${notes.join(', ')})`];
  return [
    { text: took, align: 'right', style: 'faint' },
    {
      text: [MARKS[bearing].padStart(1), said, ...noted].join(' '),
      style: STYLES[bearingOfDeed(account)],
    },
  ];
}

function particulars({ exchange, source, basis, probability }: PickView): readonly string[] {
  const share = `on ${percentage(probability())} of paths`;
  const found = source === 'lookup' ? ['address looked up', share] : [share];
  if (exchange === undefined) return found;
  const { id, flags = [], bytes } = exchange;
  // What came is no referral to there.
  if (basis === 'plan') return ['planned', ...found, id];
  const reply = [flags.join(' '), bytes === undefined ? '' : octets(bytes)].filter((part) => part !== '');
  return [...reply, ...found, id];
}
