import { drawingFrom } from '../../../src/base/chance.ts';
import type { SignatureFlaw } from '../../../src/lab/signing/zone-signing.ts';

/** A zone with its name servers, and all that is wrong with them. Where it stands and what it is called is for `copies.ts` to say. */
export interface FaultWorld {
  /** For failures: the seed that makes it again. */
  readonly seed: number;
  /** The name asked for, relative to the zone. What it has besides the last label are empty non-terminals. */
  readonly host: Host;
  readonly nameServers: readonly NameServerSpec[];
  /** Whether the zone and those above it are signed, and resolvers validate. Absent: they do not. */
  readonly signed?: true;
  /** What the name asked for is an alias of. Absent: it has an address. */
  readonly alias?: Alias;
  /** What is asked for. Absent: A. */
  readonly type?: 'A' | 'TXT';
  /** What stands at the servers that the zone itself names, in it, each with a name. Absent: it names those of the delegation. */
  readonly ownSet?: readonly AddressSpec[];
  /**
   * What users asked for before: the addresses of its name servers outside it; a name of another zone that those serve, too;
   * twenty other names of the zone; or its own NS records. Absent: nothing.
   */
  readonly before?: 'server names' | 'another zone' | 'twenty names' | 'own NS records';
  /** Absent: even. */
  readonly network?: Network;
}

/**
 * Whether replies take just as long as their server says, and none from registries; or a bit more or less, as elsewhere, so that
 * of two that take equally long either can be first.
 */
export type Network = 'even' | 'uneven';

/** "www", or that below other labels. */
export type Host = string;

/**
 * An alias. Its target is in the same zone, right below its apex, deeper, or below the alias's own parent, or in another zone on the same servers. `moved`:
 * fresh and stale states name targets of their own, which the other lacks; `kept`: they name the same one, whose address differs.
 * `loop`: in the stale state the target leads back, `itself`: there the name is an alias of itself.
 */
export interface Alias {
  readonly target: 'beside' | 'deeper' | 'same parent' | 'other zone';
  readonly stale: 'moved' | 'kept' | 'loop' | 'itself';
}

export interface NameServerSpec {
  /**
   * Where its name is, and so its addresses: in the zone (glue); in the parent zone; in another zone below the parent, which it
   * serves, and the parent has glue for that; in a zone elsewhere, without glue; or nowhere, so that it has none.
   */
  readonly addressesFrom: 'glue' | 'parent' | 'sibling' | 'elsewhere' | 'nowhere';
  readonly addresses: readonly AddressSpec[];
  /** Which of the other zones below the parent it is in; those in one zone all serve it. Absent: one of its own. */
  readonly siblingZone?: number;
  /** What the referral has as its addresses. Absent: those that it has. */
  readonly registered?: readonly AddressSpec[];
  /** How much later whoever knows its name (not the parent) replies to questions for it. */
  readonly nameLatencyMs?: number;
}

/** What stands at one address of a name server. */
export interface AddressSpec {
  /** Which of two states of the zone it has, or a third one whose answers rotate. */
  readonly version: Version;
  readonly latencyMs: number;
  /** Absent: IPv4. */
  readonly family?: 'IPv6';
  readonly trouble?: Trouble;
  /** Of all signatures of the zone there. Absent: they are valid. */
  readonly flaw?: SignatureFlaw;
}

export type Version = 'fresh' | 'stale' | 'rotating';

/** What a server does instead of answering. */
export interface Trouble {
  readonly kind: TroubleKind;
  readonly with: 'every question' | 'minimised questions' | 'the whole name';
}

/** The kinds of trouble of random worlds. */
const USUAL_TROUBLES = [
  'NXDOMAIN',
  'REFUSED',
  'SERVFAIL',
  'NOTIMP',
  'NOTIMP to type NS',
  'silence',
  'upward referral',
  'type TXT only',
  'nothing, without AA',
  'self referral',
  'SOA without AA',
  "another name's record",
  'closed port',
] as const;

/** Those, and what else resolvers take in different ways. */
export const TROUBLES = [
  ...USUAL_TROUBLES,
  'FORMERR',
  'NOTAUTH',
  'NXDOMAIN without SOA and AA',
  'sideways referral',
  'NODATA without SOA',
  "another name's record, without AA",
  'garbage',
  'truncation, also over TCP',
  'FORMERR to EDNS',
  'FORMERR with OPT to EDNS',
  'NOTIMP to EDNS',
  'SERVFAIL to EDNS',
  'silence to EDNS',
  'an address of three octets',
  'the question in lower case',
  'truncation',
  'truncation, TCP closed',
  'truncation, TCP silent',
  'truncation, TCP dropped',
  'BADVERS to EDNS',
  'YXDOMAIN',
  'NODATA',
  'NODATA without AA',
  'an alias',
] as const;

export type TroubleKind = (typeof TROUBLES)[number];

/** Knot Resolver takes a server that replies in less than a millisecond for one that it does not know. */
const USUAL_MS = 10;

/**
 * A world that looks random but depends on the seed alone. Of seeds below 20,000 most servers fail, in the ways that most do; from
 * 10,000 on in an uneven network. Those below 30,000 have all kinds of servers, names and troubles; those above, resolvers besides
 * that were asked for the zone's own NS records before.
 */
export function randomFaultWorld(seed: number): FaultWorld {
  const series = Math.floor(seed / PER_SERIES);
  if (series < 2) return { ...usualWorld(seed), ...(series === 1 && { network: 'uneven' }) };
  return mixedWorld(seed, series > 2);
}

const PER_SERIES = 10_000;

/** Draws of one world. */
class Draws {
  readonly #draw: ReturnType<typeof drawingFrom>;

  constructor(seed: number) {
    this.#draw = drawingFrom(seed);
  }

  oneOf<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.#below(choices.length)] ?? choices[0];
  }

  inTen(tenths: number): boolean {
    return this.#below(10) < tenths;
  }

  #below(count: number): number {
    return Number(this.#draw(BigInt(count)));
  }
}

function usualWorld(seed: number): FaultWorld {
  const draws = new Draws(seed);
  const host: Host = draws.oneOf(['www', 'www.x', 'www.x.y', 'www.x.y']);
  // A kind of trouble comes to several servers of a zone more often than two kinds do.
  const usual = draws.oneOf(USUAL_TROUBLES);
  const trouble = (): Trouble | undefined => {
    if (!draws.inTen(6)) return undefined;
    const kind = draws.inTen(7) ? usual : draws.oneOf(USUAL_TROUBLES);
    if (kind === 'closed port' || host === 'www') return { kind, with: 'every question' };
    return { kind, with: scope(draws) };
  };
  const signed = seed % SIGNED_EVERY === 1;
  const flaw = () => (signed && draws.inTen(4) ? draws.oneOf(FLAWS) : undefined);
  const address = (): AddressSpec => {
    const wrong = trouble();
    const flawed = flaw();
    return {
      version: version(draws),
      latencyMs: draws.inTen(8) ? USUAL_MS : draws.oneOf(SLOW_MS),
      ...(wrong && { trouble: wrong }),
      ...(flawed && { flaw: flawed }),
    };
  };
  const nameServer = (): NameServerSpec => ({
    addressesFrom: draws.inTen(7) ? 'glue' : draws.oneOf(['elsewhere', 'elsewhere', 'elsewhere', 'nowhere']),
    addresses: Array.from({ length: draws.oneOf([1, 1, 2, 3]) }, address),
  });
  const nameServers = Array.from({ length: draws.oneOf([1, 2, 2, 2, 3, 4]) }, nameServer);
  return { seed, host, nameServers, ...(signed && { signed }) };
}

function scope(draws: Draws): Trouble['with'] {
  return draws.oneOf(['every question', 'minimised questions', 'minimised questions', 'the whole name']);
}

function version(draws: Draws): Version {
  return draws.oneOf(['fresh', 'fresh', 'fresh', 'stale', 'stale', 'rotating']);
}

/** A world of so many is signed. */
const SIGNED_EVERY = 10;
const FLAWS = ['expired', 'missing', 'wrong-key'] as const;
const SLOW_MS = [60, 150, 600, 2300] as const;

/** One of so many worlds is in an even network. */
const EVEN_EVERY = 4;

function mixedWorld(seed: number, isWarm: boolean): FaultWorld {
  const draws = new Draws(seed);
  const host: Host = draws.oneOf(['www', 'www', 'www.x', 'www.x.y']);
  const isDual = draws.inTen(3);
  const network = seed % EVEN_EVERY === 0 ? 'even' : 'uneven';
  const usual = draws.oneOf(TROUBLES);
  // Who is asked for the zone's own NS records has to give them.
  const trouble = (tenths: number, givesSet: boolean): Trouble | undefined => {
    if (!draws.inTen(tenths)) return undefined;
    const kind = draws.inTen(6) ? usual : draws.oneOf(TROUBLES);
    const isOfServer = OF_SERVERS.some((one) => one === kind);
    const all = isOfServer || host === 'www' ? 'every question' : scope(draws);
    if (!givesSet || all !== 'every question') return { kind, with: all };
    return isOfServer ? undefined : { kind, with: 'the whole name' };
  };
  const address = (family?: 'IPv6', tenths = 3, givesSet = isWarm): AddressSpec => {
    const wrong = trouble(tenths, givesSet);
    const usualMs = network === 'even' ? USUAL_MS : 0;
    return {
      version: version(draws),
      latencyMs: draws.inTen(8) ? usualMs : draws.oneOf(SLOW_MS),
      ...(family && { family }),
      ...(wrong && { trouble: wrong }),
    };
  };
  const addresses = (): readonly AddressSpec[] => {
    if (!isDual) return Array.from({ length: draws.oneOf([1, 1, 1, 2, 3]) }, () => address());
    return draws.oneOf([[address()], [address('IPv6')], [address(), address('IPv6')]]);
  };
  const nameServer = (): NameServerSpec => {
    const addressesFrom = draws.oneOf(PLACES);
    const isOld = (addressesFrom === 'glue' || addressesFrom === 'sibling') && draws.inTen(3);
    const isLate = addressesFrom === 'elsewhere' && draws.inTen(3);
    const own = addresses();
    return {
      addressesFrom,
      addresses: own,
      ...(addressesFrom === 'sibling' && draws.inTen(5) && { siblingZone: 0 }),
      ...(isOld && { registered: own.map(({ family }) => address(family, 5)) }),
      ...(isLate && { nameLatencyMs: draws.oneOf([20, 60, 150]) }),
    };
  };
  const isAlias = draws.inTen(3);
  const alias: Alias = {
    target: draws.oneOf(['beside', 'deeper', 'same parent', 'other zone']),
    stale: draws.oneOf(['moved', 'kept', 'loop', 'itself']),
  };
  const ownSet = Array.from({ length: draws.oneOf([1, 1, 2, 3]) }, () => address(undefined, 3, false));
  return {
    seed,
    host,
    network,
    nameServers: Array.from({ length: draws.oneOf([1, 2, 2, 2, 3, 4]) }, nameServer),
    ...(isAlias && { alias }),
    ...(isWarm && { before: 'own NS records', ownSet }),
  };
}

/** Where name servers have their names. */
const PLACES = ['glue', 'glue', 'glue', 'parent', 'sibling', 'sibling', 'elsewhere', 'elsewhere'] as const;

/** Troubles that a server has with all questions. */
const OF_SERVERS = [
  'closed port',
  'FORMERR to EDNS',
  'FORMERR with OPT to EDNS',
  'NOTIMP to EDNS',
  'SERVFAIL to EDNS',
  'silence to EDNS',
  'BADVERS to EDNS',
  'truncation',
  'truncation, TCP closed',
  'truncation, TCP silent',
  'truncation, TCP dropped',
  'the question in lower case',
] as const satisfies readonly TroubleKind[];

/** Whether it has addresses of IPv6: else resolvers have none, and do not look for those of servers. */
export function isDual({ nameServers, ownSet = [] }: FaultWorld): boolean {
  return addressesIn({ nameServers, ownSet }).some(({ family }) => family === 'IPv6');
}

/** All addresses at which something stands. */
export function addressesIn({
  nameServers,
  ownSet = [],
}: Pick<FaultWorld, 'nameServers' | 'ownSet'>): readonly AddressSpec[] {
  return [
    ...nameServers.flatMap(({ addresses, registered = [] }) => [...addresses, ...registered]),
    ...ownSet,
  ];
}

/** In words, for the names of assertions. */
export function worldText({
  seed,
  host,
  nameServers,
  signed,
  network,
  alias,
  ownSet,
  before,
}: FaultWorld): string {
  const atEach = (all: readonly AddressSpec[]) => all.map(addressText).join(' | ');
  const servers = nameServers.map(({ addressesFrom, addresses, registered, siblingZone, nameLatencyMs }) => {
    const old = registered === undefined ? '' : `, registered: ${atEach(registered)}`;
    const name = nameLatencyMs === undefined ? '' : `, name ${nameLatencyMs} ms`;
    return `${addressesFrom}${siblingZone ?? ''} (${atEach(addresses)}${old}${name})`;
  });
  const kinds = [
    ...(network === 'uneven' ? ['uneven'] : []),
    ...(signed ? ['signed'] : []),
    ...(alias ? [`alias ${alias.target} ${alias.stale}`] : []),
    ...(before ? [`after ${before}`] : []),
    ...(ownSet ? [`own set (${atEach(ownSet)})`] : []),
  ];
  return `${[...kinds, 'world'].join(', ')} ${seed}: ${host} at ${servers.join('; ')}`;
}

function addressText({ version, latencyMs, family, trouble, flaw }: AddressSpec): string {
  const slow = latencyMs === USUAL_MS || latencyMs === 0 ? [] : [`${latencyMs} ms`];
  const wrong = trouble === undefined ? [] : [`${trouble.kind} to ${trouble.with}`];
  const flawed = flaw === undefined ? [] : [`signatures ${flaw}`];
  return [...(family ? [family] : []), version, ...slow, ...wrong, ...flawed].join(', ');
}
