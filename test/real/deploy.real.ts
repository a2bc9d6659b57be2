/* Follows svc-deploy(7): what `svc deploy` prints is run as it stands, as far as that goes without a container engine. */

import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { parse as parseYaml } from 'yaml';
import { readShape } from '../../src/base/shape.ts';
import { list, TEXT } from '../../src/base/shape-values.ts';
import { JOB_CREATED } from '../../src/document/api/jobs.ts';
import { type DeployKind, deployFile } from '../../src/service/deploy.ts';
import { startPostgres } from '../service/store/postgres-server.ts';
import { type Daemon, startDaemon } from './daemon.ts';

const SVC = fileURLToPath(new URL('../../bin/svc.js', import.meta.url));

/** Certificates of these tests are signed by nobody whom others trust. */
process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
process.removeAllListeners('warning');

/** A folder that goes with the test. `t.testdir` is a single folder for the whole test, and empties it. */
function folderFor(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'deploy-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** The names of hosts that a configuration uses lead to this host. */
function nameHere(t: Test, ...names: readonly string[]): void {
  const file = join(folderFor(t), 'hosts');
  writeFileSync(file, `127.0.0.1 localhost ${names.join(' ')}\n`);
  // The suite has a mount namespace of its own.
  execFileSync('mount', ['--bind', file, '/etc/hosts']);
  t.teardown(() => execFileSync('umount', ['/etc/hosts']));
}

/** Runs a program until the test ends, or the function that it returns is called. */
async function runs(t: Test, program: string, args: readonly string[], env = {}): Promise<Daemon> {
  const folder = folderFor(t);
  const named = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const daemon = await startDaemon({ program: '/usr/bin/env', args: [...named, program, ...args] }, folder);
  t.teardown(() => daemon.stop());
  return daemon;
}

/** Asks until the status is this one. */
async function until(url: string, status: number): Promise<void> {
  const asked = async () => (await fetch(url).catch(() => undefined))?.status;
  for (let attempt = 0; attempt < 300; attempt += 1) {
    if ((await asked()) === status) return;
    await pause(100);
  }
  throw new Error(`${url} never has status ${status}`);
}

async function post(url: string, client: string): Promise<Response> {
  return await fetch(`${url}/api/traverse`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Edge-Client-IP': client },
    body: JSON.stringify({ name: 'www.shop.example', options: { views: ['resolver'] } }),
  });
}

/** Posts a job, follows its events to the end, and returns its path. */
async function traversed(url: string, client = '192.0.2.1'): Promise<string> {
  const posted = await post(url, client);
  if (posted.status !== 202) throw new Error(`${posted.status} ${await posted.text()}`);
  const { id } = readShape(JOB_CREATED, await posted.json());
  const events = await (await fetch(`${url}/api/traverse/${id}/events`)).text();
  if (!events.includes('event: complete')) throw new Error(events);
  return `/api/traverse/${id}`;
}

async function statusOf(url: string): Promise<number> {
  const response = await fetch(url);
  await response.arrayBuffer();
  return response.status;
}

/** The words after `ExecStart=`, with the state directory that systemd would make. */
function execStart(unit: string, stateDirectory: string): readonly string[] {
  const command = /^ExecStart=((?:.*\\\n)*.*)$/m.exec(unit)?.[1]?.replaceAll('\\\n', ' ') ?? '';
  return command.replaceAll(`\${STATE_DIRECTORY}`, stateDirectory).trim().split(/\s+/);
}

t.test('systemd: the unit is valid, and its command survives being killed', async (t) => {
  const unit = deployFile('systemd');
  const folder = folderFor(t);
  if (existsSync('/usr/bin/systemd-analyze')) {
    const file = join(folder, 'svc.service');
    writeFileSync(file, unit.replace('/usr/bin/svc', process.execPath));
    execFileSync('systemd-analyze', ['verify', '--man=no', file], { stdio: 'pipe' });
  }
  const [program, ...args] = execStart(unit, folder);
  t.equal(program, '/usr/bin/svc');
  const first = await runs(t, process.execPath, [SVC, ...args, '--demo']);
  await until('http://127.0.0.1:8053/api/ready', 200);
  const job = await traversed('http://127.0.0.1:8053');
  await first.kill();
  await runs(t, process.execPath, [SVC, ...args, '--demo']);
  await until('http://127.0.0.1:8053/api/ready', 200);
  t.equal(await statusOf(`http://127.0.0.1:8053${job}`), 200);
  t.equal(await statusOf('http://127.0.0.1:9153/metrics'), 200);
  t.equal(await statusOf('http://127.0.0.1:8053/metrics'), 404);
});

/** What a proxy has to do for a service that allows two more requests. */
async function checkProxy(t: Test, url: string): Promise<void> {
  const job = await traversed(url, '192.0.2.1');
  t.equal(await statusOf(`${url}${job}`), 200);
  t.equal(await statusOf(`${url}/metrics`), 404);
  const more = [await post(url, '192.0.2.2'), await post(url, '192.0.2.3')];
  t.same(
    more.map(({ status }) => status),
    [202, 429],
    'clients cannot choose the address that is limited',
  );
}

t.test('nginx', async (t) => {
  nameHere(t, 'dns.example.com');
  const folder = folderFor(t);
  execFileSync(
    'openssl',
    [
      'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=dns.example.com',
      `-keyout ${folder}/dns.example.com.key -out ${folder}/dns.example.com.pem`,
    ].flatMap((words) => words.split(' ')),
    { stdio: 'pipe' },
  );
  const main = join(folder, 'nginx.conf');
  writeFileSync(join(folder, 'svc.conf'), deployFile('nginx').replaceAll('/etc/ssl/', `${folder}/`));
  writeFileSync(main, `pid ${folder}/pid;\nevents {}\nhttp { include ${folder}/svc.conf; }\n`);
  execFileSync('nginx', ['-t', '-c', main], { stdio: 'pipe' });
  const args = ['serve', '--demo', '--listen', '127.0.0.1:8053', '--metrics-listen', '127.0.0.1:9153'];
  const proxied = [...args, '--trust-proxy', '127.0.0.1', '--host-name', 'dns.example.com'];
  await runs(t, process.execPath, [SVC, ...proxied], { SERVICE_RATE_LIMIT: '2/1h' });
  await until('http://127.0.0.1:8053/api/ready', 200);
  await runs(t, 'nginx', ['-c', main, '-g', 'daemon off;']);
  await until('https://dns.example.com/api/ready', 200);
  const large = { method: 'POST', body: 'x'.repeat(20_000) };
  t.equal((await fetch('https://dns.example.com/api/traverse', large)).status, 413);
  await checkProxy(t, 'https://dns.example.com');
});

/** The part of a compose file that these tests follow. */
interface ComposeFile {
  readonly services: Readonly<
    Record<
      'svc' | 'store' | 'caddy',
      { readonly command: readonly string[]; readonly environment: Readonly<Record<string, string>> }
    >
  >;
}

t.test('compose: the service, PostgreSQL and Caddy; PostgreSQL is restarted in between', async (t) => {
  // For names below localhost Caddy is its own certificate authority.
  const variables = { HOST_NAME: 'svc.localhost', POSTGRES_PASSWORD: 'c0ffee' };
  nameHere(t, 'svc', 'store', variables.HOST_NAME);
  const text = deployFile('compose').replaceAll(
    /\$\{(HOST_NAME|POSTGRES_PASSWORD):\?\}/g,
    (_, name: keyof typeof variables) => variables[name],
  );
  t.notMatch(text, '${');
  const { services }: ComposeFile = parseYaml(text);
  const store = await startPostgres(t, { password: variables.POSTGRES_PASSWORD });
  const { POSTGRES_USER, POSTGRES_DB } = services.store.environment;
  await store.tell(`CREATE DATABASE ${POSTGRES_DB} OWNER ${POSTGRES_USER}`);
  const forwarder = createServer((near) => {
    const far = connect(store.port, store.host);
    for (const socket of [near, far]) socket.on('error', () => [near, far].map((one) => one.destroy()));
    near.pipe(far).pipe(near);
  }).listen(5432, '127.0.0.1');
  await once(forwarder, 'listening');
  t.teardown(() => forwarder.close());

  // The containers have a network of their own, this test has none but loopback.
  const command = services.svc.command.map((word) => word.replace('172.30.53.0/24', '127.0.0.1'));
  await runs(t, process.execPath, [SVC, ...command, '--demo'], {
    ...services.svc.environment,
    SERVICE_RATE_LIMIT: '3/1h',
  });
  const folder = folderFor(t);
  const config = join(folder, 'Caddyfile');
  // This host need not trust the certificates.
  writeFileSync(config, `{\n\tskip_install_trust\n}\n${deployFile('caddy')}`);
  mkdirSync(join(folder, 'data'));
  const caddy = { ...services.caddy.environment, XDG_DATA_HOME: join(folder, 'data'), HOME: folder };
  await runs(t, 'caddy', ['run', '--config', config, '--adapter', 'caddyfile'], caddy);
  const url = `https://${variables.HOST_NAME}`;
  await until(`${url}/api/ready`, 200);
  const job = await traversed(url);
  await store.stop();
  await until('http://127.0.0.1:8053/api/ready', 503);
  await store.start();
  await until('http://127.0.0.1:8053/api/ready', 200);
  await until(`${url}/api/ready`, 200);
  t.equal(await statusOf(`${url}${job}`), 200, 'the job is still there');
  await checkProxy(t, url);
});

/** The commands of svc-deploy(7) that begin with one of these words, in order, as a shell gets them. */
function commandsOf(...programs: readonly string[]): readonly string[] {
  const page = readFileSync(new URL('../../man/svc-deploy.7', import.meta.url), 'utf8');
  const commands = [...page.matchAll(/^[$#] (.*)$/gm)].map(([, command = '']) => command);
  return commands.filter((command) => programs.some((program) => command.startsWith(`${program} `)));
}

/** Where each test has its service, whose metrics are at the port after. */
const PLACE = ['--listen', '127.0.0.1:8053', '--metrics-listen', '127.0.0.1:9153'];
const URL_HERE = 'http://127.0.0.1:8053';

/** Starts a service on the demo, and waits until it is ready. */
async function serve(t: Test, args: readonly string[], place = PLACE): Promise<Daemon> {
  const daemon = await runs(t, process.execPath, [SVC, 'serve', '--demo', ...place, ...args]);
  await until(`http://${place[1]}/api/ready`, 200);
  return daemon;
}

t.test('a backup of the store is restored by the commands of the page', async (t) => {
  const store = await startPostgres(t);
  const url = await store.database();
  const folder = folderFor(t);
  const [backup = '', restore = '', ...others] = commandsOf('pg_dump', 'pg_restore');
  t.same(others, []);
  const told = { cwd: folder, env: { ...process.env, SERVICE_STORE: url }, stdio: 'pipe' } as const;
  const first = await serve(t, ['--store', url, '--grace', '0s']);
  const before = await traversed(URL_HERE);
  const { id } = readShape(JOB_CREATED, await (await post(URL_HERE, '192.0.2.1')).json());
  await first.stop();
  execFileSync('sh', ['-c', backup], told);
  const second = await serve(t, ['--store', url]);
  const after = await traversed(URL_HERE);
  await second.stop();
  execFileSync('sh', ['-c', restore], told);
  await serve(t, ['--store', url]);
  t.equal(await statusOf(`${URL_HERE}${before}`), 200, 'a job that had ended is there');
  t.equal(await statusOf(`${URL_HERE}${after}`), 404, 'a later one is not');
  const events = await (await fetch(`${URL_HERE}/api/traverse/${id}/events`)).text();
  t.match(events, /event: complete\ndata: \{"status":"complete"/, 'one that had not ended runs again');
});

t.test('a copy of the directory is restored by the commands of the page', async (t) => {
  const folder = folderFor(t);
  const state = join(folder, 'private');
  const [backup = '', ...restore] = commandsOf('rm', 'cp');
  t.equal(restore.length, 2);
  const run = (command: string) =>
    execFileSync('sh', ['-ec', command.replaceAll('/var/lib/private/svc', state)], { cwd: folder });
  const first = await serve(t, ['--state', state]);
  const before = await traversed(URL_HERE);
  run(backup);
  const after = await traversed(URL_HERE);
  await first.stop();
  for (const command of restore) run(command);
  await serve(t, ['--state', state]);
  t.equal(await statusOf(`${URL_HERE}${before}`), 200);
  t.equal(await statusOf(`${URL_HERE}${after}`), 404);
});

t.test('an upgrade: the new instance starts beside the old one, which is stopped', async (t) => {
  const url = await (await startPostgres(t)).database();
  const old = await serve(t, ['--store', url, '--max-jobs', '1']);
  const posted = await Promise.all(Array.from({ length: 8 }, (_, at) => post(URL_HERE, `192.0.2.${at + 1}`)));
  await serve(t, ['--store', url], ['--listen', '127.0.0.1:8054', '--metrics-listen', '127.0.0.1:9154']);
  await old.stop();
  for (const reply of posted) {
    const { links } = readShape(JOB_CREATED, await reply.json());
    const events = await (await fetch(`http://127.0.0.1:8054${links.events}`)).text();
    t.match(events, /event: complete\ndata: \{"status":"complete"/);
  }
});

/** The words of an instruction of a Containerfile whose argument is a JSON array. */
function wordsOf(containerfile: string, instruction: 'ENTRYPOINT' | 'CMD'): readonly string[] {
  const [, words = ''] = new RegExp(`^${instruction} (.*)$`, 'm').exec(containerfile) ?? [];
  return readShape(list(TEXT), JSON.parse(words));
}

t.test('containerfile: as its user, its command serves, and its health check is content', async (t) => {
  const text = deployFile('containerfile');
  const [node, program, ...rest] = [...wordsOf(text, 'ENTRYPOINT'), ...wordsOf(text, 'CMD')];
  t.equal(node, '/usr/bin/node');
  // npm would put the package here, and where it comes from there is no network.
  t.equal(program, '/svc/node_modules/dns-traversal-service/bin/svc.js');
  const [, user = '', group = ''] = /^USER (\d+):(\d+)$/m.exec(text) ?? [];
  const [, check = ''] = /^HEALTHCHECK CMD (.*)$/m.exec(text) ?? [];
  const as = [
    `--reuid=${user}`,
    `--regid=${group}`,
    '--clear-groups',
    '--no-new-privs',
    '--bounding-set=-all',
  ];
  execFileSync('setpriv', [...as, process.execPath, SVC, '--version'], { stdio: 'pipe' });
  await runs(t, 'setpriv', [...as, process.execPath, SVC, ...rest, '--demo']);
  await until(`${URL_HERE}/api/ready`, 200);
  const health = JSON.parse(execFileSync('sh', ['-c', check], { encoding: 'utf8' }));
  t.match(health, { status: 'ok', version: /^\d/ });
  await traversed(URL_HERE);
  const ports = /^EXPOSE (.*)$/m.exec(text)?.[1]?.split(' ') ?? [];
  t.same(ports, ['8053', '9153']);
  t.equal(await statusOf('http://127.0.0.1:9153/metrics'), 200);
});

t.test('grafana: each metric in the dashboard exists', async (t) => {
  const store = await startPostgres(t);
  const args = ['serve', '--demo', '--listen', '127.0.0.1:8053', '--metrics-listen', '127.0.0.1:9153'];
  await runs(t, process.execPath, [SVC, ...args, '--store', await store.database()], {});
  await until('http://127.0.0.1:8053/api/ready', 200);
  const exposed = await (await fetch('http://127.0.0.1:9153/metrics')).text();
  const names = new Set([...exposed.matchAll(/^([a-z_]+)[{ ]/gm)].map(([, name = '']) => name));
  const used = [...deployFile('grafana').matchAll(/\b((?:traversal|process)_[a-z_]+)\b/g)];
  t.ok(used.length > 20);
  t.same(
    used.map(([, name = '']) => name).filter((name) => !names.has(name)),
    [],
  );
});

t.test('each file names the version, and nothing is left to fill in', async (t) => {
  const kinds: readonly DeployKind[] = ['containerfile', 'compose', 'systemd', 'nginx', 'caddy', 'grafana'];
  for (const kind of kinds) {
    t.match(deployFile(kind), /\b\d+\.\d+\.\d+\b/, kind);
    t.notMatch(deployFile(kind), /@[A-Z]+@/, kind);
  }
});
