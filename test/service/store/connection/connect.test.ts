import { once } from 'node:events';
import t from 'tap';
import {
  connectToStore,
  type StoreConnected,
  type StoreConnection,
} from '../../../../src/service/store/connection/connect.ts';
import { readStoreUrl, type StoreAddress } from '../../../../src/service/store/connection/store-url.ts';
import { startRedis } from '../redis-server.ts';

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
