import t from 'tap';
import { parsePrefix } from '../../src/dns/address.ts';
import {
  type Client,
  clientNetwork,
  type Headers,
  identifyClient,
  type ProxyTrust,
} from '../../src/service/client.ts';

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
