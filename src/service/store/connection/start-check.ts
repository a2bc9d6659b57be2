import type { StoreClient } from './store-client.ts';
import { type StoreAddress, storeName } from './store-url.ts';

/** What was found when the service started. */
type StartCheck =
  | {
      readonly kind: 'usable';
      /** One line for each setting with which the store may forget what it has accepted. */
      readonly warnings: readonly string[];
    }
  | { readonly kind: 'unusable'; readonly reason: string };

/** The oldest version that has all the commands used. */
const OLDEST = [6, 2] as const;

/** Looks at the version and settings of a store that has accepted the connection. Rejects as the client does. */
export async function checkStore(client: StoreClient, address: StoreAddress): Promise<StartCheck> {
  const info = factsIn(await client.info());
  const about = `the store at ${storeName(address)}`;
  const version = info.get('redis_version') ?? 'unknown';
  if (isOlder(version)) {
    const unusable = `${about} has version ${version}: ${OLDEST.join('.')} or later is needed`;
    return { kind: 'unusable', reason: unusable };
  }
  if (info.get('cluster_enabled') === '1') {
    const reason = `${about} is part of a cluster, which cannot be used: name a server that has all keys`;
    return { kind: 'unusable', reason };
  }
  const forgets = [...lost(info), ...(await lostByPower(info, client))];
  return { kind: 'usable', warnings: forgets.map((each) => `${about} ${each}`) };
}

/** The lines `name:value` of the reply to INFO. */
function factsIn(text: string): ReadonlyMap<string, string> {
  return new Map(
    text
      .split('\r\n')
      .map((line) => line.split(':'))
      .map(([name = '', ...value]) => [name, value.join(':')] as const),
  );
}

function isOlder(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return !(major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]));
}

function lost(info: ReadonlyMap<string, string>): readonly string[] {
  const policy = info.get('maxmemory_policy');
  return [
    ...(info.get('aof_enabled') === '1'
      ? []
      : ['may forget accepted jobs when it restarts: set "appendonly yes"']),
    ...(policy === 'noeviction'
      ? []
      : [`may drop jobs when its memory is full (${policy}): set "maxmemory-policy noeviction"`]),
  ];
}

/** When what is appended reaches the disk. Only CONFIG tells, which hosted stores often forbid. */
async function lostByPower(
  info: ReadonlyMap<string, string>,
  client: StoreClient,
): Promise<readonly string[]> {
  if (info.get('aof_enabled') !== '1') return [];
  const policy = await client.config('GET', 'appendfsync').then(valueIn, () => undefined);
  if (policy === undefined)
    return ['does not tell when it writes to disk: see that "appendfsync always" is set'];
  if (policy === 'always') return [];
  return [`may forget the last jobs when its host fails (appendfsync ${policy}): set "appendfsync always"`];
}

function valueIn(reply: unknown): string | undefined {
  return Array.isArray(reply) && typeof reply[1] === 'string' ? reply[1] : undefined;
}
