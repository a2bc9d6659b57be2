import { Client, type ClientConfig } from 'pg';
import t, { type Test } from 'tap';
import { until } from '../jobs/every-kind.ts';
import { openLink } from '../link.ts';
import { sharedPostgres, startPostgres, urlWith } from './postgres-server.ts';
import { mayMount, mountSmallDisk } from './small-disk.ts';

t.jobs = 3;

/** A connection to a database, closed when the test ends. */
async function connected(t: Test, url: string, config: ClientConfig = {}): Promise<Client> {
  const client = new Client({ connectionString: url, ...config });
  // Servers end under it.
  client.on('error', () => {});
  await client.connect();
  t.teardown(() => client.end().catch(() => {}));
  return client;
}

async function firstValue(client: Client, query: string): Promise<unknown> {
  const { rows } = await client.query({ text: query, rowMode: 'array' });
  return rows[0]?.[0];
}

t.test('each database is new, and its owner may do nothing else', async (t) => {
  const postgres = await sharedPostgres();
  const [url, other] = [await postgres.database(), await postgres.database()];
  const client = await connected(t, url);
  await client.query('CREATE TABLE a (b integer)');
  t.equal(await firstValue(client, 'SHOW server_encoding'), 'UTF8');
  t.equal(await firstValue(client, 'SHOW is_superuser'), 'off');
  await t.rejects(client.query('CREATE ROLE other'), /permission denied/);
  t.equal(
    await firstValue(
      await connected(t, other),
      'SELECT count(*)::integer FROM pg_tables WHERE tableowner = current_user',
    ),
    0,
  );
  await postgres.tell('CREATE ROLE reader LOGIN');
  const reader = await connected(t, urlWith(url, { username: 'reader' }));
  await t.rejects(reader.query('TABLE a'), /permission denied/);
});

t.test('what was committed is kept over ends of all kinds', async (t) => {
  const postgres = await startPostgres(t);
  const url = await postgres.database();
  await (await connected(t, url)).query('CREATE TABLE a (b integer)');
  for (const end of ['stop', 'kill'] as const) {
    const client = await connected(t, url);
    await client.query('INSERT INTO a VALUES (1)');
    await postgres[end]();
    await t.rejects(client.query('TABLE a'), end);
    await t.rejects(connected(t, url), { code: 'ECONNREFUSED' });
    await postgres.start(['work_mem=1MB']);
  }
  t.equal(await postgres.tell('SELECT count(*) FROM a', url), '2');
  t.equal(await postgres.tell('SHOW work_mem'), '1MB');
});

t.test('with a password over TLS', async (t) => {
  const postgres = await startPostgres(t, { password: "it's", transport: 'tls' });
  const url = await postgres.database();
  const client = await connected(t, url);
  t.equal(await firstValue(client, 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()'), true);
  await t.rejects(connected(t, urlWith(url, { password: 'other' })), { code: '28P01' });
  await t.rejects(connected(t, url.replace(/\?.*/, '')), { code: '28000' });
});

t.test('a replica follows, and takes over', async (t) => {
  const postgres = await startPostgres(t);
  const url = await postgres.database();
  const replica = await postgres.replica(t);
  await postgres.tell("ALTER SYSTEM SET synchronous_standby_names = '*'");
  await postgres.tell('SELECT pg_reload_conf()');
  await postgres.tell('CREATE TABLE a (b integer); GRANT ALL ON a TO svc', url);
  const there = await connected(t, urlWith(url, { port: `${replica.port}` }));
  await t.rejects(there.query('INSERT INTO a VALUES (1)'), { code: '25006' });
  await postgres.kill();
  await replica.promote();
  await there.query('INSERT INTO a VALUES (1)');
  t.equal(await firstValue(there, 'SELECT b FROM a'), 1);
});

t.test('a disk that is full, and has room again', { skip: !mayMount && 'only root can mount' }, async (t) => {
  const postgres = await startPostgres(t);
  const disk = await mountSmallDisk(t);
  await postgres.tell(`CREATE TABLESPACE small LOCATION '${disk.folder}'`);
  const client = await connected(t, await postgres.database('TABLESPACE small'));
  await client.query('CREATE TABLE a (b text)');
  const insert = () => client.query("INSERT INTO a SELECT repeat('x', 1000) FROM generate_series(1, 100)");
  await insert();
  disk.fill();
  await t.rejects(insert(), { code: '53100' });
  disk.empty();
  await insert();
  t.equal(await firstValue(client, 'SELECT count(*)::integer FROM a'), 200);
});

t.test('a link that fails as networks do', async (t) => {
  const postgres = await sharedPostgres();
  const link = await openLink(t, postgres);
  const url = urlWith(await postgres.database(), { port: `${link.port}` });
  const ask = async (client: Client) => await firstValue(client, 'SELECT 1');

  await t.test('by cutting connections', async (t) => {
    const client = await connected(t, url);
    link.cut();
    await t.rejects(ask(client));
    t.equal(await ask(await connected(t, url)), 1, 'but not new ones');
    link.refuse();
    await t.rejects(connected(t, url));
    link.heal();
    t.equal(await ask(await connected(t, url)), 1);
  });

  for (const direction of ['there', 'back', undefined] as const)
    await t.test(`by holding octets: ${direction ?? 'both ways'}`, async (t) => {
      const client = await connected(t, url);
      await client.query('CREATE TABLE IF NOT EXISTS a ()');
      link.stall(direction);
      const inserted = client.query('INSERT INTO a DEFAULT VALUES').then(() => 'inserted');
      const elsewhere = async () => await postgres.tell('SELECT count(*) FROM a', url);
      const before = await elsewhere();
      if (direction === 'back') await until(async () => (await elsewhere()) !== '0');
      else t.equal(before, '0', 'it has not arrived');
      t.equal(await Promise.race([inserted, 'silence']), 'silence');
      link.heal();
      t.equal(await inserted, 'inserted');
      t.equal(await elsewhere(), '1');
      await client.query('DROP TABLE a');
    });

  await t.test('by delay', async (t) => {
    const client = await connected(t, url);
    link.delay(50);
    const begun = performance.now();
    t.equal(await ask(client), 1);
    t.ok(performance.now() - begun >= 100);
    link.heal();
  });

  await t.test('by leading elsewhere', async (t) => {
    const other = await startPostgres(t);
    await other.tell(`CREATE DATABASE ${new URL(url).pathname.slice(1)}`);
    link.lead(other);
    const client = await connected(t, url);
    t.equal(await firstValue(client, 'SHOW port'), `${other.port}`);
  });
});
