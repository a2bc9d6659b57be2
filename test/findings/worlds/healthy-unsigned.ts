/* Worlds in which nothing is wrong, their zones below top-level domains not signed. */

import type { WorldRow } from './world-row.ts';

const WWW = 'www A 203.0.113.80\nwww AAAA 2001:db8:80::80';
/** The zone of a hoster, whose servers serve the zones of others. */
const HOST = { ns: 'ns1 ns2', records: WWW } as const;
const AT_HOST = 'ns1.host.test. ns2.host.test.';

/** By what they are like. */
export const UNSIGNED = {
  'two servers in the zone': {
    ask: 'www.shop.test A',
    zones: { 'shop.test': { ns: 'ns1 ns2', records: WWW } },
  },
  'IPv4 alone': {
    ask: 'www.shop.test A',
    zones: { 'shop.test': { ns: 'ns1 ns2', records: WWW } },
    families: '4',
  },
  'five servers': {
    ask: 'www.shop.test AAAA',
    zones: { 'shop.test': { ns: 'ns1 ns2 ns3 ns4 ns5', records: WWW } },
  },
  'a server with several addresses': {
    ask: 'www.shop.test A',
    zones: { 'shop.test': { ns: 'ns1 ns2', records: WWW } },
    hosts: { 'ns1.shop.test': '4 4 6 6' },
  },
  'one server with IPv4 and one with IPv6 alone': {
    ask: 'www.shop.test A',
    zones: { 'shop.test': { ns: 'ns1 ns2 ns3 ns4', records: WWW } },
    hosts: { 'ns1.shop.test': '4', 'ns2.shop.test': '4', 'ns3.shop.test': '6', 'ns4.shop.test': '6' },
  },
  'a hoster with glue': {
    ask: 'www.shop.test A',
    zones: { 'host.test': HOST, 'shop.test': { ns: AT_HOST, records: WWW } },
  },
  'a hoster without glue': {
    ask: 'www.shop.test A',
    zones: { 'host.test': HOST, 'shop.test': { ns: AT_HOST, records: WWW } },
    siblings: 'without-glue',
  },
  'a hoster below another top-level domain': {
    ask: 'www.shop.test A',
    zones: {
      'host.example': HOST,
      'shop.test': { ns: 'ns1.host.example. ns2.host.example.', records: WWW },
    },
  },
  'two hosters': {
    ask: 'www.shop.test A',
    zones: {
      'host.test': HOST,
      'other.example': HOST,
      'shop.test': { ns: `${AT_HOST} ns1.other.example. ns2.other.example.`, records: WWW },
    },
    siblings: 'without-glue',
  },
  'a server in the zone and one at a hoster': {
    ask: 'www.shop.test A',
    zones: { 'host.test': HOST, 'shop.test': { ns: 'ns1 ns1.host.test.', records: WWW } },
  },
  'servers deep in the zone': {
    ask: 'www.shop.test A',
    zones: { 'shop.test': { ns: 'a.dns.net b.dns.net', records: WWW } },
  },
  'parent and child on the same servers': {
    ask: 'www.dept.firm.test A',
    zones: {
      'firm.test': { ns: 'ns1 ns2', records: WWW },
      'dept.firm.test': { ns: 'ns1.firm.test. ns2.firm.test.', records: WWW },
    },
  },
  'parent and child share a server': {
    ask: 'www.dept.firm.test A',
    zones: {
      'firm.test': { ns: 'ns1 ns2', records: WWW },
      'dept.firm.test': { ns: 'ns1.firm.test. ns2', records: WWW },
    },
  },
  'a zone on the servers of its registry': {
    ask: 'www.shop.test A',
    zones: { 'shop.test': { ns: 'a.nic.test. b.nic.test.', records: WWW } },
  },
  'own NS records in other letters': {
    ask: 'www.shop.test A',
    zones: { 'shop.test': { ns: 'ns1 ns2', own: 'NS1 Ns2.Shop.TEST.', records: WWW } },
  },
  'an alias in the zone': {
    ask: 'www.shop.test A',
    zones: { 'shop.test': { ns: 'ns1 ns2', records: 'www CNAME web\nweb A 203.0.113.80' } },
  },
  'an alias to another zone': {
    ask: 'www.shop.test A',
    zones: {
      'shop.test': { ns: 'ns1 ns2', records: 'www CNAME www.cdn.example.' },
      'cdn.example': { ns: 'ns1 ns2', records: WWW },
    },
  },
  'aliases through three zones on two hosters': {
    ask: 'www.shop.test AAAA',
    zones: {
      'host.test': HOST,
      'shop.test': { ns: AT_HOST, records: 'www CNAME shop.cdn.example.' },
      'cdn.example': { ns: 'ns1 ns2', records: 'shop CNAME eu.edge.cdn.example.' },
      'edge.cdn.example': { ns: AT_HOST, records: 'eu AAAA 2001:db8:80::1\neu A 203.0.113.1' },
    },
  },
  'a DNAME record': {
    ask: 'www.old.shop.test A',
    zones: { 'shop.test': { ns: 'ns1 ns2', records: 'old DNAME new.shop.test.\nwww.new A 203.0.113.80' } },
  },
  'a DNAME record at the apex, to another zone': {
    ask: 'www.old.test A',
    zones: {
      'old.test': { ns: AT_HOST, records: '@ DNAME shop.test.' },
      'shop.test': { ns: AT_HOST, records: WWW },
      'host.test': HOST,
    },
  },
  'a wildcard': {
    ask: 'any.shop.test A',
    zones: { 'shop.test': { ns: 'ns1 ns2', records: '* A 203.0.113.80' } },
  },
  'an alias from a wildcard': {
    ask: 'deep.any.shop.test A',
    zones: { 'shop.test': { ns: 'ns1 ns2', records: '* CNAME web.shop.test.\nweb A 203.0.113.80' } },
  },
  'an empty non-terminal is asked for': {
    ask: 'eu.shop.test A',
    zones: { 'shop.test': { ns: 'ns1 ns2', records: 'www.eu A 203.0.113.80' } },
  },
  'below empty non-terminals': {
    ask: 'www.a.b.c.shop.test A',
    zones: { 'shop.test': { ns: 'ns1 ns2', records: 'www.a.b.c A 203.0.113.80' } },
  },
  'an answer too large for UDP': {
    ask: 'big.shop.test TXT',
    zones: {
      'shop.test': {
        ns: 'ns1 ns2',
        records: Array.from({ length: 12 }, (_, at) => `big TXT "${at} ${'x'.repeat(200)}"`).join('\n'),
      },
    },
  },
  'mail hosts at another zone': {
    ask: 'shop.test MX',
    zones: {
      'shop.test': { ns: 'ns1 ns2', records: '@ MX 10 mx1.host.test.\n@ MX 20 mx2.host.test.' },
      'host.test': { ns: 'ns1 ns2', records: 'mx1 A 203.0.113.25\nmx2 A 203.0.113.26' },
    },
  },
  'a service': {
    ask: '_sip._tcp.shop.test SRV',
    zones: { 'shop.test': { ns: 'ns1 ns2', records: `${WWW}\n_sip._tcp SRV 0 5 5060 www` } },
  },
  'certification authorities': {
    ask: 'shop.test CAA',
    zones: { 'shop.test': { ns: 'ns1 ns2', records: '@ CAA 0 issue "ca.example"\n@ CAA 0 issuewild ";"' } },
  },
  'a service binding': {
    ask: 'www.shop.test HTTPS',
    zones: {
      'shop.test': { ns: 'ns1 ns2', records: `${WWW}\nwww HTTPS 1 . alpn=h2,h3 ipv4hint=203.0.113.80` },
    },
  },
  'a policy for mail, with an underscore': {
    ask: '_dmarc.shop.test TXT',
    zones: { 'shop.test': { ns: 'ns1 ns2', records: '_dmarc TXT "v=DMARC1; p=none"' } },
  },
  'a key for mail that is an alias': {
    ask: 's1._domainkey.shop.test TXT',
    zones: {
      'shop.test': { ns: 'ns1 ns2', records: 's1._domainkey CNAME s1.shop-test.dkim.host.test.' },
      'host.test': { ns: 'ns1 ns2', records: 's1.shop-test.dkim TXT "v=DKIM1; p=AAAA"' },
    },
  },
  'a challenge for a certificate that is an alias': {
    ask: '_acme-challenge.www.shop.test TXT',
    zones: {
      'shop.test': { ns: 'ns1 ns2', records: `${WWW}\n_acme-challenge.www CNAME d4b5.acme.host.test.` },
      'host.test': { ns: 'ns1 ns2' },
      'acme.host.test': { ns: 'ns1.host.test. ns2.host.test.', ttl: 60, records: 'd4b5 TXT "token"' },
    },
  },
  'no challenge for a certificate': {
    ask: '_acme-challenge.shop.test TXT',
    zones: { 'shop.test': { ns: 'ns1 ns2', records: WWW } },
  },
  'a reverse name': {
    ask: '80.113.0.203.in-addr.arpa PTR',
    zones: {
      '113.0.203.in-addr.arpa': { ns: AT_HOST, records: '80 PTR www.shop.test.' },
      'host.test': HOST,
    },
  },
  'a reverse name in a part of a network (RFC 2317)': {
    ask: '80.113.0.203.in-addr.arpa PTR',
    zones: {
      '113.0.203.in-addr.arpa': { ns: AT_HOST, records: '80 CNAME 80.64/26.113.0.203.in-addr.arpa.' },
      '64/26.113.0.203.in-addr.arpa': {
        ns: 'ns1.shop.test. ns2.shop.test.',
        records: '80 PTR www.shop.test.',
      },
      'host.test': HOST,
      'shop.test': HOST,
    },
  },
  'a reverse name of IPv6': {
    ask: `1.${'0.'.repeat(19)}8.b.d.0.1.0.0.2.ip6.arpa PTR`,
    zones: {
      '8.b.d.0.1.0.0.2.ip6.arpa': { ns: AT_HOST, records: `1.${'0.'.repeat(18)}0 PTR www.shop.test.` },
      'host.test': HOST,
    },
  },
  'no AAAA record': {
    ask: 'www.shop.test AAAA',
    zones: { 'shop.test': { ns: 'ns1 ns2', records: 'www A 203.0.113.80' } },
  },
  'a name that does not exist': {
    ask: 'no.such.shop.test A',
    zones: { 'shop.test': { ns: 'ns1 ns2', records: WWW } },
  },
  'a zone that does not exist': { ask: 'www.shop.test A', zones: { test: { ns: 'a.nic b.nic' } } },
  'TTLs that differ': {
    ask: 'www.shop.test A',
    zones: {
      test: { ns: 'a.nic b.nic', ttl: 86_400 },
      'shop.test': { ns: 'ns1 ns2', ttl: 7200, records: 'www 30 A 203.0.113.80\nwww 30 A 203.0.113.81' },
    },
  },
  'a hidden primary': {
    ask: 'www.shop.test A',
    zones: { 'shop.test': { ns: 'ns1 ns2', primary: 'primary.invalid.', records: WWW } },
  },
  'letters that are not ASCII': {
    ask: 'www.xn--bcher-kva.test A',
    zones: { 'xn--bcher-kva.test': { ns: 'ns1 ns2', records: WWW } },
  },
  'the apex': {
    ask: 'shop.test A',
    zones: { 'shop.test': { ns: 'ns1 ns2', records: '@ A 203.0.113.80\n@ MX 10 @\n@ TXT "v=spf1 mx -all"' } },
  },
  'the NS records of the zone': { ask: 'shop.test NS', zones: { 'shop.test': { ns: 'ns1 ns2' } } },
  'the SOA record of the zone': { ask: 'shop.test SOA', zones: { 'shop.test': { ns: 'ns1 ns2' } } },
  'four levels of zones': {
    ask: 'www.c.b.a.test A',
    zones: {
      'a.test': { ns: 'ns1 ns2' },
      'b.a.test': { ns: 'ns1 ns2' },
      'c.b.a.test': { ns: 'ns1 ns2', records: WWW },
    },
  },
  'a zone two labels below its parent': {
    ask: 'www.shop.co.test A',
    zones: { 'shop.co.test': { ns: 'ns1 ns2', records: WWW } },
  },
  'answers that rotate': {
    ask: 'www.shop.test A',
    zones: { 'shop.test': { ns: 'ns1 ns2' } },
    turns: {
      'ns1.shop.test': { 'shop.test': byTurns(0) },
      'ns2.shop.test': { 'shop.test': byTurns(1) },
    },
  },
  'answers with the own NS records': {
    ask: 'www.shop.test A',
    zones: { 'shop.test': { ns: 'ns1 ns2', records: WWW } },
    faults: { 'ns1.shop.test': [{ kind: 'brings-own-ns' }], 'ns2.shop.test': [{ kind: 'brings-own-ns' }] },
  },
  'servers that need a moment': {
    ask: 'www.shop.test A',
    zones: { 'shop.test': { ns: 'ns1 ns2', records: WWW } },
    faults: { 'ns1.shop.test': [{ kind: 'jitter', ms: 30 }], 'ns2.shop.test': [{ kind: 'latency', ms: 40 }] },
  },
} as const satisfies Readonly<Record<string, WorldRow>>;

/** Four addresses, one in each reply. */
function byTurns(from: number) {
  return [0, 1, 2, 3].map((turn) => ({ records: `www A 203.0.113.${((from + turn) % 4) + 1}` }));
}
