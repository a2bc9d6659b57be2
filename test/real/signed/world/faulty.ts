import { denials } from './faulty-denials.ts';
import { keys } from './faulty-keys.ts';
import { parents } from './faulty-parents.ts';
import { signatures } from './faulty-signatures.ts';
import type { World } from './world.ts';

/** Something is wrong with zones, mostly at one of two servers. */
export const faulty: readonly World[] = [...signatures, ...keys, ...denials, ...parents];
