import t from 'tap';
import { parsePrefix } from '../../src/dns/address.ts';
import {
  blocksOf,
  type Client,
  clientNetwork,
  type Headers,
  identifyClient,
  type ProxyTrust,
} from '../../src/service/client.ts';
import { isForeign, isMisdirected } from '../../src/service/request.ts';
import { ask, converse } from './http-client.ts';
import { startJob, startTestService } from './test-service.ts';

const limited = (client: string): Client => ({ client, exempt: false, known: 'by-connection' });
const exempt = (client: string): Client => ({ client, exempt: true, known: 'by-connection' });
const proxied = (client: string): Client => ({ client, exempt: false, known: 'by-header' });

/** Trust in these prefixes, or in whoever connects. */
function trust(proxies: 'all' | readonly string[] = 'all', trustedHops = 1): ProxyTrust {
  if (proxies === 'all') return { trustedProxies: 'all', trustedHops };
  const prefixes = proxies.map(parsePrefix).filter((prefix) => prefix !== undefined);
  return { trustedProxies: prefixes, trustedHops };
}

const LONG = 'x'.repeat(5_000);

const PEERS: readonly (readonly [peer: string | undefined, expected: Client])[] = [
  ['192.0.2.1', limited('192.0.2.1')],
  ['192.0.2.1:4711', limited('192.0.2.1')],
  ['2001:DB8:0::1', limited('2001:db8::1')],
  ['[2001:db8::1]', limited('2001:db8::1')],
  ['[2001:db8::1]:4711', limited('2001:db8::1')],
  ['fe80::1%eth0', limited('fe80::1')],
  ['[fe80::1%eth0]:4711', limited('fe80::1')],
  ['::ffff:192.0.2.1', limited('192.0.2.1')],
  ['::ffff:c000:201', limited('192.0.2.1')],
  ['[::ffff:192.0.2.1]:4711', limited('192.0.2.1')],
  ['127.0.0.1', exempt('127.0.0.1')],
  ['127.0.0.1:4711', exempt('127.0.0.1')],
  ['127.255.255.254', exempt('127.255.255.254')],
  ['::1', exempt('::1')],
  ['0:0:0:0:0:0:0:1', exempt('::1')],
  ['[::1]', exempt('::1')],
  ['[::1]:4711', exempt('::1')],
  ['::ffff:127.0.0.1', exempt('127.0.0.1')],
  ['::ffff:7f00:1', exempt('127.0.0.1')],
  ['[::ffff:127.1.2.3]:4711', exempt('127.1.2.3')],
  ['::1:4711', limited('::1:4711')],
  ['::127.0.0.1', limited('::7f00:1')],
  ['::2', limited('::2')],
  ['128.0.0.1', limited('128.0.0.1')],
  ['126.255.255.255', limited('126.255.255.255')],
  ['127.1', limited('"127.1"')],
  ['127.0.0.1.example', limited('"127.0.0.1.example"')],
  ['127.0.0.1%lo', limited('"127.0.0.1%lo"')],
  ['0127.0.0.1', limited('"0127.0.0.1"')],
  ['localhost', limited('"localhost"')],
  ['localhost:80', limited('"localhost:80"')],
  ['unknown', limited('"unknown"')],
  ['', limited('unknown')],
  [undefined, limited('unknown')],
];

const PROXIED: readonly (readonly [what: string, headers: Headers, client: string, hops?: number])[] = [
  ['the edge\u2019s header', { 'edge-client-ip': '192.0.2.1' }, '192.0.2.1'],
  ['a forwarded address', { 'x-forwarded-for': '192.0.2.1' }, '192.0.2.1'],
  ['both: the edge\u2019s', { 'edge-client-ip': '192.0.2.1', 'x-forwarded-for': '192.0.2.2' }, '192.0.2.1'],
  ['an empty edge header', { 'edge-client-ip': '', 'x-forwarded-for': '192.0.2.2' }, '192.0.2.2'],
  ['a blank edge header', { 'edge-client-ip': ' ', 'x-forwarded-for': '192.0.2.2' }, '192.0.2.2'],
  ['an empty forwarded header', { 'edge-client-ip': '192.0.2.1', 'x-forwarded-for': '' }, '192.0.2.1'],
  ['the edge\u2019s header twice', { 'edge-client-ip': '192.0.2.9, 192.0.2.1' }, '192.0.2.1'],
  ['the edge\u2019s last, whatever the hops', { 'edge-client-ip': '192.0.2.9, 192.0.2.1' }, '192.0.2.1', 2],
  ['the last of a list', { 'x-forwarded-for': '192.0.2.1, 192.0.2.2,192.0.2.3' }, '192.0.2.3'],
  ['the last of several headers', { 'x-forwarded-for': ['192.0.2.1', '192.0.2.2, 192.0.2.3'] }, '192.0.2.3'],
  ['one hop', { 'x-forwarded-for': '192.0.2.1, 192.0.2.2, 192.0.2.3' }, '192.0.2.3', 1],
  ['two hops', { 'x-forwarded-for': '192.0.2.1, 192.0.2.2, 192.0.2.3' }, '192.0.2.2', 2],
  ['three hops', { 'x-forwarded-for': '192.0.2.1, 192.0.2.2, 192.0.2.3' }, '192.0.2.1', 3],
  ['more hops than entries', { 'x-forwarded-for': '192.0.2.1, 192.0.2.2' }, '192.0.2.1', 5],
  ['empty entries', { 'x-forwarded-for': ', 192.0.2.1, ,192.0.2.2, ,' }, '192.0.2.1', 2],
  ['only empty entries', { 'x-forwarded-for': ' , ,' }, 'unknown'],
  ['white space', { 'x-forwarded-for': '\t192.0.2.1 ' }, '192.0.2.1'],
  ['a port', { 'x-forwarded-for': '192.0.2.1:4711' }, '192.0.2.1'],
  ['an empty port', { 'x-forwarded-for': '192.0.2.1:' }, '192.0.2.1'],
  ['brackets', { 'x-forwarded-for': '[2001:db8::1]' }, '2001:db8::1'],
  ['brackets and a port', { 'x-forwarded-for': '[2001:db8::1]:4711' }, '2001:db8::1'],
  ['quotes', { 'x-forwarded-for': '"[2001:db8::1]:4711"' }, '2001:db8::1'],
  ['another spelling', { 'x-forwarded-for': '2001:0DB8:0:0::0001' }, '2001:db8::1'],
  ['a zone', { 'x-forwarded-for': 'fe80::1%25eth0' }, 'fe80::1'],
  ['an IPv4-mapped address', { 'x-forwarded-for': '::ffff:192.0.2.1' }, '192.0.2.1'],
  ['an IPv4-mapped address in hexadecimal', { 'x-forwarded-for': '[::FFFF:C000:201]:1' }, '192.0.2.1'],
  ['loopback', { 'x-forwarded-for': '127.0.0.1' }, '127.0.0.1'],
  ['loopback by the edge', { 'edge-client-ip': '::1' }, '::1'],
  ['garbage', { 'x-forwarded-for': 'unknown' }, '"unknown"'],
  ['other garbage', { 'x-forwarded-for': '_hidden' }, '"_hidden"'],
  ['garbage with quotes', { 'edge-client-ip': 'a"b\\' }, '"a\\"b\\\\"'],
  ['garbage beyond ASCII', { 'edge-client-ip': 'caf\u00e9\x7f\x9b' }, '"caf\\u00e9\\u007f\\u009b"'],
  ['numbers', { 'edge-client-ip': '3221225985' }, '"3221225985"'],
  ['long garbage', { 'edge-client-ip': LONG }, '"sha256:xZ08BIDMLXHY9kbnNektplRQMR7sRugaXbjH5uipIFQ"'],
];

function clientTold(forwarded: string): string {
  return identifyClient('192.0.2.1', { 'x-forwarded-for': forwarded }, trust()).client;
}

t.test('a direct client', async (t) => {
  for (const [peer, expected] of PEERS) {
    t.same(identifyClient(peer, {}, trust()), expected, String(peer));
    const empty = { 'edge-client-ip': '', 'x-forwarded-for': ' ' };
    t.same(identifyClient(peer, empty, trust()), expected, `${peer} with empty headers`);
  }
});

t.test('a proxied client is never exempt', async (t) => {
  for (const [what, headers, client, hops] of PROXIED) {
    for (const peer of ['192.0.2.99:1', '127.0.0.1:1', '[::1]:1', '::1', undefined]) {
      t.same(identifyClient(peer, headers, trust('all', hops)), proxied(client), `${what}, from ${peer}`);
    }
  }
});

t.test('only a trusted proxy says who the client is', async (t) => {
  const TRUSTED = ['10.0.0.0/8', '2001:db8::/48', '192.0.2.7'];
  const headers = { 'edge-client-ip': '198.51.100.1', 'x-forwarded-for': '198.51.100.2' };
  for (const [peer, trusted, expected] of [
    ['10.1.2.3', TRUSTED, proxied('198.51.100.1')],
    ['::ffff:10.1.2.3', TRUSTED, proxied('198.51.100.1')],
    ['[2001:db8::1]:4711', TRUSTED, proxied('198.51.100.1')],
    ['192.0.2.7', TRUSTED, proxied('198.51.100.1')],
    ['192.0.2.8', TRUSTED, limited('192.0.2.8')],
    ['2001:db8:1::1', TRUSTED, limited('2001:db8:1::1')],
    ['127.0.0.1', TRUSTED, limited('127.0.0.1')],
    ['::1', [], limited('::1')],
    ['10.1.2.3', [], limited('10.1.2.3')],
    [undefined, TRUSTED, limited('unknown')],
  ] as const) {
    t.same(identifyClient(peer, headers, trust(trusted)), expected, `${peer} of ${trusted}`);
    const forwarded = { 'x-forwarded-for': '198.51.100.1' };
    t.same(identifyClient(peer, forwarded, trust(trusted)), expected, `${peer} of ${trusted}`);
  }
  t.same(identifyClient('127.0.0.1', {}, trust([])), exempt('127.0.0.1'), 'no header: this host itself');
});

t.test('what nobody should send is told apart, in bounded and printable text', async (t) => {
  const garbage = [
    '::',
    '['.repeat(100),
    ']:1'.repeat(5_000),
    ':'.repeat(16_000),
    '%'.repeat(16_000),
    '\u0000',
    LONG,
  ];
  const clients = garbage.map((text) => clientTold(text));
  t.equal(new Set(clients).size, garbage.length);
  for (const client of clients) t.match(client, /^[ -~]{1,64}$/);
  t.not(clientTold(`${LONG}1`), clientTold(`${LONG}2`));
});

t.test('no hops are a mistake of the caller', async (t) => {
  for (const hops of [0, -1, Number.NaN]) {
    t.throws(() => identifyClient('192.0.2.1', {}, trust('all', hops)), RangeError);
  }
});

t.test('an IPv6 client shares with its network, any other stands for itself', async (t) => {
  for (const [client, bits, expected] of [
    ['2001:db8:1:2:3:4:5:6', undefined, '2001:db8:1:2::/64'],
    ['2001:db8:1:2::7', undefined, '2001:db8:1:2::/64'],
    ['2001:db8:1:3::7', undefined, '2001:db8:1:3::/64'],
    ['2001:db8:1:2::7', 48, '2001:db8:1::/48'],
    ['2001:db8:1:2::7', 128, '2001:db8:1:2::7'],
    ['192.0.2.1', undefined, '192.0.2.1'],
    ['"::x"', undefined, '"::x"'],
    ['unknown', undefined, 'unknown'],
  ] as const) {
    t.equal(clientNetwork(client, bits), expected);
  }
});

t.test('a party shares turns with the networks that it is in', async (t) => {
  for (const [party, above] of [
    ['192.0.2.1', ['192.0.2.0/24']],
    ['2001:db8:1:2::/64', ['2001:db8:1::/56', '2001:db8:1::/48']],
    ['this host', []],
    ['unknown', []],
    ['"10.0.0.1/8"', []],
  ] as const) {
    t.same(
      blocksOf(party).map(({ name }) => name),
      [party, ...above],
    );
  }
});

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
