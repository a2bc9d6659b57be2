import { questionKey } from '../../dns/message.ts';
import { isAtOrBelow, labelCount, type Name, ROOT } from '../../dns/name.ts';
import type { ExchangeRow, ExchangeSecurity } from '../../document/exchanges.ts';
import type { TraversalResult } from '../../document/result.ts';
import type { StepRow } from '../../document/steps.ts';
import { END_TERMS, securityWords } from '../../document/words/end-words.ts';
import { firstOfEach, grouped, listed } from '../../document/words/lists.ts';
import { plain } from '../../document/words/names.ts';
import { count } from '../../document/words/quantities.ts';
import { insecurityWords, reasonedWords } from '../../document/words/security-words.ts';
import { isUsable } from '../../explore/meaning.ts';
import {
  addressesAt,
  ChainEvidence,
  type ChainLine,
  dataLines,
  dsLines,
  dsWords,
  type Judged,
  keyLines,
} from './chain-replies.ts';
import type { Effect } from './effects.ts';
import { proofWords } from './users.ts';

/**
 * The chain of trust from the trust anchors to what was asked, and on to the targets of aliases: svc-model(7), VALIDATING.
 * The verdicts are those of the validating view; nothing is verified here. Empty without that view.
 */
export function chainOf(result: TraversalResult): readonly ChainLink[] {
  if (result.views.validating === undefined) return [];
  const evidence = new ChainEvidence(result);
  const parts = grouped(evidence.steps, ({ question }) => questionKey(question));
  const links = parts.flatMap((steps) => linksOf(steps, evidence));
  // An alias shares the zones above with its target.
  return toldOnce(firstOfEach(links, ({ zone, record }) => `${zone} ${record}`));
}

/** Leaves out the reason for "insecure" where a link above has given it. */
function toldOnce(links: readonly ChainLink[]): readonly ChainLink[] {
  const told = new Set<string>();
  return links.map((link) => {
    const sides = link.sides.map((side) =>
      side.effect === 'denies' && told.has(side.reason) ? { ...side, reason: '' } : side,
    );
    for (const { reason } of sides) told.add(reason);
    return { ...link, sides };
  });
}

/** One statement in the chain, such as the keys of a zone: the versions that servers return, and the verdicts on them. */
export interface ChainLink {
  /** The owner of what is stated. */
  readonly zone: Name;
  /** "anchor", "DNSKEY", "DS", or the type asked. */
  readonly record: string;
  /** More than one where servers differ. */
  readonly sides: readonly ChainSide[];
}

/** The version that all servers return, or some. */
export interface ChainSide {
  readonly lines: readonly ChainLine[];
  /** "secure", "insecure", "bogus", "secure or bogus", "not validated", or why there is no reply. */
  readonly verdict: string;
  /** Why it is not secure; else empty. */
  readonly reason: string;
  readonly effect: Effect;
  /** By name; with addresses if other addresses of the name return another version. Empty if all servers agree. */
  readonly servers: readonly string[];
  /** " at 2 of 4 addresses" of what is secure, where other addresses return another version; else empty. */
  readonly where: string;
  /** Codes of findings that tell more. */
  readonly codes: readonly string[];
}

type Steps = readonly [StepRow, ...StepRow[]];

/** The links for one question: zone by zone from the root down, then what was asked. */
function linksOf(steps: Steps, evidence: ChainEvidence): readonly ChainLink[] {
  const [{ question }] = steps;
  const zones = new Set([...steps.map(({ zone }) => zone), ...evidence.zonesAbove(question.name)]);
  const ofZones = [...zones]
    .sort((a, b) => labelCount(a) - labelCount(b))
    .flatMap((zone) => [
      ...(zone === ROOT
        ? [anchorLink(evidence)]
        : linkOf(zone, 'DS', dsSaid(zone, steps, evidence), evidence)),
      ...linkOf(zone, 'DNSKEY', keysSaid(zone, evidence), evidence),
    ]);
  return [...ofZones, ...linkOf(question.name, question.type, finallySaid(steps, evidence), evidence)];
}

function anchorLink(evidence: ChainEvidence): ChainLink {
  const judged = evidence.judged('all');
  const anchors = evidence.anchors();
  const signers = anchors.filter(({ type }) => type === 'DS').map(({ data }) => data);
  const answer = anchors.map((anchor) => ({ ...anchor, name: ROOT, ttl: 0 }));
  const lines = [
    ...signers.flatMap(dsWords(judged.keysOf(ROOT))).map((what) => ({ what })),
    ...keyLines({ answer }, ROOT, judged),
  ];
  const side = {
    lines,
    verdict: '',
    reason: '',
    effect: 'leads-on',
    servers: [],
    where: '',
    codes: [],
  } as const;
  return { zone: ROOT, record: 'anchor', sides: [side] };
}

/** A reply of a server, and its content in words. */
interface Said {
  readonly exchange: ExchangeRow;
  readonly lines: (judged: Judged) => readonly ChainLine[];
}

/** What the servers of a zone say of its keys. */
function keysSaid(zone: Name, evidence: ChainEvidence): readonly Said[] {
  return evidence.about(zone, 'DNSKEY').map((exchange) => ({
    exchange,
    lines: (judged) => keyLines(exchange, zone, judged),
  }));
}

/** What the servers of the parent say of a zone's DS records: in referrals, or if asked. */
function dsSaid(zone: Name, steps: Steps, evidence: ChainEvidence): readonly Said[] {
  const { index } = evidence;
  const referrals = steps.flatMap(addressesAt).flatMap((row) => {
    const next = row.class === 'referral' ? index.next(row.leadsTo) : undefined;
    return (next?.kind === 'step' && next.step.zone === zone ? index.exchange(row) : undefined) ?? [];
  });
  const asked = evidence.about(zone, 'DS');
  // A referral without proof says nothing if the question for the DS records does.
  const isTelling = (row: ExchangeRow) => dsLines(row, zone, evidence.judged('all')) !== undefined;
  const telling = asked.length === 0 ? referrals : referrals.filter(isTelling);
  return [...telling, ...asked].map((exchange) => ({
    exchange,
    lines: (judged) => dsLines(exchange, zone, judged) ?? [{ what: 'none' }],
  }));
}

/** The answers and denials in the end. */
function finallySaid(steps: Steps, { index }: ChainEvidence): readonly Said[] {
  return steps.flatMap(addressesAt).flatMap((row): readonly Said[] => {
    const exchange = index.exchange(row);
    const { class: found } = row;
    if (exchange === undefined || found === undefined || !isUsable(found) || found === 'referral') return [];
    const denied = found === 'nxdomain' || found === 'nodata' ? [{ what: END_TERMS[found] }] : [];
    return [{ exchange, lines: (judged) => [...denied, ...dataLines(exchange, judged)] }];
  });
}

/** The link for these replies, each version once; none if nobody was asked. */
function linkOf(
  zone: Name,
  record: string,
  all: readonly Said[],
  evidence: ChainEvidence,
): readonly ChainLink[] {
  const said = firstOfEach(all, ({ exchange }) => exchange.id)
    .map((one) => worded(one, zone, evidence))
    .sort((a, b) => compareTexts(serverOf(a), serverOf(b)));
  const groups = grouped(said, ({ lines, verdict, reason }) => JSON.stringify([lines, verdict, reason]));
  const isSplit = groups.length > 1;
  const sides = groups.map((same): ChainSide => {
    const [{ lines, verdict, reason, effect }] = same;
    const exchanges = same.map(({ exchange }) => exchange);
    const isGood = effect === 'leads-on';
    const where =
      isGood && isSplit ? ` at ${same.length} of ${count(said.length, 'address', 'addresses')}` : '';
    const codes = isGood && !isSplit ? [] : evidence.codes(exchanges, isGood ? 'causes' : 'all');
    return {
      lines,
      verdict,
      reason,
      effect,
      servers: isSplit ? serversOf(same, said) : [],
      where,
      codes,
    };
  });
  return sides.length === 0 ? [] : [{ zone, record, sides }];
}

type Worded = Pick<ChainSide, 'lines' | 'verdict' | 'reason' | 'effect'> & Pick<Said, 'exchange'>;

function worded({ exchange, lines }: Said, zone: Name, evidence: ChainEvidence): Worded {
  const { security, failure, rcode = '' } = exchange;
  if (failure !== undefined || !MEANT.has(rcode)) {
    const verdict = failure === undefined ? rcode : END_TERMS[failure];
    return { exchange, lines: [], verdict, reason: '', effect: 'unknown' };
  }
  const { verdict, reason = whyInsecure(security) } = securityWords(security, zone) ?? {
    verdict: 'not validated',
  };
  const judged = evidence.judged(isEverSecure(security) ? 'valid' : 'all');
  return { exchange, lines: lines(judged), verdict, reason, effect: effectOf(security) };
}

/** Whether the reply validates at least for paths that learnt what it takes. */
function isEverSecure(security: ExchangeSecurity | undefined): boolean {
  return security?.status === 'secure' || (security?.status === 'bogus' && security.otherwise === 'secure');
}

/** Without the server, which differs between replies. */
function whyInsecure(security: ExchangeSecurity | undefined): string {
  if (security?.status !== 'insecure') return '';
  const { server: _, ...same } = security;
  return insecurityWords(same) ?? '';
}

/** Rcodes of replies that say something. */
const MEANT: ReadonlySet<string> = new Set(['NOERROR', 'NXDOMAIN']);

function effectOf(security: ExchangeSecurity | undefined): Effect {
  switch (security?.status) {
    case undefined:
    case 'unknown':
      return 'unknown';
    case 'secure':
      return 'leads-on';
    case 'insecure':
      return 'denies';
    case 'bogus':
      return security.otherwise === undefined ? 'fails' : 'differs';
  }
}

/** Servers in an order that does not depend on who answered first. */
function compareTexts(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function serverOf({ exchange: { server } }: Worded): string {
  return `${nameOf(server)} ${server.address}`;
}

function nameOf({ names, address }: ExchangeRow['server']): string {
  return names[0] ?? address;
}

/** These servers by name, with their addresses where others of theirs said something else. */
function serversOf(these: readonly Worded[], all: readonly Worded[]): readonly string[] {
  return grouped(these, ({ exchange: { server } }) => nameOf(server)).map((own) => {
    const name = nameOf(own[0].exchange.server);
    const isWhole = all.filter(({ exchange }) => nameOf(exchange.server) === name).length === own.length;
    const addresses = own.map(({ exchange }) => exchange.server.address);
    return isWhole || name === addresses[0] ? name : `${name} (${addresses.join(', ')})`;
  });
}

/** The chain in a few words: whether it holds, or where it breaks or ends. */
export function chainVerdict(links: readonly ChainLink[]): Pick<ChainSide, 'effect' | 'verdict'> {
  for (const effect of ['fails', 'differs', 'denies'] as const) {
    const link = links.find(({ sides }) => sides.some((side) => side.effect === effect));
    if (link !== undefined) return { effect, verdict: placeWords(link, effect) };
  }
  // Where others reply, a server that is silent breaks nothing.
  const unknown = links.find(({ sides }) => sides.every(({ effect }) => effect === 'unknown'));
  return unknown === undefined
    ? { effect: 'ends-well', verdict: 'secure from the root on' }
    : { effect: 'unknown', verdict: placeWords(unknown, 'unknown') };
}

/** "bogus at DNSKEY of example.com, from ns2.example.com.: the signature has expired" */
function placeWords({ zone, record, sides }: ChainLink, effect: Effect): string {
  const these = sides.filter((side) => side.effect === effect);
  const servers = these.length === sides.length ? [] : these.flatMap((side) => side.servers);
  const from = servers.length === 0 ? '' : `, from ${listed(servers)}`;
  const [{ verdict, reason } = { verdict: '', reason: '' }] = these;
  // What is below an insecure delegation is insecure, too.
  const place =
    effect === 'denies' && record === 'DS' ? `from ${plain(zone)} on` : `at ${record} of ${plain(zone)}`;
  return reasonedWords({ verdict: `${verdict} ${place}${from}`, reason });
}

/** The chain in the boxes of zones, in lines: at each zone its DS records, its keys and what it answers, each version by itself. */
export function zoneSecurity(links: readonly ChainLink[]): ReadonlyMap<Name, readonly string[]> {
  const zones = links.filter(({ record }) => OF_ZONES.has(record)).map(({ zone }) => zone);
  const deepestFirst = zones.sort((a, b) => labelCount(b) - labelCount(a));
  const said = links.flatMap((link) => {
    const zone = OF_ZONES.has(link.record)
      ? link.zone
      : deepestFirst.find((one) => isAtOrBelow(link.zone, one));
    const lines = link.sides.slice(0, MOST_SIDES).flatMap((side) => sideLines(link, side));
    return zone === undefined ? [] : [{ zone, lines }];
  });
  const inZones = grouped(said, ({ zone }) => zone);
  return new Map(inZones.map((alike) => [alike[0].zone, alike.flatMap(({ lines }) => lines)]));
}

/** Records about a zone itself, rather than data in it. */
const OF_ZONES: ReadonlySet<string> = new Set(['anchor', 'DS', 'DNSKEY']);

/** Versions of one statement, and lines of a version, that a box has room for. */
const [MOST_SIDES, MOST_LINES] = [3, 4];

/** "DNSKEY 61782 CSK ECDSAP256SHA256", "by 61782, 2026-09-01 to 2026-10-01", "from ns2.example.com.: bogus: the signature has expired" */
function sideLines({ record, sides }: ChainLink, side: ChainSide): readonly string[] {
  const { lines, servers, effect, where } = side;
  const [first = '', ...others] = lines.map(({ what }) => what).filter((what) => what !== '');
  const signatures = lines.flatMap(({ signature }) =>
    signature === undefined ? [] : `${signature.by}, ${signature.valid}`,
  );
  const from = servers.length === 0 ? '' : `from ${listed(servers, 1)}: `;
  return [
    ...shortList([`${record} ${first}`, ...others]),
    ...shortList([...new Set(signatures)]),
    ...(effect === 'leads-on' && sides.length === 1 ? [] : [`${from}${reasonedWords(side)}${where}`]),
  ];
}

function shortList(lines: readonly string[]): readonly string[] {
  const more = lines.length - MOST_LINES;
  return more > 1 ? [...lines.slice(0, MOST_LINES), `and ${more} more`] : lines;
}

/**
 * How well the data that users get are proven, and why not: "insecure (no DS for shop.example., as ns1.example. proves)".
 * Undefined where nobody gets anything that could be either.
 */
export function provenWords(result: TraversalResult): string | undefined {
  const proof = proofWords(result);
  const { outcomes = [] } = result.views.validating ?? {};
  const isInsecure = outcomes.some((end) => 'security' in end && end.security === 'insecure');
  const reasons = proof !== undefined && isInsecure ? insecurities(result.exchanges) : '';
  return reasons === '' ? proof : `${proof} (${reasons})`;
}

/** The reasons at the zone cuts themselves, each once; what follows from them further down only where there are none. */
function insecurities(exchanges: TraversalResult['exchanges']): string {
  const insecure = exchanges.flatMap(({ security }) => (security?.status === 'insecure' ? [security] : []));
  const own = insecure.filter(({ reason }) => reason !== 'unsigned-parent');
  const each = grouped(
    own.length > 0 ? own : insecure,
    ({ reason = '', zone = '' }) => `${reason} ${zone}`,
  ).flatMap(([first]) => insecurityWords(first) ?? []);
  const more = each.length - REASONS_SHOWN;
  return [...each.slice(0, REASONS_SHOWN), ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

const REASONS_SHOWN = 2;
