import type { StoreClient } from './store-client.ts';

/** A script that a store runs as one indivisible command. */
export interface StoreScript<R> {
  /** Unique among all scripts: what the client's package knows it by. */
  readonly name: string;
  /** How many of its arguments are keys, which come first; `told`: before them is their number. */
  readonly keys: number | 'told';
  readonly lua: string;
  /** What strings in a reply are given as: text, or octets, which may be anything. Absent: text. */
  readonly strings?: 'text' | 'octets';
  /** What a reply means. Throws for a reply that the script cannot give. */
  readonly read: (reply: unknown) => R;
}

/** Runs a script. Its text is sent only if the store does not have it. Rejects like any command of the client. */
export async function runScript<R>(
  client: StoreClient,
  { name, keys, lua, strings = 'text', read }: StoreScript<R>,
  args: readonly (string | number | Buffer)[],
): Promise<R> {
  if (!(name in client)) client.defineCommand(name, keys === 'told' ? { lua } : { numberOfKeys: keys, lua });
  const run: unknown = Reflect.get(client, strings === 'text' ? name : `${name}Buffer`);
  if (typeof run !== 'function') throw new Error(`${name} is no script`);
  const reply: unknown = await run.apply(client, args);
  return read(reply);
}

/**
 * What all keys of this program begin with, so that others can use the same store. The number is that of
 * the layout: instances that lay out their keys otherwise must not see each other's.
 */
export const STORE_PREFIX = 'svc:1';

/** A key: `svc:1:bucket:192.0.2.1`. */
export function storeKey(...parts: readonly string[]): string {
  return [STORE_PREFIX, ...parts].join(':');
}
