import t from 'tap';
import type { Client } from '../../../src/service/client.ts';
import { isForeign, isMisdirected } from '../../../src/service/request.ts';
import { ask, converse } from '../http-client.ts';
import { startJob, startTestService } from '../test-service.ts';

const HERE: Client = { client: '127.0.0.1', exempt: true, known: 'by-connection' };
const ELSEWHERE: Client = { client: '192.0.2.1', exempt: false, known: 'by-connection' };
const THROUGH_PROXY: Client = { client: '127.0.0.1', exempt: false, known: 'by-header' };
const UNTRUSTED_PROXY: Client = { client: '::1', exempt: false, known: 'by-connection' };

const ANY_NAME = { host: '0.0.0.0', hostNames: [] };
const NAMED = { host: '0.0.0.0', hostNames: ['dns.example.com'] };

const asked = (host: string | undefined, url = '/api/health') => ({
  url,
  headers: host === undefined ? {} : { host },
});

t.test('a request from this host has to name it as no other host is named', async (t) => {
  const OURS = [
    '127.0.0.1',
    '127.0.0.1:8053',
    '192.0.2.1:80',
    '[::1]',
    '[::1]:8053',
    '[fe80::1%25eth0]:1',
    'localhost',
    'LOCALHOST:8053',
    'localhost.',
    'svc.localhost:1',
  ];
  const OTHERS = [
    'attacker.example',
    'attacker.example:8053',
    '127.0.0.1.attacker.example',
    'localhost.attacker.example',
    'notlocalhost',
    '127.1',
    '0x7f000001',
    '::1',
    '[localhost]',
    'a@127.0.0.1',
    '127.0.0.1:80:80',
    '',
    '.',
  ];
  for (const host of OURS) t.notOk(isMisdirected(asked(host), HERE, ANY_NAME), host);
  for (const host of OTHERS) {
    t.ok(isMisdirected(asked(host), HERE, ANY_NAME), host);
    t.ok(isMisdirected(asked(host), UNTRUSTED_PROXY, ANY_NAME), `${host}, from a proxy that is not trusted`);
    t.notOk(isMisdirected(asked(host), ELSEWHERE, ANY_NAME), `${host}, from elsewhere`);
    t.notOk(isMisdirected(asked(host), THROUGH_PROXY, ANY_NAME), `${host}, through a proxy here`);
  }
  t.notOk(isMisdirected(asked(undefined), HERE, ANY_NAME), 'a program of HTTP/1.0, not a browser');
  t.notOk(isMisdirected(asked('myhost:80'), HERE, { ...ANY_NAME, host: 'MyHost' }), 'as --listen has it');
});

t.test('once there are host names, every request has to use one', async (t) => {
  for (const from of [HERE, ELSEWHERE, THROUGH_PROXY, UNTRUSTED_PROXY]) {
    for (const host of ['dns.example.com', 'DNS.Example.COM.:443', '192.0.2.1', 'localhost:80']) {
      t.notOk(isMisdirected(asked(host), from, NAMED), host);
    }
    for (const host of ['example.com', 'www.dns.example.com', 'attacker.example']) {
      t.ok(isMisdirected(asked(host), from, NAMED), host);
    }
    t.ok(isMisdirected(asked(undefined), from, NAMED), 'a program of HTTP/1.0 that names no host');
  }
});

t.test('the host in a target that is a whole URL counts', async (t) => {
  t.ok(isMisdirected(asked('localhost', 'http://attacker.example/api/health'), HERE, ANY_NAME));
  t.notOk(isMisdirected(asked('attacker.example', 'http://localhost:80/api/health'), HERE, ANY_NAME));
  t.notOk(isMisdirected(asked('localhost', '/?http://attacker.example/'), HERE, ANY_NAME));
});

t.test('a page is of another origin unless host and port are the same', async (t) => {
  const ROWS: readonly (readonly [origin: string | undefined, host: string, foreign: boolean])[] = [
    [undefined, 'dns.example.com', false],
    ['https://dns.example.com', 'dns.example.com', false],
    ['https://dns.example.com', 'DNS.example.com:443', false],
    ['http://dns.example.com:80', 'dns.example.com', false],
    ['http://localhost:8053', 'localhost:8053', false],
    ['http://[::1]:8053', '[::1]:8053', false],
    ['http://localhost:8054', 'localhost:8053', true],
    ['http://localhost', 'localhost:8053', true],
    ['http://dns.example.com', 'dns.example.com:443', true],
    ['https://attacker.example', 'dns.example.com', true],
    ['https://dns.example.com.attacker.example', 'dns.example.com', true],
    ['null', 'dns.example.com', true],
    ['', 'dns.example.com', true],
    ['moz-extension://dns.example.com', 'dns.example.com', true],
  ];
  for (const [origin, host, foreign] of ROWS) {
    const headers = { host, ...(origin === undefined ? {} : { origin }) };
    t.equal(isForeign({ url: '/', headers }), foreign, `${origin} at ${host}`);
  }
});

t.test('DNS rebinding comes to nothing', async (t) => {
  const { service, engine } = await startTestService(t);
  const body = '{"name":"a"}';
  const rebound = {
    Host: `attacker.example:${service.port}`,
    Origin: `http://attacker.example:${service.port}`,
  };
  for (const [method, path, sent] of [
    ['POST', '/api/traverse', { body }],
    ['GET', '/api/health', {}],
    ['GET', '/metrics', {}],
    ['OPTIONS', '*', {}],
  ] as const) {
    const { status, headers } = await ask(service, method, path, { headers: rebound, ...sent });
    t.equal(status, 421, `${method} ${path}`);
    t.equal(headers['content-type'], 'application/problem+json');
  }
  t.equal(engine.runs.length, 0);
  const id = await startJob(service);
  const page = { Origin: 'http://attacker.example' };
  const posted = await ask(service, 'POST', '/api/traverse', { headers: page, body });
  t.equal(posted.status, 403);
  t.equal((await ask(service, 'DELETE', `/api/traverse/${id}`, { headers: page })).status, 403);
  t.equal((await ask(service, 'GET', `/api/traverse/${id}`, { headers: page })).status, 200, 'any may read');
  const own = { Origin: `http://127.0.0.1:${service.port}` };
  t.equal((await ask(service, 'POST', '/api/traverse', { headers: own, body })).status, 202);
});

t.test('a made-up header gets a page past that, unless one option is set', async (t) => {
  const forged = { Host: 'attacker.example', 'X-Forwarded-For': '192.0.2.1' };
  for (const [what, settings, expected] of [
    ['by default', {}, 200],
    ['--trust-proxy none', { trustedProxies: [] }, 421],
    ['--host-name', { hostNames: ['dns.example.com'] }, 421],
  ] as const) {
    const { service } = await startTestService(t, settings);
    t.equal((await ask(service, 'GET', '/api/health', { headers: forged })).status, expected, what);
  }
});

t.test('with host names, HTTP/1.0 needs a host, too', async (t) => {
  const { service } = await startTestService(t, { hostNames: ['dns.example.com'] });
  for (const [head, expected] of [
    ['', /^HTTP\/1\.1 421 /],
    ['Host: dns.example.com\r\n', /^HTTP\/1\.1 200 /],
  ] as const) {
    const said = converse(t, service);
    said.write(`GET /api/health HTTP/1.0\r\n${head}\r\n`);
    t.match(await said.closed, expected);
  }
});

t.test('a page elsewhere uses up nothing of what its visitor is allowed', async (t) => {
  const rateLimit = { requests: 1n, window: 3_600_000_000_000n };
  const { service } = await startTestService(t, { rateLimit });
  const visitor = { 'X-Forwarded-For': '192.0.2.1' };
  const post = (headers: Record<string, string>) =>
    ask(service, 'POST', '/api/traverse', { headers: { ...visitor, ...headers }, body: '{"name":"a"}' });
  for (let time = 0; time < 3; time += 1) {
    t.equal((await post({ Origin: 'http://attacker.example' })).status, 403);
  }
  t.equal((await post({})).status, 202);
});

t.test('HTTP/0.9 gets nothing', async (t) => {
  const { service } = await startTestService(t);
  for (const version of ['', ' HTTP/0.9', ' HTTP/2.0', ' HTTP/1.2', ' HTTP/9.9']) {
    const said = converse(t, service);
    said.write(`GET /api/health${version}\r\nHost: localhost\r\n\r\n`);
    t.match(await said.closed, /^(?:HTTP\/1\.1 400 |$)/, version);
  }
  const short = converse(t, service);
  short.write('GET /api/health\r\n\r\n');
  t.match(await short.closed, /^(?:HTTP\/1\.1 400 |$)/);
});
