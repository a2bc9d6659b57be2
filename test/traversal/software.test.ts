import t from 'tap';
import { plainText, softwareOf } from '../../src/traversal/fingerprint.ts';

/** What servers in the wild say of their version. */
const VERSIONS: readonly (readonly [text: string, product: string, version?: string])[] = [
  ['9.18.49', 'BIND', '9.18.49'],
  ['9.20.4-1-Debian', 'BIND', '9.20.4'],
  ['9.16.50-Debian', 'BIND', '9.16.50'],
  ['9.18.28-0ubuntu0.22.04.1-Ubuntu', 'BIND', '9.18.28'],
  ['9.10.3-P4-Ubuntu', 'BIND', '9.10.3-P4'],
  ['9.11.5-P4-5.1+deb10u1-Debian', 'BIND', '9.11.5-P4'],
  ['9.9.5-9+deb8u6A~4.2.0.201702281603-Debian', 'BIND', '9.9.5'],
  ['9.11.4-P2-RedHat-9.11.4-26.P2.el7', 'BIND', '9.11.4-P2'],
  ['9.8.2rc1-RedHat-9.8.2-0.62.rc1.el6_9.2', 'BIND', '9.8.2rc1'],
  ['9.9.3-rpz2+rl.13208.13-P2-RedHat-9.9.3-4.P2.el6', 'BIND', '9.9.3-rpz2+rl.13208.13-P2'],
  ['9.9.3-rl.13207.22-P2-RedHat-9.9.3-5.P2.fc19', 'BIND', '9.9.3-rl.13207.22-P2'],
  ['9.18.30-S1', 'BIND', '9.18.30-S1'],
  ['9.9.5-W1', 'BIND', '9.9.5-W1'],
  ['9.4.2-P2.1', 'BIND', '9.4.2-P2.1'],
  ['9.5.0b1', 'BIND', '9.5.0b1'],
  ['9.6-ESV-R11-P2', 'BIND', '9.6-ESV-R11-P2'],
  ['DNS Server BIND 9.6-ESV-R7-P2', 'BIND', '9.6-ESV-R7-P2'],
  ['9.16.1 (Extended Support Version) <id:d497c32>', 'BIND', '9.16.1'],
  ['BIND 9.18.24', 'BIND', '9.18.24'],
  ['named 9.18.24', 'BIND', '9.18.24'],
  ['8.4.7-REL-NOESW', 'BIND', '8.4.7-REL'],
  ['8.2.2-P5', 'BIND', '8.2.2-P5'],
  ['4.9.11-REL', 'BIND', '4.9.11-REL'],
  ['BIND', 'BIND'],
  ['NSD 4.8.0', 'NSD', '4.8.0'],
  ['NSD 4.0.0b5', 'NSD', '4.0.0b5'],
  ['NSD ', 'NSD'],
  ['Knot DNS 3.3.4', 'Knot DNS', '3.3.4'],
  ['Knot DNS 2.5.0-dev', 'Knot DNS', '2.5.0-dev'],
  ['Knot Resolver 5.7.4', 'Knot Resolver', '5.7.4'],
  [
    'PowerDNS Authoritative Server 4.8.3 (built Mar 12 2024 10:00:00 by root@x)',
    'PowerDNS Authoritative Server',
    '4.8.3',
  ],
  [
    'PowerDNS Authoritative Server 4.2.0-rc2.995.master.g8cc411dc4',
    'PowerDNS Authoritative Server',
    '4.2.0-rc2.995.master.g8cc411dc4',
  ],
  ['PowerDNS Recursor 3.2 $Id: pdns_recursor.cc 1538 2010-03-06 11:39:03Z ahu $', 'PowerDNS Recursor', '3.2'],
  ['PowerDNS Recursor', 'PowerDNS Recursor'],
  ['Served by PowerDNS - https://www.powerdns.com/', 'PowerDNS'],
  ['Served by POWERDNS 2.9.22 $Id: packethandler.cc 1321 2008-12-06 19:44:36Z ahu $', 'PowerDNS', '2.9.22'],
  ['dnsdist 1.9.6', 'dnsdist', '1.9.6'],
  ['unbound 1.17.1', 'Unbound', '1.17.1'],
  ['Unbound', 'Unbound'],
  ['dnsmasq-2.90', 'dnsmasq', '2.90'],
  ['dnsmasq-2.63rc6', 'dnsmasq', '2.63rc6'],
  ['dnsmasq-2.76-1-ubnt2', 'dnsmasq', '2.76-1-ubnt2'],
  ['dnsmasq-pi-hole-2.80', 'dnsmasq', '2.80'],
  ['dnsmasq-pi-hole-v2.90+1', 'dnsmasq', '2.90+1'],
  ['dnsmasq-UNKNOWN', 'dnsmasq'],
  ['Microsoft DNS 10.0.14393 (383900CE)', 'Microsoft DNS', '10.0.14393'],
  ['Microsoft DNS 6.1.7601', 'Microsoft DNS', '6.1.7601'],
  ['CoreDNS-1.11.1', 'CoreDNS', '1.11.1'],
  ['gdnsd', 'gdnsd'],
  ['gdnsd 3.8.0', 'gdnsd', '3.8.0'],
  ['Technitium DNS Server', 'Technitium DNS Server'],
  ['Technitium DNS Server v13.2.2', 'Technitium DNS Server', '13.2.2'],
  ['YADIFA 2.6.5', 'YADIFA', '2.6.5'],
  ['MaraDNS version 2.0.16', 'MaraDNS', '2.0.16'],
  ['Deadwood version 3.5.0036', 'Deadwood', '3.5.0036'],
  ['djbdns-1.05', 'djbdns', '1.05'],
  ['tinydns', 'djbdns'],
  ['rbldnsd 0.997a (23 Jul 2013)', 'rbldnsd', '0.997a'],
  ['Hickory DNS 0.24.1', 'Hickory DNS', '0.24.1'],
  ['Simple DNS Plus 9.1', 'Simple DNS Plus', '9.1'],
  ['Nominum Vantio CacheServe 7.2.1.3', 'Nominum Vantio CacheServe', '7.2.1.3'],
  ['Nominum Vantio 5.4.5.1 (build 114872)', 'Nominum Vantio CacheServe', '5.4.5.1'],
  ['Nominum ANSPremier 5.4.0.0', 'Nominum Vantio AuthServe', '5.4.0.0'],
  ['Incognito DNS Service 6.4.4.2 (built Aug 10 2015) [up=15d, ser=9876]', 'Incognito DNS', '6.4.4.2'],
  ['Version: recursive-main/22386077', 'Akamai AnswerX', '22386077'],
  ['Akamai', 'Akamai'],
  ['Q9-P-7.6', 'Quad9', '7.6'],
  ['cloudflare', 'Cloudflare'],
  ['UltraDNS TLD Platform - www.ultradns.com', 'UltraDNS'],
  ['CleanBrowsing v1.5a - dns-edge-usa-west-sunnyvale-p', 'CleanBrowsing', '1.5a'],
  ['DraytekDNS-v1.2.3006', 'DrayTek DNS', '1.2.3006'],
  ['ZyWALL DNS', 'ZyWALL DNS'],
];

/** What points to nothing. */
const MUTE: readonly string[] = [
  '',
  'none',
  'unknown',
  'Go away!',
  'surely you must be joking',
  '1.2.3',
  '10.0.1',
  '9',
  '9.',
  '99.1.2',
  '9.18.49.example.com',
  '9.18.49x',
  'contact: bind@example.com',
  'not BIND 9.18.1',
  'unbounded',
  'NSDAP',
  'cloudflared',
];

/** Presentation format, and the text that people see. */
const TEXTS: readonly (readonly [presentation: string, text: string])[] = [
  ['"9.18.49"', '9.18.49'],
  ['"a" "b" ""  "c"', 'abc'],
  ['""', ''],
  ['', ''],
  ['"a b\\"c\\" \\" \\"d"', 'a b"c" " "d'],
  ['"back\\\\slash \\\\\\"quote"', 'back\\\\slash \\\\"quote'],
  ['"\\027[31mred\\000\\255"', '\\027[31mred\\000\\255'],
  [`"${'x'.repeat(255)}" "${'y'.repeat(255)}"`, 'x'.repeat(255)],
  [`"${'x'.repeat(253)}\\000yy"`, 'x'.repeat(253)],
];

t.test('the software behind a version text', async (t) => {
  for (const [text, product, version] of VERSIONS) {
    const expected = version === undefined ? { product } : { product, version };
    t.same(softwareOf({ version: text, nsid: undefined }), expected, text);
  }
  for (const text of MUTE) {
    t.equal(softwareOf({ version: text, nsid: undefined }), undefined, JSON.stringify(text));
  }
});

t.test('the software behind an identifier', async (t) => {
  const google = { product: 'Google Public DNS' };
  t.same(softwareOf({ version: undefined, nsid: 'gpdns-fra' }), google);
  t.same(softwareOf({ version: 'none', nsid: 'gpdns-fra' }), google);
  t.same(softwareOf({ version: 'NSD 4.8.0', nsid: 'gpdns-fra' }), { product: 'NSD', version: '4.8.0' });
  t.equal(softwareOf({ version: undefined, nsid: '9.18.49' }), undefined);
  t.equal(softwareOf({ version: undefined, nsid: undefined }), undefined);
});

t.test('text from the wire', async (t) => {
  for (const [presentation, text] of TEXTS) t.equal(plainText(presentation), text, presentation.slice(0, 60));
});

t.test('hostile text takes no time', async (t) => {
  for (const character of ['9', '.', '-', '9.', 'a', ' ']) {
    const text = `9.9${character.repeat(255)}!`.slice(0, 255);
    for (const prefix of ['', 'BIND ', 'dnsmasq-', 'PowerDNS Recursor ']) {
      const start = process.cpuUsage().user;
      softwareOf({ version: `${prefix}${text}`, nsid: text });
      t.ok(process.cpuUsage().user - start < 100_000, `${prefix}9.9${character}...`);
    }
  }
});
