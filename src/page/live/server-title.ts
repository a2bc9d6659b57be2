import { withAddress } from '../../reading/words/names.ts';
import type { LiveServer } from './live-zones.ts';

/** A server by its name and address. */
export function serverTitle({ name, address }: Pick<LiveServer, 'name' | 'address'>): string {
  return name === undefined ? address : withAddress({ name, address });
}
