import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import t, { type Test } from 'tap';
import {
  connectToStore,
  type StoreConnected,
  type StoreConnection,
} from '../../../src/service/store/connection/connect.ts';
import {
  readStoreUrl,
  type StoreAddress,
  storeName,
} from '../../../src/service/store/connection/store-url.ts';
import { startRedis } from './redis-server.ts';

t.test('a store that forgets nothing is connected to without a word', async (t) => {
  const server = await startRedis(t);
  const { connection, warnings } = await connected(t, connectToStore(server.address));
  t.strictSame(warnings, []);
  t.strictSame(connection.state, { kind: 'ok' });
  t.equal(await connection.commands.set('svc:1:test', 'kept'), 'OK');
});

t.test('with a password and TLS', async (t) => {
  const server = await startRedis(t, { password: 'p@ss:%', transport: 'tls' });
  const { connection } = await connected(t, connectToStore(server.address, { ca: server.ca ?? '' }));
  t.equal(await connection.commands.ping(), 'PONG');
  const patient = connection.openPatient();
  t.equal(await patient.ping(), 'PONG');
});

t.test('what has ended before is not waited for once all is closed', async (t) => {
  const server = await startRedis(t);
  const waiting = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const before = waiting();
  const made = await connectToStore(server.address);
  if (made.kind !== 'connected') throw new Error(made.reason);
  const { connection } = made;
  const patient = connection.openPatient();
  // As BullMQ does.
  const copy = patient.duplicate();
  await Promise.all([patient.ping(), copy.ping()]);
  const copyEnded = once(copy, 'end');
  copy.disconnect();
  await copyEnded;
  const allEnded = Promise.all([once(connection.commands, 'end'), once(patient, 'end')]);
  connection.close();
  await allEnded;
  t.equal(waiting(), before);
});

t.test('stores that will not do, each in one line', async (t) => {
  const open = await startRedis(t);
  const shut = await startRedis(t, { password: 'secret', transport: 'tls' });
  const ca = shut.ca ?? '';
  const rows: readonly (readonly [string, Promise<StoreConnected>, string])[] = [
    ['nothing there', connectToStore(read('redis://127.0.0.1:1')), 'cannot be reached: connection refused'],
    ['no such name', connectToStore(read('redis://nowhere.invalid')), 'cannot be reached: no such host'],
    [
      'no password given',
      connectToStore({ ...read(`rediss://127.0.0.1:${shut.port}`) }, { ca }),
      'wants a password',
    ],
    [
      'another password',
      connectToStore(read(`rediss://:wrong@127.0.0.1:${shut.port}`), { ca }),
      'does not accept this user and password',
    ],
    [
      'another issuer',
      connectToStore(shut.address),
      'has a certificate that nobody vouches for: name its issuer in NODE_EXTRA_CA_CERTS',
    ],
    [
      'TLS wanted',
      connectToStore({ ...shut.address, encrypted: false }),
      'broke the connection; if it wants TLS, write rediss:// or valkeys://',
    ],
    [
      'no TLS there',
      connectToStore({ ...open.address, encrypted: true }),
      'cannot be reached: no answer; if it does not speak TLS, write redis:// or valkey://',
    ],
    ['no such database', connectToStore({ ...open.address, db: 99 }), 'does not have that database'],
  ];
  for (const [name, connecting, reason] of rows) {
    const made = await connecting;
    t.equal(made.kind, 'refused', name);
    if (made.kind === 'refused')
      t.match(made.reason, new RegExp(`^the store at \\S+ ${escaped(reason)}$`), name);
    else made.connection.close();
  }
});

t.test('while the store is away commands fail at once, and patient ones wait for it', async (t) => {
  const server = await startRedis(t);
  const { connection } = await connected(t, connectToStore(server.address));
  const patient = connection.openPatient();
  await patient.set('svc:1:test', 'kept');
  const lost = until(connection, 'degraded');
  await server.kill();
  t.match(await lost, { reason: /^the store at 127\.0\.0\.1:\d+ cannot be reached/ });
  await t.rejects(connection.commands.get('svc:1:test'));
  const later = patient.get('svc:1:test');
  const back = until(connection, 'ok');
  await server.start();
  t.equal(await later, 'kept');
  await back;
  t.equal(await connection.commands.get('svc:1:test'), 'kept');
});

t.test('a store that hangs, is full or becomes a replica is degraded until it no longer is', async (t) => {
  const server = await startRedis(t);
  const { connection } = await connected(t, connectToStore(server.address));
  const { commands } = connection;
  const rows: readonly (readonly [() => unknown, string, string, () => unknown])[] = [
    [() => server.signal('SIGSTOP'), 'unreachable', 'does not answer', () => server.signal('SIGCONT')],
    [
      () => commands.config('SET', 'maxmemory', '1'),
      'out-of-memory',
      'is out of memory',
      () => commands.config('SET', 'maxmemory', '0'),
    ],
    [
      () => commands.replicaof('127.0.0.1', 1),
      'read-only',
      'is a read-only replica: name the server that it copies',
      // A server that refuses to write is asked over a new connection the next time.
      async () => await connection.openPatient().replicaof('NO', 'ONE'),
    ],
  ];
  for (const [ail, why, reason, cure] of rows) {
    const lost = until(connection, 'degraded');
    await ail();
    t.strictSame(await lost, {
      kind: 'degraded',
      why,
      reason: `the store at 127.0.0.1:${server.port} ${reason}`,
    });
    const back = until(connection, 'ok');
    await cure();
    await back;
  }
});

t.test('what a connection costs is counted', async (t) => {
  const server = await startRedis(t);
  const { connection } = await connected(t, connectToStore(server.address));
  const before = connection.traffic;
  await connection.commands.set('svc:1:test', 'x'.repeat(10_000));
  await connection.commands.get('svc:1:test');
  const after = connection.traffic;
  t.ok(after.commands >= before.commands + 2);
  t.ok(after.octetsSent >= before.octetsSent + 10_000);
  t.ok(after.octetsReceived >= before.octetsReceived + 10_000);
  const lost = until(connection, 'degraded');
  await server.kill();
  await lost;
  t.ok(connection.traffic.octetsReceived >= after.octetsReceived, 'also after it was lost');
});

async function connected(t: Pick<Tap, 'teardown'>, connecting: Promise<StoreConnected>) {
  const made = await connecting;
  if (made.kind === 'refused') throw new Error(made.reason);
  t.teardown(() => made.connection.close());
  return made;
}

type Tap = typeof t;

/** The next state of that kind. */
async function until(connection: StoreConnection, kind: 'ok' | 'degraded') {
  if (connection.state.kind === kind) return connection.state;
  return await new Promise((resolve) => {
    const stop = connection.onState((state) => {
      if (state.kind !== kind) return;
      stop();
      resolve(state);
    });
  });
}

function read(url: string): StoreAddress {
  const made = readStoreUrl(url);
  if (made.kind === 'invalid') throw new Error(made.reason);
  return made.address;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

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

const PLAIN = { port: 6_379, db: 0, encrypted: false };

t.test('addresses of stores', async (t) => {
  const rows = [
    ['redis://store.example', { ...PLAIN, host: 'store.example' }],
    ['valkey://store.example/', { ...PLAIN, host: 'store.example' }],
    ['rediss://192.0.2.1:6380/3', { host: '192.0.2.1', port: 6_380, db: 3, encrypted: true }],
    ['valkeys://[2001:db8::1]', { ...PLAIN, host: '2001:db8::1', encrypted: true }],
    ['redis://:p%40ss%25@h', { ...PLAIN, host: 'h', credentials: { password: 'p@ss%' } }],
    ['redis://me:pass@h', { ...PLAIN, host: 'h', credentials: { username: 'me', password: 'pass' } }],
  ] as const;
  for (const [text, address] of rows) t.strictSame(readStoreUrl(text), { kind: 'address', address }, text);
});

t.test('what is wrong with others, without a word of them', async (t) => {
  const rows = [
    ['store.example', 'must be redis[s]://[USER:PASSWORD@]HOST[:PORT][/DB]'],
    ['', 'must be redis[s]://[USER:PASSWORD@]HOST[:PORT][/DB]'],
    ['redis://h:99999', 'must be redis[s]://[USER:PASSWORD@]HOST[:PORT][/DB]'],
    ['http://h', 'must begin with redis://, rediss://, valkey:// or valkeys://'],
    ['redis://', 'names no host'],
    ['redis:/tmp/socket', 'names no host'],
    ['redis://h:0', 'names port 0'],
    ['redis://h/1?family=6', 'must end after the number of the database'],
    ['redis://h/jobs', 'must end with the number of a database, if with anything'],
    ['redis://me@h', 'has a user, but no password'],
    ['redis://:100%@h', 'has a % in its user or password that should be %25'],
  ] as const;
  for (const [text, reason] of rows) t.strictSame(readStoreUrl(text), { kind: 'invalid', reason }, text);
});

t.test('people read an address without credentials', async (t) => {
  const read = readStoreUrl('rediss://me:secret@[2001:db8::1]:7000/2');
  t.equal(read.kind === 'address' && storeName(read.address), '[2001:db8::1]:7000');
});

/** What a made-up server replies to a command, in its protocol, without the last line break. */
type Reply = (command: string, args: readonly string[]) => string;

/** A server that only looks like a store, gone when the test ends. */
async function startFakeRedis(t: Pick<Test, 'teardown'>, reply: Reply): Promise<StoreAddress> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
    socket.on('data', (data) => {
      for (const [command = '', ...args] of commandsIn(data.toString())) {
        socket.write(`${reply(command.toLowerCase(), args)}\r\n`);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no address');
  return { host: '127.0.0.1', port: address.port, db: 0, encrypted: false };
}

/** A text as a reply. */
function bulk(text: string): string {
  return `$${Buffer.byteLength(text)}\r\n${text}`;
}

/** Commands, each a list of its words: "*2", "$4", "INFO", "$6", "server". None has a line break in it, and none is cut in two. */
function commandsIn(data: string): readonly (readonly string[])[] {
  return data
    .split(/^\*\d+\r\n/m)
    .filter((command) => command !== '')
    .map((command) => command.split('\r\n').filter((_line, index) => index % 2 === 1));
}
