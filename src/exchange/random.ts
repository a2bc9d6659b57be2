import { randomInt } from 'node:crypto';

/** Chance as a parameter: a whole number from 0 to `below` - 1, each as likely. */
export type Random = (below: number) => number;

/** Chance that nobody can foresee: it guards IDs, ports and the case of names (RFC 5452 4). */
export const systemRandom: Random = (below) => randomInt(below);
