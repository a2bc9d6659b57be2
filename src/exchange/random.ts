import { randomInt } from 'node:crypto';

/** Chance as a parameter: a whole number from 0 to `below` - 1, all equally likely. */
export type Random = (below: number) => number;

/** Unpredictable numbers, for IDs, ports and the case of names (RFC 5452 4). */
export const systemRandom: Random = (below) => randomInt(below);

const LEAST = 1024;
const MOST = 65_535;

/**
 * A random source port, out of all that need no privilege (RFC 5452 9.2: the largest possible range;
 * the kernel would choose among only 28,232). Never the port asked: on loopback the socket would talk
 * to itself.
 */
export function randomSourcePort(random: Random, portAsked: number): number {
  const isInRange = portAsked >= LEAST && portAsked <= MOST;
  const port = LEAST + random(MOST - LEAST + (isInRange ? 0 : 1));
  return isInRange && port >= portAsked ? port + 1 : port;
}
