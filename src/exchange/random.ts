import { randomInt } from 'node:crypto';

/** Chance as a parameter: a whole number from 0 to `below` - 1, each as likely. */
export type Random = (below: number) => number;

/** Chance that nobody can foresee: it guards IDs, ports and the case of names (RFC 5452 4). */
export const systemRandom: Random = (below) => randomInt(below);

const LEAST = 1024;
const MOST = 65_535;

/**
 * A random port to send from, over all that need no privilege: the kernel would choose among 28,232
 * only (RFC 5452 9.2: from the largest range there is). Never the port asked: on loopback the socket
 * would talk to itself.
 */
export function randomSourcePort(random: Random, portAsked: number): number {
  const isInRange = portAsked >= LEAST && portAsked <= MOST;
  const port = LEAST + random(MOST - LEAST + (isInRange ? 0 : 1));
  return isInRange && port >= portAsked ? port + 1 : port;
}
