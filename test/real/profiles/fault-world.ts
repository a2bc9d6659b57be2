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
  /** What stands at the only server that the zone itself names, in it. Absent: it names those of the delegation. */
  readonly ownSet?: AddressSpec;
  /**
   * What users asked for before: the addresses of its name servers outside it; a name of another zone that those serve, too;
   * twenty other names of the zone; or its own NS records. Absent: nothing.
   */
  readonly before?: 'server names' | 'another zone' | 'twenty names' | 'own NS records';
}

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

/** A world that looks random but depends on the seed alone. */
export function randomFaultWorld(seed: number): FaultWorld {
  const draw = drawingFrom(seed);
  const below = (count: number) => Number(draw(BigInt(count)));
  const oneOf = <T>(choices: readonly [T, ...T[]]): T => choices[below(choices.length)] ?? choices[0];
  const inTen = (tenths: number) => below(10) < tenths;

  const host: Host = oneOf(['www', 'www.x', 'www.x.y', 'www.x.y']);
  // A kind of trouble comes to several servers of a zone more often than two kinds do.
  const usual = oneOf(USUAL_TROUBLES);
  const trouble = (): Trouble | undefined => {
    if (!inTen(6)) return undefined;
    const kind = inTen(7) ? usual : oneOf(USUAL_TROUBLES);
    if (kind === 'closed port' || host === 'www') return { kind, with: 'every question' };
    return {
      kind,
      with: oneOf(['every question', 'minimised questions', 'minimised questions', 'the whole name']),
    };
  };
  const signed = seed % SIGNED_EVERY === 1;
  const flaw = () => (signed && inTen(4) ? oneOf(FLAWS) : undefined);
  const address = (): AddressSpec => {
    const wrong = trouble();
    const flawed = flaw();
    return {
      version: oneOf<Version>(['fresh', 'fresh', 'fresh', 'stale', 'stale', 'rotating']),
      latencyMs: inTen(8) ? USUAL_MS : oneOf([60, 150, 600, 2300]),
      ...(wrong && { trouble: wrong }),
      ...(flawed && { flaw: flawed }),
    };
  };
  const nameServer = (): NameServerSpec => ({
    addressesFrom: inTen(7) ? 'glue' : oneOf(['elsewhere', 'elsewhere', 'elsewhere', 'nowhere']),
    addresses: Array.from({ length: oneOf([1, 1, 2, 3]) }, address),
  });
  const nameServers = Array.from({ length: oneOf([1, 2, 2, 2, 3, 4]) }, nameServer);
  return { seed, host, nameServers, ...(signed && { signed }) };
}

/** A world of so many is signed. */
const SIGNED_EVERY = 10;
const FLAWS = ['expired', 'missing', 'wrong-key'] as const;

/** In words, for the names of assertions. */
export function worldText({ seed, host, nameServers, signed }: FaultWorld): string {
  const servers = nameServers.map(({ addressesFrom, addresses }) => {
    const each = addresses.map(({ version, latencyMs, trouble, flaw }) => {
      const slow = latencyMs === USUAL_MS ? [] : [`${latencyMs} ms`];
      const wrong = trouble === undefined ? [] : [`${trouble.kind} to ${trouble.with}`];
      const flawed = flaw === undefined ? [] : [`signatures ${flaw}`];
      return [version, ...slow, ...wrong, ...flawed].join(', ');
    });
    return `${addressesFrom} (${each.join(' | ')})`;
  });
  return `${signed ? 'signed ' : ''}world ${seed}: ${host} at ${servers.join('; ')}`;
}
