/* Rows of text for the zones in which something is wrong, with what each server did. */

import type { Name } from '../../dns/name.ts';
import type { TraversalResult, ZoneRow } from '../../document/result.ts';
import { grouped, listed } from '../../document/words/lists.ts';
import { plain, shown } from '../../document/words/names.ts';
import { count, span } from '../../document/words/quantities.ts';
import type { Shorten } from '../../document/words/shortened.ts';
import { MARKS } from '../views/effects.ts';
import { isImpact } from '../views/faults.ts';
import { hasFinding } from '../views/findings.ts';
import { proofWords } from '../views/users.ts';
import { ignoredWords, notCheckedWords, type Wording } from '../views/wording.ts';
import { type Cell, fitted, naturalWidth, type Rows, STYLES } from './table.ts';

/** How these rows are worded. `proof`: how well all answers are proven, which is told elsewhere. */
interface ZoneLook {
  readonly shorten: Shorten;
  readonly proof: string | undefined;
}

/** The zones in which something is wrong, with their servers. */
export function faultyZoneRows(result: TraversalResult, { shorten }: Wording, width: number): Rows {
  const look = { shorten, proof: proofWords(result)?.split(' ')[0] };
  const faulty = result.zones.filter((zone) => isFaulty(zone, result));
  const rows = (addresses: number) => faulty.flatMap((zone) => zoneRows(zone, look, addresses));
  const all = rows(ADDRESSES_NAMED);
  return naturalWidth(all) <= width ? all : fitted(rows(1), width);
}

/** The zones in which nothing is wrong. */
function zonesInOrder(result: TraversalResult): readonly Name[] {
  const faulty = new Set(result.zones.filter((one) => isFaulty(one, result)).map(({ zone }) => zone));
  return [...new Set(result.zones.map(({ zone }) => zone))].filter((zone) => !faulty.has(zone));
}

/** Whether a server of a zone gives no usable reply or one that others contradict, or a finding says so. */
export function isFaulty(
  { zone, servers }: ZoneRow,
  { findings }: Pick<TraversalResult, 'findings'>,
): boolean {
  const own = findings.filter((finding) => finding.zone === zone && !isImpact(finding));
  return hasFinding({ findings: own }, 'warning') || servers.some(({ effect }) => effect !== undefined);
}

/** The most addresses of a server that are named. */
const ADDRESSES_NAMED = 2;

/** The most servers of a zone that are each shown. */
const MOST_SERVERS = 10;

/** Addresses of a server that reply alike are one row, and all servers that do where there are many. */
function zoneRows({ zone, remark = '', servers }: ZoneRow, look: ZoneLook, named: number): Rows {
  const said = (server: Server) => replyText(server, look);
  const each = grouped(servers, (server) => `${server.name} ${said(server)}`);
  const groups = each.length > MOST_SERVERS ? grouped(servers, said) : each;
  return [
    [
      { text: shown(zone), style: 'strong' },
      { text: remark, style: 'faint' },
    ],
    ...groups.map((group): readonly Cell[] => {
      const [first] = group;
      const addresses = group.flatMap(({ address = [] }) => address);
      const names = new Set(group.map(({ name }) => name)).size;
      const { effect = 'ends-well' } = first;
      const who =
        names > 1
          ? [`  ${count(names, 'server')}, ${count(addresses.length, 'address', 'addresses')}`, '']
          : [`  ${shown(first.name)}`, addressesText(addresses, named)];
      return [
        ...who.map((text) => ({ text })),
        { text: first.planned ? 'planned' : timesText(group), align: 'right', style: 'faint' },
        { text: `${MARKS[effect].padStart(1)} ${said(first)}`, style: STYLES[effect] },
      ];
    }),
  ];
}

type Server = ZoneRow['servers'][number];

/** A reply in words: its data or what it is, and what is to be noted of it. */
export function replyText(
  { answer, text, notes = [], security }: Server,
  { shorten, proof }: Pick<ZoneLook, 'shorten' | 'proof'>,
): string {
  const data = answer === undefined ? text : shorten(text ?? answer.join(', '));
  const isTold = security !== 'secure' && security !== 'insecure' ? true : security === proof;
  const all = [...notes, ...(isTold ? [] : [security])];
  return all.length === 0 ? `${data}` : `${data} (${all.join(', ')})`;
}

function timesText(servers: readonly Server[]): string {
  return span(servers.flatMap(({ elapsedMs, rttMs }) => elapsedMs ?? rttMs ?? []));
}

/** "192.0.2.1 and 2001:db8::1", "192.0.2.1 +1" */
function addressesText(addresses: readonly string[], named: number): string {
  const [first = '', ...others] = addresses;
  return named === 1 && others.length > 0 ? `${first} +${others.length}` : listed(addresses, named);
}

/** "the root and example (secure)" */
export function orderFacts(result: TraversalResult): Rows {
  const zones = zonesInOrder(result).map(plain);
  const proof = proofWords(result);
  const proven = proof === undefined ? '' : ` (${proof})`;
  return zones.length === 0 ? [] : [fact('No fault in', `${listed(zones, ZONES_NAMED)}${proven}`)];
}

const ZONES_NAMED = 5;

export function fact(title: string, text: string): readonly Cell[] {
  return [{ text: title, style: 'faint' }, { text }];
}

/** As of when signatures were judged, what the user does not want to hear of, and what was not checked. */
export function lastFacts(result: TraversalResult): Rows {
  const rows = [
    ['Judged as of', result.options.at ?? ''],
    ['Ignored', ignoredWords(result)],
    ['Not checked', notCheckedWords(result.notChecked)],
  ] as const;
  return rows.flatMap(([title, text]) => (text === '' ? [] : [fact(title, text)]));
}
