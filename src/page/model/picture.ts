/* The picture of a result: zones from the root down, and in each what its servers reply, a lane for each reply. */

import { type Question, questionKey } from '../../dns/message.ts';
import type { Name } from '../../dns/name.ts';
import type { ZoneRow } from '../../document/result.ts';
import { grouped, listed } from '../../document/words/lists.ts';
import { plain } from '../../document/words/names.ts';
import { count, percent, percentage, span } from '../../document/words/quantities.ts';
import { compare, type Fraction, ONE, readFraction, sum } from '../../evaluate/fraction.ts';
import { isFaulty, replyText } from '../../report/text/zone-rows.ts';
import type { Effect } from '../../report/views/effects.ts';
import { nameLookups } from '../../report/views/lookups.ts';
import { effectOfReply, replyWords, tookAt } from '../../report/views/picks.ts';
import { type ResultIndex, resultIndex } from '../../report/views/result-index.ts';
import { picksInOrder, type StepView } from '../../report/views/steps.ts';
import { proofWords } from '../../report/views/users.ts';
import type { Wording } from '../../report/views/wording.ts';
import type { Shown } from './shown.ts';
import { isContested } from './user-bars.ts';

/** The picture of a result. */
export interface Picture {
  /** The way to the name asked for, and to the target of each alias. */
  readonly ways: readonly Way[];
}

/** The zones that lead to one name, from the root down. */
export interface Way {
  readonly question: Question;
  /** "50 % of paths come here"; empty where all do. */
  readonly passing: string;
  readonly rows: readonly PictureRow[];
}

/** Where resolvers leave a zone for the addresses of its servers; a lookup that several zones need stands at the first. */
interface Branches {
  /** Those in which something fails. */
  readonly lookups: readonly PictureLookup[];
  /** The name servers whose addresses were looked up without trouble, with these. */
  readonly lookedUp: readonly string[];
}

/** The lookup of a name server's addresses. */
interface PictureLookup {
  readonly name: Name;
  /** "192.0.2.1 and 2001:db8::1", "no address" */
  readonly found: string;
  readonly zones: readonly PictureZone[];
}

/** A zone, or several in a row in which nothing is wrong. */
export type PictureRow =
  | { readonly kind: 'zone'; readonly zone: PictureZone }
  | { readonly kind: 'run'; readonly zones: readonly [PictureZone, ...PictureZone[]] };

/** A zone and what its servers reply. */
export interface PictureZone {
  readonly key: string;
  readonly zone: Name;
  /** "as delegated by ns1.example.", "50 % of paths come here" */
  readonly remark: string;
  /** "2 servers, 4 addresses" */
  readonly size: string;
  readonly lanes: readonly [Lane, ...Lane[]];
  readonly branches: Branches;
}

/** The servers of a zone that reply alike. */
export interface Lane {
  readonly effect: Effect;
  readonly reply: string;
  readonly servers: readonly PictureServer[];
  /** Their names, with the address where another address of the server replies something else. */
  readonly who: string;
  /** Whether one of them has an address that had to be looked up. */
  readonly leaves: boolean;
  readonly took: string;
  /** How often a resolver that comes to this zone picks one of them; empty where it cannot pick others. */
  readonly share: string;
}

/** One address of a name server; without it, a server that has none. */
export interface PictureServer {
  readonly zone: Name;
  readonly name: Name;
  readonly address: string | undefined;
}

/** Makes the picture of a result. */
export function pictureOf(shown: Shown): Picture {
  const { result } = shown;
  const index: ResultIndex = resultIndex(result);
  const lookups = nameLookups(index);
  const seen: Seen = { ...shown, lookups, isContested: isContested(shown), placed: new Set() };
  const ways = grouped(result.zones, ({ question = result.query }) => questionKey(question));
  return {
    ways: ways.map((zones) => ({
      question: zones[0].question ?? result.query,
      passing: passingWords(zones[0]),
      rows: rowsOf(zones, seen),
    })),
  };
}

/** What the rows of a picture are made of. */
interface Seen extends Shown {
  readonly lookups: ReturnType<typeof nameLookups>;
  /** Whether no answer of several can be called right. */
  readonly isContested: boolean;
  /** The names whose lookups have a place. */
  readonly placed: Set<Name>;
}

/** The lookups of servers with these names, and those that they need in turn. */
function branchesOf(servers: ZoneRow['servers'], { lookups, placed, wording }: Seen): Branches {
  const names = servers.map(({ name }) => name);
  const own: (typeof lookups)[number][] = [];
  for (const name of names) {
    const lookup = lookups.find((one) => one.name === name);
    if (lookup === undefined || placed.has(name)) continue;
    placed.add(name);
    own.push(lookup);
    names.push(...lookup.steps.flatMap(({ picks }) => picks.map((pick) => pick.name)));
  }
  const found = ({ views }: (typeof lookups)[number]) =>
    foundWords(views.flatMap(({ addresses }) => addresses));
  return {
    lookups: own
      .filter(({ trouble }) => trouble.length > 0)
      .map((one) => ({
        name: one.name,
        found: found(one),
        zones: one.trouble.map((step) => zoneOfStep(step, wording)),
      })),
    lookedUp: own
      .filter(({ trouble }) => trouble.length === 0)
      .map((one) => `${plain(one.name)} (${found(one)})`),
  };
}

const NO_BRANCHES: Branches = { lookups: [], lookedUp: [] };

function foundWords(addresses: readonly string[]): string {
  return addresses.length === 0 ? 'no address' : listed(addresses);
}

function rowsOf(zones: readonly ZoneRow[], seen: Seen): readonly PictureRow[] {
  const rows: PictureRow[] = [];
  for (const [at, row] of zones.entries()) {
    const passing = passingWords(row);
    const isAsBefore = passing === passingWords(zones[0] ?? row);
    const zone = zoneOfRow(row, `${at}`, isAsBefore ? '' : passing, seen);
    const isInOrder =
      !isFaulty(row, seen.result) &&
      zone.remark === '' &&
      zone.lanes.length === 1 &&
      zone.branches.lookups.length === 0;
    const last = rows.at(-1);
    if (!isInOrder) rows.push({ kind: 'zone', zone });
    else if (last?.kind !== 'run') rows.push({ kind: 'run', zones: [zone] });
    else rows.splice(-1, 1, { kind: 'run', zones: [...last.zones, zone] });
  }
  return rows;
}

/** What one server replied, whatever tells of it. */
interface Said extends PictureServer {
  readonly effect: Effect;
  readonly reply: string;
  readonly tookMs: number | undefined;
  /** Absent where a walk can come here several times. */
  readonly share?: Fraction;
}

function passingWords({ share }: ZoneRow): string {
  return share === undefined ? '' : `${percent(readFraction(share))} of paths come here`;
}

function zoneOfRow(row: ZoneRow, key: string, passing: string, seen: Seen): PictureZone {
  const { zone, remark = '', servers } = row;
  const { shorten } = seen.wording;
  const proof = proofWords(seen.result)?.split(' ')[0];
  const said = servers.map((server): Said => {
    const { name, address, answer } = server;
    const own = server.effect ?? (answer === undefined ? 'leads-on' : 'ends-well');
    const effect = own === 'ends-well' && seen.isContested ? 'differs' : own;
    const tookMs = server.elapsedMs ?? server.rttMs;
    const reply = replyText(server, { shorten, proof });
    return { zone, name, address, effect, reply, tookMs, share: readFraction(server.share) };
  });
  return {
    ...zoneWith(zone, key, [remark, passing].filter((words) => words !== '').join('; '), said, seen.lookups),
    branches: branchesOf(servers, seen),
  };
}

function zoneOfStep({ key, zone, remark, picks }: StepView, wording: Wording): PictureZone {
  const said = picksInOrder(picks).map((pick): Said => {
    const { name, address, reply } = pick;
    const words = replyWords(reply, wording.shorten);
    return { zone, name, address, effect: effectOfReply(reply), reply: words, tookMs: tookAt(pick) };
  });
  return zoneWith(zone, key, remark, said, []);
}

function zoneWith(
  zone: Name,
  key: string,
  remark: string,
  said: readonly Said[],
  lookups: Seen['lookups'],
): PictureZone {
  const groups = grouped(said, ({ effect, reply }) => `${effect} ${reply}`);
  const [first = emptyLane(zone), ...others] = groups
    .map((alike) => laneOf(alike, said, groups.length, lookups))
    .sort((a, b) => RANKS[a.effect] - RANKS[b.effect]);
  return { key, zone, remark, size: sizeWords(said), lanes: [first, ...others], branches: NO_BRANCHES };
}

/** The worst first. */
const RANKS: Readonly<Record<Effect, number>> = {
  fails: 0,
  unknown: 1,
  denies: 2,
  differs: 2,
  'ends-well': 3,
  'leads-on': 3,
};

function laneOf(
  alike: readonly [Said, ...Said[]],
  all: readonly Said[],
  lanes: number,
  lookups: Seen['lookups'],
): Lane {
  const [{ effect, reply }] = alike;
  const names = grouped(alike, ({ name }) => name);
  const isApart = (name: Name) => all.some((one) => one.name === name && !alike.includes(one));
  const whole = names.map((own) => {
    const addresses = own.flatMap(({ address }) => address ?? []);
    return isApart(own[0].name) ? `${plain(own[0].name)} (${listed(addresses)})` : plain(own[0].name);
  });
  const shares = alike.flatMap(({ share }) => share ?? []);
  const share = sum(shares);
  return {
    effect,
    reply,
    servers: alike,
    who: listed(whole, NAMED),
    leaves: names.some(([{ name }]) => lookups.some((lookup) => lookup.name === name)),
    took: span(alike.flatMap(({ tookMs }) => tookMs ?? [])),
    share: lanes === 1 || shares.length === 0 || compare(share, ONE) === 0 ? '' : percentage(share),
  };
}

/** The most servers of a lane that are named; its marks tell the names of all. */
const NAMED = 4;

/** A zone without any server. */
function emptyLane(zone: Name): Lane {
  const servers: readonly PictureServer[] = [];
  return {
    effect: 'fails',
    reply: `no server of ${plain(zone)}`,
    servers,
    who: '',
    leaves: false,
    took: '',
    share: '',
  };
}

function sizeWords(servers: readonly PictureServer[]): string {
  const names = new Set(servers.map(({ name }) => name)).size;
  const addresses = servers.filter(({ address }) => address !== undefined).length;
  return names === addresses
    ? count(names, 'server')
    : `${count(names, 'server')}, ${count(addresses, 'address', 'addresses')}`;
}
