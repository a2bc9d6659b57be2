import { toBase64 } from '../encodings.ts';
import type { Name } from '../wire/name.ts';
import type { ZoneKey } from './zone-key.ts';

/**
 * A zone and the keys that validate its records: K in svc-model(7), VALIDATING. Only keys that count are in it.
 * `id` is equal exactly for equal keys of a zone.
 */
export interface Keys {
  readonly zone: Name;
  readonly keys: readonly ZoneKey[];
  readonly id: string;
}

export function keysOf(zone: Name, keys: readonly ZoneKey[]): Keys {
  const id = keys.map(({ rdata }) => toBase64(rdata)).join(' ');
  return { zone, keys, id: `${zone} ${id}` };
}
