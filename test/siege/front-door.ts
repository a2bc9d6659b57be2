/**
 * Holes: a page in a browser that comes by DNS rebinding or from another site, clients that forge the headers
 * of a proxy to have a fresh allowance each time, a request of HTTP/0.9, and a service that has 64 open files
 * when a crowd comes.
 */
import { connect } from 'node:net';
import { spawnService } from '../bench/spawn-service.ts';
import { ask, type Place } from '../service/http-client.ts';
import { besiege, sendRaw } from './besieged.ts';
import { record, startHostileServers } from './hostile-servers.ts';
import { judge } from './measured.ts';

const BLOCK = 71;
/** Each client may start 30 jobs an hour, and ask in vain as often. */
const ALLOWED = 30;
const FORGERIES = 100;
const CROWD = 200;
const TRIES = 10;
const BODY = '{"name":"www.shop.example"}';

await pages();
await forgedHeaders();
await fewFiles();
process.exit();

async function pages(): Promise<void> {
  const service = await spawnService(['--demo']);
  service.child.removeAllListeners('exit');
  const attacker = { Host: `attacker.example:${service.port}` };
  const foreign = { Origin: 'https://attacker.example' };
  await told(service, 'GET /api/health, forged Host', 421, 'GET', '/api/health', attacker);
  await told(service, 'POST, forged Host', 421, 'POST', '/api/traverse', attacker);
  await told(service, 'POST, foreign Origin', 403, 'POST', '/api/traverse', foreign);
  const job = await told(service, 'POST, own Origin', 202, 'POST', '/api/traverse', { Origin: service.url });
  await told(service, 'DELETE, foreign Origin', 403, 'DELETE', JSON.parse(job).links.self, foreign);
  for (const line of ['GET /api/health', 'GET /api/health HTTP/0.9']) {
    const [said = ''] = (await sendRaw(service, `${line}\r\n\r\n`)).split('\r\n');
    judge(`"${line}"`, said === '' ? 'no reply' : said, /^(?:HTTP\/1\.1 400 .*)?$/.test(said));
  }
  service.child.kill('SIGKILL');
}

/** Has to be told this status. The text that came with it. */
async function told(
  place: Place,
  what: string,
  expected: number,
  ...[method, path, headers]: readonly [string, string, Readonly<Record<string, string>>]
): Promise<string> {
  const body = method === 'POST' ? { body: BODY } : {};
  const { status, text } = await ask(place, method, path, { headers, ...body });
  judge(what, `status ${status}`, status === expected);
  return text;
}

async function forgedHeaders(): Promise<void> {
  for (const header of ['Edge-Client-IP', 'X-Forwarded-For']) {
    const service = await spawnService(['--demo', '--trust-proxy', 'none']);
    service.child.removeAllListeners('exit');
    let passed = 0;
    for (let number = 0; number < FORGERIES; number += 1) {
      const headers = { [header]: `192.0.2.${number}` };
      // A request that asks for nothing counts, too, and starts no job.
      const { status } = await ask(service, 'POST', '/api/traverse', { headers, body: '{}' });
      if (status !== 429) passed += 1;
    }
    judge(
      `${FORGERIES} forged ${header}, --trust-proxy none`,
      `${passed} got past the limit of ${ALLOWED}`,
      passed <= ALLOWED,
    );
    service.child.kill('SIGKILL');
  }
}

async function fewFiles(): Promise<void> {
  const servers = await startHostileServers(BLOCK, 1, ({ name, type }) => {
    return type === 'A' ? { answer: [record(name, 'A', '192.0.2.80')] } : {};
  });
  const { url, request, follow, stop } = await besiege(servers, [], { openFiles: 64 });
  const { hostname: host, port } = new URL(url);
  const place = { host, port: Number(port) };
  const crowd = Array.from({ length: CROWD }, () => {
    return connect(place.port, place.host).on('error', () => {});
  });
  let served = 0;
  for (let count = 0; count < TRIES; count += 1) {
    const status = await ask(place, 'GET', '/api/health').then(
      ({ status }) => status,
      () => 0,
    );
    if (status === 200) served += 1;
  }
  judge(
    `64 open files, ${CROWD} connections: health`,
    `${served} of ${TRIES} tries served`,
    served === TRIES,
  );
  const job = await request('www.fine', '192.0.2.1');
  if (job.kind === 'refused') judge('a job there', `refused with ${job.status}`, false);
  else {
    await follow(job.events);
    const { text } = await ask(place, 'GET', new URL(job.self).pathname);
    const { status } = JSON.parse(text);
    judge('a job there', status, status === 'complete');
  }
  for (const socket of crowd) socket.destroy();
  stop();
}
