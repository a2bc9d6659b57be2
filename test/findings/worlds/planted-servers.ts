/* Faults of servers, each in a world that is healthy otherwise. */

import type { PlantedRow } from './planted-row.ts';

const NS2 = 'ns2.shop.test';
const OF_NS2 = 'The operator of ns2.shop.test';
const OF_NS2_OR_OWNER = `${OF_NS2}, or the owner of shop.test`;

export const FAULTY_SERVERS: Readonly<Record<string, PlantedRow>> = {
  'a dead server': {
    in: 'two servers in the zone',
    change: { faults: { [NS2]: [{ kind: 'dead' }] } },
    tells: {
      finds: ['NS_NO_RESPONSE_UDP ns2.shop.test: everything'],
      acts: OF_NS2_OR_OWNER,
      status: 'partial',
    },
  },
  'a dead server of a hoster': {
    in: 'a hoster without glue',
    change: { faults: { 'ns2.host.test': [{ kind: 'dead' }] } },
    tells: {
      finds: ['NS_NO_RESPONSE_UDP ns2.host.test: everything'],
      acts: 'The operator of ns2.host.test, or the owner of shop.test',
      status: 'partial',
    },
  },
  'a server on which nothing listens': {
    in: 'signed, NSEC',
    change: { faults: { [NS2]: [{ kind: 'closed-port' }] } },
    tells: {
      finds: ['NS_NO_RESPONSE_UDP ns2.shop.test: everything'],
      acts: OF_NS2_OR_OWNER,
      status: 'partial',
    },
  },
  'a dead server of the registry': {
    in: 'signed, NSEC3',
    change: { faults: { 'b.nic.test': [{ kind: 'dead' }] } },
    tells: {
      finds: ['NS_NO_RESPONSE_UDP b.nic.test: everything'],
      acts: 'The operator of b.nic.test, or the registry of test',
      status: 'partial',
    },
  },
  'an IPv6 address that is dead': {
    in: 'five servers',
    change: { faults: { 'ns3.shop.test 6': [{ kind: 'dead' }] } },
    tells: {
      finds: ['NS_V6_DEAD ns3.shop.test: everything'],
      acts: 'The operator of ns3.shop.test',
      status: 'slow',
    },
  },
  'one address of several is dead': {
    in: 'a server with several addresses',
    change: { faults: { 'ns1.shop.test': [{ kind: 'dead', only: { address: '192.0.2.65' } }] } },
    tells: {
      finds: ['NS_NO_RESPONSE_UDP ns1.shop.test: everything'],
      acts: 'The operator of ns1.shop.test, or the owner of shop.test',
      status: 'slow',
    },
  },
  'all servers are dead': {
    in: 'IPv4 alone',
    change: { faults: { 'ns1.shop.test': [{ kind: 'dead' }], [NS2]: [{ kind: 'dead' }] } },
    tells: {
      finds: ['NS_NO_RESPONSE_UDP ns1.shop.test: everything', 'NS_NO_RESPONSE_UDP ns2.shop.test: everything'],
      acts: 'The operators of ns1.shop.test and ns2.shop.test, or the owner of shop.test',
      status: 'broken',
    },
  },
  'a server without the zone': {
    in: 'two servers in the zone',
    change: { at: { [NS2]: { 'shop.test': 'none' } } },
    tells: { finds: ['NS_REFUSED ns2.shop.test: everything'], acts: OF_NS2_OR_OWNER, status: 'slow' },
  },
  'a server of a hoster without the zone': {
    in: 'aliases through three zones on two hosters',
    change: { at: { 'ns2.host.test': { 'edge.cdn.example': 'none' } } },
    tells: {
      finds: ['NS_REFUSED ns2.host.test: everything'],
      acts: 'The operator of ns2.host.test, or the owner of edge.cdn.example',
      status: 'slow',
    },
  },
  'no server of a hoster has the zone': {
    in: 'a hoster with glue',
    change: { at: { 'ns1.host.test': { 'shop.test': 'none' }, 'ns2.host.test': { 'shop.test': 'none' } } },
    tells: { finds: ['NS_PROVIDER_DANGLING shop.test'], acts: 'The owner of shop.test', status: 'broken' },
  },
  'a type is refused': {
    in: 'two servers in the zone',
    change: { faults: { [NS2]: [{ kind: 'rcode', rcode: 'REFUSED', only: { type: 'AAAA' } }] } },
    tells: { finds: ['NS_REFUSED ns2.shop.test: AAAA'], acts: OF_NS2_OR_OWNER, status: 'ok' },
  },
  'SERVFAIL to everything': {
    in: 'parent and child share a server',
    change: { faults: { 'ns2.dept.firm.test': [{ kind: 'rcode', rcode: 'SERVFAIL' }] } },
    tells: {
      finds: ['NS_SERVFAIL ns2.dept.firm.test: everything'],
      acts: 'The operator of ns2.dept.firm.test',
      status: 'slow',
    },
  },
  'SERVFAIL to a type': {
    in: 'a policy for mail, with an underscore',
    change: { faults: { [NS2]: [{ kind: 'rcode', rcode: 'SERVFAIL', only: { type: 'TXT' } }] } },
    tells: { finds: ['NS_SERVFAIL ns2.shop.test: TXT'], acts: OF_NS2, status: 'slow' },
  },
  'SERVFAIL to a name': {
    in: 'two servers in the zone',
    change: { faults: { [NS2]: [{ kind: 'rcode', rcode: 'SERVFAIL', only: { name: 'www.shop.test' } }] } },
    tells: { finds: ['NS_SERVFAIL ns2.shop.test: www.shop.test A'], acts: OF_NS2, status: 'slow' },
  },
  'SERVFAIL to the SOA question alone': {
    in: 'a hidden primary',
    change: { faults: { [NS2]: [{ kind: 'rcode', rcode: 'SERVFAIL', only: { type: 'SOA' } }] } },
    tells: { finds: ['NS_SERVFAIL ns2.shop.test: SOA'], acts: OF_NS2, status: 'ok' },
  },
  'NOTIMP to everything': {
    in: 'an alias in the zone',
    change: { faults: { [NS2]: [{ kind: 'rcode', rcode: 'NOTIMP' }] } },
    tells: { finds: ['NS_FORMERR_NOTIMP ns2.shop.test: everything'], acts: OF_NS2, status: 'slow' },
  },
  'a referral to the root': {
    in: 'two servers in the zone',
    change: { faults: { [NS2]: [{ kind: 'lame', zone: '.', ns: ['a.root.', 'b.root.'] }] } },
    tells: { finds: ['NS_UPWARD_REFERRAL ns2.shop.test: everything'], acts: OF_NS2_OR_OWNER, status: 'slow' },
  },
  'a referral to the zone itself': {
    in: 'a wildcard',
    change: { faults: { [NS2]: [{ kind: 'lame', zone: 'shop.test.', ns: ['ns1.shop.test.'] }] } },
    tells: {
      finds: ['NS_SIDEWAYS_REFERRAL ns2.shop.test: everything'],
      acts: OF_NS2_OR_OWNER,
      status: 'differs',
    },
  },
  'empty replies': {
    in: 'the apex',
    change: { faults: { [NS2]: [{ kind: 'empty' }] } },
    tells: {
      finds: ['NS_EMPTY_NOERROR ns2.shop.test: everything'],
      acts: OF_NS2_OR_OWNER,
      status: 'differs',
    },
  },
  'no AA bit': {
    in: 'two servers in the zone',
    change: { faults: { [NS2]: [{ kind: 'not-authoritative' }] } },
    tells: {
      finds: ['NS_NOT_AUTHORITATIVE ns2.shop.test: everything'],
      acts: OF_NS2_OR_OWNER,
      status: 'slow',
    },
  },
  'no AA bit on aliases': {
    in: 'an alias to another zone',
    change: { faults: { [NS2]: [{ kind: 'not-authoritative' }] } },
    tells: {
      finds: ['NS_NOT_AUTHORITATIVE ns2.shop.test: everything'],
      acts: OF_NS2_OR_OWNER,
      status: 'slow',
    },
  },
  'SERVFAIL for a zone at a server of its parent': {
    in: 'a hoster of a zone and of the one below',
    change: {
      faults: {
        'ns1.host.example': [{ kind: 'rcode', rcode: 'SERVFAIL', only: { zone: 'dept.firm.test' } }],
      },
    },
    tells: {
      finds: ['NS_SERVFAIL ns1.host.example: everything'],
      acts: 'The operator of ns1.host.example',
      status: 'slow',
    },
  },
  'recursion for everybody': {
    in: 'IPv4 alone',
    change: { faults: { [NS2]: [{ kind: 'recurses' }] } },
    tells: { finds: ['OPEN_RECURSION ns2.shop.test'], acts: OF_NS2, status: 'ok' },
  },
  'replies with another ID': {
    in: 'two servers in the zone',
    change: { faults: { [NS2]: [{ kind: 'wrong-id' }] } },
    tells: { finds: ['REPLY_QUESTION_MISMATCH ns2.shop.test: everything'], acts: OF_NS2, status: 'partial' },
  },
  'replies to another question': {
    in: 'signed, NSEC',
    change: { faults: { [NS2]: [{ kind: 'wrong-question' }] } },
    tells: { finds: ['REPLY_QUESTION_MISMATCH ns2.shop.test: everything'], acts: OF_NS2, status: 'partial' },
  },
  garbage: {
    in: 'the NS records of the zone',
    change: { faults: { [NS2]: [{ kind: 'garbage' }] } },
    tells: { finds: ['REPLY_MALFORMED ns2.shop.test: everything'], acts: OF_NS2, status: 'partial' },
  },
  'addresses of three octets': {
    in: 'two servers in the zone',
    change: { faults: { [NS2]: [{ kind: 'cuts-data', type: 'A' }] } },
    tells: { finds: ['RDATA_MALFORMED ns2.shop.test: www.shop.test A'], acts: OF_NS2, status: 'differs' },
  },
  'letters are not kept': {
    in: 'a hoster with glue',
    change: { faults: { 'ns2.host.test': [{ kind: 'lowers-case' }] } },
    tells: {
      finds: ['NS_MANGLES_CASE ns2.host.test: everything'],
      acts: 'The operator of ns2.host.test',
      status: 'ok',
    },
  },
  'queries are lost': {
    in: 'two servers in the zone',
    change: {
      faults: { [NS2]: [{ kind: 'loss', ratio: 0.4, only: { transport: 'udp' } }] },
      options: { timeoutMs: 300, retries: 4 },
    },
    tells: { finds: ['NS_LOSSY ns2.shop.test: everything'], acts: OF_NS2, status: 'ok' },
  },
};
