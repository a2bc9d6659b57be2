import type { Lookup } from '../../resolvers/cold.ts';
import type { Denial, SigningAlgorithm } from '../signers/signer.ts';
import type { Copy, SignedZone, Tool } from './signed-zone.ts';

/**
 * What users get and with which probability, as an exact fraction: "secure answer 192.0.2.1", "insecure nxdomain",
 * "servfail: expired" with what most servers do wrong.
 */
export type Shares = Readonly<Record<string, string>>;

/** A question, and what both readings of svc-model(7), VALIDATING say, worked out by hand. */
export interface Asked extends Lookup {
  readonly validating: Shares;
  readonly firstTry: Shares;
}

/** One thing that is wrong with signed zones, or right with them. */
export interface World {
  readonly about: string;
  readonly zones: readonly SignedZone[];
  readonly asked: readonly Asked[];
}

/** Whether all picks end alike. */
export function surely(name: string, type: string, what: string): Asked {
  return { name, type, validating: { [what]: '1' }, firstTry: { [what]: '1' } };
}

/** A resolver that retries gets one thing for sure; one that does not may fail. */
export function tryingOn(name: string, type: string, validating: string, firstTry: Shares): Asked {
  return { name, type, validating: { [validating]: '1' }, firstTry };
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
