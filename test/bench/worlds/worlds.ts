import { CLASSIC, MANY, SMALL } from './plain.ts';
import { ring } from './ring.ts';
import { wide } from './wide.ts';
import type { BenchWorld } from './world.ts';

/** The worlds of the measurements, as their figures name them. */
export const WORLDS = {
  small: SMALL,
  classic: CLASSIC,
  'classic-signed': { ...CLASSIC, isSigned: true },
  many: MANY,
  'wide-3-6': wide(3, 6),
  'wide-6-6': wide(6, 6),
  'wide-8-8': wide(8, 8),
  'wide-13-4': wide(13, 4),
  'wide-13-8': wide(13, 8),
  'wide-13-12': wide(13, 12),
  'ring-7-1': ring(7, 1),
  'ring-4-2': ring(4, 2),
  'ring-8-1': ring(8, 1),
  'ring-6-2': ring(6, 2),
} as const satisfies Record<string, BenchWorld>;

export type WorldName = keyof typeof WORLDS;

/** Whether there is a world of that name. */
export function isWorldName(text: string): text is WorldName {
  return Object.hasOwn(WORLDS, text);
}
