import type { Test } from 'tap';
import { connectToStore, type StoreConnection } from '../../../src/service/store/connection/connect.ts';
import type { RedisServer } from './redis-server.ts';

/** A connection to a server that works, closed when the test ends. */
export async function connected(
  t: Pick<Test, 'teardown'>,
  { address, ca }: Pick<RedisServer, 'address' | 'ca'>,
): Promise<StoreConnection> {
  const made = await connectToStore(address, ca === undefined ? {} : { ca });
  if (made.kind === 'refused') throw new Error(made.reason);
  t.teardown(() => made.connection.close());
  return made.connection;
}
