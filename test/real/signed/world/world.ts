import type { Lookup } from '../../cold-resolver.ts';
import { address, type NameServer } from '../../world/zone.ts';
import type { Denial, SigningAlgorithm, SigningTime } from '../signer.ts';

/**
 * What users get and with which probability, as an exact fraction: "secure answer 192.0.2.1", "insecure nxdomain",
 * "servfail: expired" with what most servers do wrong.
 */
export type Shares = Readonly<Record<string, string>>;

/** A question, and what svc-model(7), VALIDATING says, worked out by hand. */
export interface Asked extends Lookup {
  readonly validating: Shares;
  /** Whether a resolver that tries no other server after a reply that does not validate may fail. */
  readonly withoutRetry: 'the same' | 'may fail';
}

/** One thing that is wrong with signed zones, or right with them. */
export interface World {
  readonly about: string;
  readonly zones: readonly SignedZone[];
  readonly asked: readonly Asked[];
}

/** All picks end alike. */
export function surely(name: string, type: string, what: string): Asked {
  return { name, type, validating: { [what]: '1' }, withoutRetry: 'the same' };
}

/** A resolver that retries gets one thing for sure; one that does not may fail. */
export function tryingOn(name: string, type: string, what: string): Asked {
  return { name, type, validating: { [what]: '1' }, withoutRetry: 'may fail' };
}

/** How a zone is signed: the tool, the algorithm and the denial. */
export type Signed = readonly [tool: Tool, algorithm: SigningAlgorithm, denial: Denial];

export const nsec: Denial = { kind: 'nsec' };

/** NSEC3 as RFC 9276 wants it, unless something else is said. */
export function nsec3(iterations = 0, optOut = false): Denial {
  return { kind: 'nsec3', iterations, optOut };
}

/** What all these zones have. */
const usualLines = `
  www CNAME web
  web A 192.0.2.1
  other A 192.0.2.2
  *.wild A 192.0.2.3
  *.alias CNAME web
  deep.ent A 192.0.2.4`;

/** A zone with the usual records, or others, whose parent has its DS, unless something else is said. */
export function zoneOf(
  origin: string,
  [tool, algorithm, denial]: Signed,
  copies: readonly Copy[],
  { delegated = 'own', lines = usualLines }: Partial<Pick<SignedZone, 'delegated' | 'lines'>> = {},
): SignedZone {
  return { origin, tool, algorithm, denial, copies, delegated, lines };
}

/** Whose tools make a zone's keys and sign it. */
export type Tool = 'BIND' | 'Knot' | 'PowerDNS';

/** Changes a zone's records, each on a line, all names in full. */
export type Edit = (lines: readonly string[]) => readonly string[];

/**
 * What the parent says of a zone's keys: a DS of its own, of its own and of its other keys, of the others only
 * (which no server has, or one), with an algorithm or a digest that nobody knows, or nothing.
 */
export type Delegated =
  | 'own'
  | 'own and other'
  | 'own and unknown digest'
  | 'other'
  | 'unknown algorithm'
  | 'nothing';

/** The zone as one of its servers has it. */
export interface Copy {
  readonly host: Host;
  /** With which keys and when; `unsigned`: not at all. */
  readonly signed: { readonly keys: 'own' | 'other'; readonly time: SigningTime } | 'unsigned';
  /** Before it is signed; absent: nothing is changed. */
  readonly before?: Edit;
  /** After it was signed; absent: nothing is changed. */
  readonly after?: Edit;
}

/** A zone, and what is wrong with it. Its servers are ns1, ns2 and so on, in the order of its copies. */
export interface SignedZone {
  readonly origin: string;
  readonly tool: Tool;
  readonly algorithm: SigningAlgorithm;
  readonly denial: Denial;
  readonly delegated: Delegated;
  /** Records besides SOA, NS and what its servers and those of delegated zones need, relative to the origin. */
  readonly lines: string;
  readonly copies: readonly Copy[];
}

/** As the zone should be. */
export function whole(host: Host): Copy {
  return { host, signed: { keys: 'own', time: 'now' } };
}

/** What is wrong with a copy. */
export function broken(host: Host, fault: Omit<Partial<Copy>, 'host'>): Copy {
  return { ...whole(host), ...fault };
}

/** The servers of the signed hierarchy, which runs when the other does not. */
export const hosts = {
  rootBind: { software: 'bind', address: address.rootBind },
  rootNsd: { software: 'nsd', address: address.rootNsd },
  testKnot: { software: 'knot', address: address.testKnot },
  testPowerdns: { software: 'powerdns', address: address.testPowerdns },
  exampleNsd: { software: 'nsd', address: address.exampleNsd },
  exampleBind: { software: 'bind', address: address.exampleBind },
  nsd: { software: 'nsd', address: address.nsd },
  knot: { software: 'knot', address: address.knot },
  powerdns: { software: 'powerdns', address: address.powerdns },
  bind: { software: 'bind', address: address.bind },
} as const satisfies Readonly<Record<string, Omit<NameServer, 'zones'>>>;

/** One of them. */
export type Host = keyof typeof hosts;
