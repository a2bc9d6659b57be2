import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import t, { type Test } from 'tap';
import { connectToDatabase } from '../../../src/service/store/database.ts';
import { Upkeep } from '../../../src/service/store/jobs/upkeep.ts';
import { ended, start } from '../../cli/svc.ts';
import { ask } from '../http-client.ts';
import { until } from '../jobs/every-kind.ts';
import { openLink } from '../link.ts';
import { startServe } from '../spawned.ts';
import { startInstance } from '../test-service.ts';
import { sharedPostgres, startPostgres, urlWith } from './postgres-server.ts';
import { mayMount, mountSmallDisk } from './small-disk.ts';

// They wait, for a server or for the program.
t.jobs = 3;

/** The name of the store in messages. */
function nameIn(url: string): string {
  const { host, pathname } = new URL(url);
  return `the store at ${host}${pathname}`;
}

async function connectedTo(t: Test, url: string) {
  const made = await connectToDatabase(url);
  if (made.kind !== 'connected') throw new Error(made.reason);
  t.teardown(() => made.database.close());
  return made;
}

/** What comes of a URL: why it is refused, or the state of the store. */
async function stateOf(t: Test, url: string): Promise<string> {
  const made = await connectToDatabase(url);
  if (made.kind !== 'connected') return `${made.kind}: ${made.reason}`;
  t.teardown(() => made.database.close());
  const { state } = made.database;
  return state.kind === 'ok' ? 'ok' : `degraded: ${state.why}: ${state.reason}`;
}

t.test('URLs', async (t) => {
  const rows = [
    ['', 'must begin with postgres:// or postgresql://'],
    ['redis://h', 'must begin with postgres:// or postgresql://'],
    ['postgres://', 'must name a user, a host and a database'],
    ['postgres://svc@h', 'must name a user, a host and a database'],
    ['postgres://h/jobs', 'must name a user, a host and a database'],
    ['postgres://svc@h/jobs/more', 'must name a user, a host and a database'],
    ['postgres://svc:100%@h/jobs', 'has a % that should be %25'],
    ['postgres://svc@h:0/jobs', 'names port 0'],
    ['postgres://svc@h:99999/jobs', 'must be postgres://'],
    ['postgres://svc@h/jobs?sslmode=no', 'must have an sslmode of'],
    [
      'postgres://svc@h/jobs?sslmode=verify-full&sslrootcert=/nowhere',
      'names an sslrootcert that cannot be read',
    ],
    [
      'postgres://svc@h/jobs?connect_timeout=3',
      'may end with the parameters host, sslmode, sslrootcert only',
    ],
    ['postgres://svc@h/jobs#a', 'may end with the parameters'],
  ] as const;
  for (const [url, reason] of rows) {
    const state = await stateOf(t, url);
    t.ok(state.startsWith(`invalid: ${reason}`), `${url}: ${state}`);
  }
});

t.test('a database that can be used', async (t) => {
  const postgres = await sharedPostgres();
  const url = await postgres.database();
  t.equal(await stateOf(t, url), 'ok', 'by its owner, who makes the tables');
  t.equal(await stateOf(t, url), 'ok', 'and another time');
  t.equal(await stateOf(t, url.replace('postgres:', 'postgresql:')), 'ok', 'by its other name');
});

t.test('instances that make the tables at the same time', async (t) => {
  const postgres = await sharedPostgres();
  for (let round = 0; round < 5; round += 1) {
    const url = await postgres.database();
    const states = await Promise.all(Array.from({ length: 8 }, () => stateOf(t, url)));
    t.same(new Set(states), new Set(['ok']));
  }
});

t.test('an instance waits for one that brings the tables up to date, however long that takes', async (t) => {
  const postgres = await sharedPostgres();
  const url = await postgres.database();
  const migrating = new pg.Client(url);
  t.teardown(() => migrating.end());
  await migrating.connect();
  await migrating.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
  const state = stateOf(t, url);
  // Longer than an instance waits for other locks.
  await delay(4_500);
  await migrating.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
  t.equal(await state, 'ok');
});

t.test('an instance that waits for that can be closed', async (t) => {
  const postgres = await sharedPostgres();
  const url = await postgres.database();
  const migrating = new pg.Client(url);
  t.teardown(() => migrating.end());
  await migrating.connect();
  await migrating.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
  const link = await openLink(t, postgres);
  link.refuse();
  const made = await connectToDatabase(urlWith(url, { port: `${link.port}` }));
  if (made.kind !== 'connected') throw new Error(made.reason);
  const { database } = made;
  link.heal();
  const waiting = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`;
  await until(async () => (await migrating.query(waiting)).rows.length > 0, 'a wait');
  t.equal(await Promise.race([database.close().then(() => 'closed'), delay(5_000, 'waits')]), 'closed');
});

t.test('a store that answers nothing more once it is connected to is away, and comes back', async (t) => {
  const postgres = await sharedPostgres();
  const url = await postgres.database();
  t.equal(await stateOf(t, url), 'ok');
  const link = await openLink(t, postgres, (octets) => {
    if (octets.includes('server_encoding')) link.stall('there');
    return octets;
  });
  const state = stateOf(t, urlWith(url, { port: `${link.port}` }));
  const late = delay(10_000, 'no state');
  t.match(await Promise.race([state, late]), /^degraded: unreachable/);
});

/** "svc" in ASCII. */
const MIGRATION_LOCK = 0x73_76_63;

t.test('databases that somebody has to change first', async (t) => {
  const postgres = await sharedPostgres();
  await postgres.tell('CREATE ROLE reader LOGIN; CREATE ROLE stranger LOGIN');
  const rows: readonly (readonly [string, string, () => Promise<string>])[] = [
    [
      'of another encoding',
      'has the encoding LATIN1: create the database with UTF8',
      () => postgres.database("ENCODING LATIN1 LOCALE 'C' TEMPLATE template0"),
    ],
    [
      'that is not there',
      'does not have that database',
      async () => urlWith(await postgres.database(), { pathname: '/nothing' }),
    ],
    [
      'for an unknown role',
      'does not let this user in',
      async () => urlWith(await postgres.database(), { username: 'nobody' }),
    ],
    [
      'in which the role may make no tables',
      'does not grant this role all that svc-deploy(7) lists',
      async () => urlWith(await postgres.database(), { username: 'stranger' }),
    ],
    [
      'whose tables the role may only read',
      'does not let this role read and write the table svc_',
      async () => {
        const url = await postgres.database();
        t.equal(await stateOf(t, url), 'ok');
        await postgres.tell('GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader', url);
        return urlWith(url, { username: 'reader' });
      },
    ],
    [
      'with a table of another program',
      'has tables of another program whose names begin with svc_',
      async () => {
        const url = await postgres.database();
        await postgres.tell('CREATE TABLE svc_instance (name text); GRANT ALL ON svc_instance TO svc', url);
        return url;
      },
    ],
    [
      'with the migrations of another program',
      'has tables of another program whose names begin with svc_',
      async () => {
        const url = await postgres.database();
        await postgres.tell('CREATE TABLE svc_migration (name text); GRANT ALL ON svc_migration TO svc', url);
        return url;
      },
    ],
    [
      'of a newer version',
      'has the tables of a newer version of the service: upgrade this instance',
      async () => {
        const url = await postgres.database();
        t.equal(await stateOf(t, url), 'ok');
        await postgres.tell('INSERT INTO svc_migration VALUES (1000, true)', url);
        return url;
      },
    ],
  ];
  for (const [what, reason, make] of rows) {
    const url = await make();
    const state = await stateOf(t, url);
    t.ok(state.startsWith(`refused: ${nameIn(url)} ${reason}`), `${what}: ${state}`);
  }
});

/** Has an instance do all that it does with a store: limit, accept, run, store, and show. */
async function runJob(t: Test, instance: Awaited<ReturnType<typeof startInstance>>) {
  const headers = { 'X-Forwarded-For': '192.0.2.1', 'Idempotency-Key': 'key' };
  const { status, text } = await ask(instance, 'POST', '/api/traverse', {
    body: '{"name":"a.example"}',
    headers,
  });
  t.equal(status, 202, text);
  const self = `/api/traverse/${JSON.parse(text).id}`;
  const { runs, fingerprintings } = instance.engine;
  await until(() => runs.length > 0, 'the start of a job');
  runs[0]?.exchange('192.0.2.53');
  runs[0]?.finish();
  await until(() => fingerprintings.length > 0, 'the question to a server');
  fingerprintings[0]?.finish();
  await until(
    async () => (await ask(instance, 'GET', `${self}/servers`)).status === 200,
    'the list of servers',
  );
  t.match(JSON.parse((await ask(instance, 'GET', self)).text), { status: 'complete', result: { schema: 3 } });
  t.match(await health(instance), { status: 'ok' });
  t.notOk(
    instance.lines.some((line) => line.includes('"level":"error"')),
    'no statement failed',
  );
}

t.test('an older version goes on beside a newer one, whose tables only have more', async (t) => {
  const postgres = await sharedPostgres();
  const url = await postgres.database();
  const before = await startInstance(t, { url });
  await postgres.tell(
    `ALTER TABLE svc_job ADD COLUMN more text NOT NULL DEFAULT 'more';
     ALTER TABLE svc_result ADD COLUMN more integer;
     CREATE TABLE svc_more (id uuid PRIMARY KEY);
     INSERT INTO svc_migration VALUES (1000, false)`,
    url,
  );
  await runJob(t, before);
  await before.close();
  const later = await startInstance(t, { url }, { rateLimit: { requests: 100n, window: 1_000_000_000n } });
  await postgres.tell('UPDATE svc_job SET idempotency_key = NULL', url);
  await runJob(t, later);
  t.equal(await postgres.tell('SELECT count(*) FROM svc_job', url), '2');
});

t.test('a role with no more than the documented grants', async (t) => {
  const postgres = await sharedPostgres();
  const url = await postgres.database();
  t.equal(await stateOf(t, url), 'ok', 'its owner makes the tables');
  await postgres.tell('CREATE ROLE worker LOGIN');
  await postgres.tell(
    `DO $$ DECLARE name text; BEGIN
       FOR name IN SELECT tablename FROM pg_tables WHERE tablename LIKE 'svc\\_%' LOOP
         EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO worker', name);
       END LOOP;
     END $$`,
    url,
  );
  const there = urlWith(url, { username: 'worker' });
  await runJob(t, await startInstance(t, { url: there }));
  const { database } = await connectedTo(t, there);
  await t.rejects(database.query('CREATE TABLE svc_own (id integer)'), /permission denied/);
  await new Upkeep(database, { historyMs: 0, maxHistoryBytes: 0 }).forget();
  t.equal(await postgres.tell('SELECT count(*) FROM svc_job', url), '0', 'it also forgets');
});

t.test('a server that is too old', async (t) => {
  const postgres = await sharedPostgres();
  const url = await postgres.database();
  const atVersion = async (number: string, version: string) => {
    const link = await openLink(t, postgres, (octets) =>
      Buffer.from(
        octets
          .toString('latin1')
          .replace(/15\d{4}(?=\D|$)/g, number)
          .replace(/15\.\d\d (?=\()/g, version),
        'latin1',
      ),
    );
    return urlWith(url, { port: `${link.port}` });
  };
  const old = await atVersion('120022', '12.22 ');
  t.match(await stateOf(t, old), /^refused: .* has PostgreSQL 12\.22 .*: version 13 or later is needed$/);
  t.equal(await stateOf(t, await atVersion('130000', '13.00 ')), 'ok');
});

t.test('a server with a password and TLS', async (t) => {
  const postgres = await startPostgres(t, { password: 'p@ss:%/', transport: 'tls' });
  const url = await postgres.database();
  t.equal(await stateOf(t, url), 'ok');
  const rows = [
    [urlWith(url, { password: 'other' }), 'refused', 'does not accept this user and password'],
    [urlWith(url, { password: '' }), 'refused', 'does not accept this user and password'],
    [
      urlWith(url, { search: '' }),
      'refused',
      'does not let this user in from here, or only with TLS (pg_hba.conf)',
    ],
    [urlWith(url, { search: '?sslmode=verify-full' }), 'refused', 'has a certificate of an unknown issuer'],
  ] as const;
  for (const [wrong, kind, reason] of rows) {
    const state = await stateOf(t, wrong);
    t.ok(state.startsWith(`${kind}: ${nameIn(url)} ${reason}`), state);
    t.notMatch(state, /p@ss|other/);
  }
  t.equal(await stateOf(t, urlWith(url, { search: '?sslmode=require' })), 'ok');
});

t.test('a server without TLS, of which TLS is wanted', async (t) => {
  const url = await (await sharedPostgres()).database();
  const state = await stateOf(t, urlWith(url, { search: '?sslmode=require' }));
  t.equal(state, `refused: ${nameIn(url)} does not speak TLS: leave out sslmode`);
});

t.test('servers that may do later', async (t) => {
  const postgres = await startPostgres(t);
  const url = await postgres.database();
  const replica = await postgres.replica(t);
  const there = urlWith(url, { port: `${replica.port}` });
  t.equal(await stateOf(t, url), 'ok');
  await until(async () => (await replica.tell("SELECT to_regclass('svc_instance')", url)) !== '');
  t.equal(
    await stateOf(t, there),
    `degraded: read-only: ${nameIn(there)} is read-only: name the primary server`,
  );
  await postgres.stop();
  t.equal(
    await stateOf(t, url),
    `degraded: unreachable: ${nameIn(url)} cannot be reached: connection refused`,
  );
});

/** What `svc serve` says as it ends. */
async function refusal(url: string) {
  const child = start(['serve', '--listen', '127.0.0.1:0', '--demo', '--store', url]);
  return await ended(child);
}

t.test('svc serve ends with one line if the store will not do', async (t) => {
  const postgres = await sharedPostgres();
  const encoding = await postgres.database("ENCODING LATIN1 LOCALE 'C' TEMPLATE template0");
  const rows = [
    ['postgres://svc:secret@h', 'the URL of the store must name a user, a host and a database'],
    [urlWith(encoding, { password: 'secret' }), `${nameIn(encoding)} has the encoding LATIN1`],
  ] as const;
  for (const [url, reason] of rows) {
    const { status, stdout, stderr } = await refusal(url);
    t.same([status, stdout], [3, '']);
    t.match(stderr, reason);
    t.match(stderr, /^[^\n]+\n$/, 'one line');
    t.notMatch(stderr, 'secret');
  }
});

async function health(place: { readonly host: string; readonly port: number }) {
  return JSON.parse((await ask(place, 'GET', '/api/health')).text);
}

t.test('svc serve comes up without its store, and has it when it is there', async (t) => {
  const postgres = await startPostgres(t);
  const url = await postgres.database();
  await postgres.stop();
  const service = await startServe(t, ['--demo', '--store', url]);
  t.match(await health(service), { status: 'degraded', reason: 'unreachable', store: 'postgres' });
  const refused = await ask(service, 'POST', '/api/traverse', { body: '{"name":"www.shop.example"}' });
  t.equal(refused.status, 503);
  await postgres.start();
  await until(async () => (await health(service)).status === 'ok', 'good health');
  t.equal((await ask(service, 'POST', '/api/traverse', { body: '{"name":"www.shop.example"}' })).status, 202);
  service.kill('SIGTERM');
  t.same(await service.exit, { code: 0, signal: null });
});

const ENDED = 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $$svc$$';

/** What makes a store unusable, how health names that, and what makes it usable again; %s is the database. */
const TROUBLES: readonly (readonly [reason: string, ail: readonly string[], cure: readonly string[]])[] = [
  ['refused', ['ALTER ROLE svc NOLOGIN', ENDED], ['ALTER ROLE svc LOGIN']],
  [
    'read-only',
    ['ALTER DATABASE %s SET default_transaction_read_only = on', ENDED],
    ['ALTER DATABASE %s RESET default_transaction_read_only', ENDED],
  ],
  ['busy', ['ALTER ROLE svc CONNECTION LIMIT 0', ENDED], ['ALTER ROLE svc CONNECTION LIMIT -1']],
];

t.test('a store that will not do for a while makes health degraded', async (t) => {
  const postgres = await startPostgres(t);
  const url = await postgres.database();
  const service = await startServe(t, ['--demo', '--store', url]);
  const post = async () =>
    (await ask(service, 'POST', '/api/traverse', { body: '{"name":"www.shop.example"}' })).status;
  const tell = async (statements: readonly string[]) => {
    for (const statement of statements)
      await postgres.tell(statement.replace('%s', new URL(url).pathname.slice(1)));
  };
  const accepted = () => until(async () => (await post()) === 202, 'a job that is accepted');
  for (const [reason, ail, cure] of TROUBLES) {
    await accepted();
    await tell(ail);
    await until(async () => (await health(service)).reason === reason, reason);
    t.equal(await post(), 503, reason);
    await tell(cure);
    await until(async () => (await health(service)).status === 'ok', `the end of ${reason}`);
  }
  await accepted();
});

t.test(
  'a full disk refuses jobs, which come again when it has room',
  { skip: !mayMount && 'only root can mount' },
  async (t) => {
    const postgres = await startPostgres(t);
    const disk = await mountSmallDisk(t);
    await postgres.tell(`CREATE TABLESPACE small LOCATION '${disk.folder}'`);
    const service = await startServe(t, ['--demo', '--store', await postgres.database('TABLESPACE small')]);
    const post = async () =>
      (await ask(service, 'POST', '/api/traverse', { body: '{"name":"www.shop.example"}' })).status;
    t.equal(await post(), 202);
    disk.fill();
    // Pages that are there have room for some.
    await until(async () => (await post()) === 503, 'a refusal');
    disk.empty();
    await until(async () => (await post()) === 202, 'a job that is accepted again');
    t.match(await health(service), { status: 'ok' });
  },
);
