import t from 'tap';
import { connectToStore } from '../../../../src/service/store/connection/connect.ts';
import type { StoreAddress } from '../../../../src/service/store/connection/store-url.ts';
import { bulk, startFakeRedis } from '../fake-redis.ts';
import { startRedis } from '../redis-server.ts';

t.test('a store that may forget is taken, with a warning for each reason', async (t) => {
  const rows: readonly (readonly [readonly string[], readonly string[]])[] = [
    [[], []],
    [
      ['--appendfsync', 'everysec'],
      ['may forget the last jobs when its host fails (appendfsync everysec): set "appendfsync always"'],
    ],
    [
      ['--appendonly', 'no', '--maxmemory-policy', 'allkeys-lru'],
      [
        'may forget accepted jobs when it restarts: set "appendonly yes"',
        'may drop jobs when its memory is full (allkeys-lru): set "maxmemory-policy noeviction"',
      ],
    ],
  ];
  for (const [settings, warnings] of rows) {
    const { address, port } = await startRedis(t, { settings });
    t.strictSame(
      await warningsOf(address),
      warnings.map((each) => `the store at 127.0.0.1:${port} ${each}`),
      settings.join(' '),
    );
  }
});

t.test('a user who may not see the settings is told what to look at', async (t) => {
  const rules = 'on >secret ~svc:* &svc:* +@all -config';
  const { address, port } = await startRedis(t, { settings: ['--user', 'svc', ...rules.split(' ')] });
  const credentials = { username: 'svc', password: 'secret' };
  t.strictSame(await warningsOf({ ...address, credentials }), [
    `the store at 127.0.0.1:${port} does not tell when it writes to disk: see that "appendfsync always" is set`,
  ]);
});

t.test('a server that takes no writes is refused', async (t) => {
  const rows: readonly (readonly [readonly string[], string])[] = [
    [['--replicaof', '127.0.0.1', '1'], 'is a read-only replica: name the server that it copies'],
    [['--maxmemory', '1'], 'is out of memory'],
    [
      ['--user', 'default', 'on', 'nopass', '~other:*', '&*', '+@all'],
      'does not permit this user what the service needs: all commands on keys and channels svc:*',
    ],
    [
      ['--cluster-enabled', 'yes'],
      'is part of a cluster, which cannot be used: name a server that has all keys',
    ],
  ];
  for (const [settings, reason] of rows) {
    const { address, port } = await startRedis(t, { settings });
    t.equal(await reasonOf(address), `the store at 127.0.0.1:${port} ${reason}`, settings.join(' '));
  }
});

t.test('versions', async (t) => {
  const rows = [
    ['6.0.16', 'has version 6.0.16: 6.2 or later is needed'],
    ['5.0.14', 'has version 5.0.14: 6.2 or later is needed'],
    ['6.2.0', undefined],
    ['7.2.4', undefined],
    ['10.0.0', undefined],
  ] as const;
  for (const [version, reason] of rows) {
    const info = `redis_version:${version}\r\naof_enabled:0\r\nmaxmemory_policy:noeviction`;
    const address = await startFakeRedis(t, (command) => (command === 'info' ? bulk(info) : '+OK'));
    const expected = reason === undefined ? undefined : `the store at 127.0.0.1:${address.port} ${reason}`;
    t.equal(await reasonOf(address), expected, version);
  }
});

t.test('a server that repeats what it is sent cannot make a password known', async (t) => {
  const repeat = (command: string, args: readonly string[]) =>
    `-ERR unknown command '${command}', with args beginning with: ${args.map((one) => `'${one}'`).join(' ')}`;
  const address = await startFakeRedis(t, repeat);
  const credentials = { username: 'jobs', password: 'secret' };
  t.equal(
    await reasonOf({ ...address, credentials }),
    `the store at 127.0.0.1:${address.port} says: ERR unknown command 'auth', with args beginning with: '***' '***'`,
  );
});

async function warningsOf(address: StoreAddress): Promise<readonly string[]> {
  const made = await connectToStore(address);
  if (made.kind === 'refused') throw new Error(made.reason);
  made.connection.close();
  return made.warnings;
}

/** Why a store is refused; undefined if it is not. */
async function reasonOf(address: StoreAddress): Promise<string | undefined> {
  const made = await connectToStore(address);
  if (made.kind === 'refused') return made.reason;
  made.connection.close();
  return undefined;
}
