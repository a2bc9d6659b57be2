/**
 * What all keys of this program begin with, so that others can use the same store. The number is that of
 * the layout: instances that lay out their keys otherwise must not see each other's.
 */
export const STORE_PREFIX = 'svc:1';

/** A key: `svc:1:bucket:192.0.2.1`. */
export function storeKey(...parts: readonly string[]): string {
  return [STORE_PREFIX, ...parts].join(':');
}
