/* Faults of answers and of the protocol, each in a world that is healthy otherwise. */

import type { PlantedRow } from './planted-row.ts';

const NS2 = 'ns2.shop.test';
const OF_NS2 = 'The operator of ns2.shop.test';
const OWNER = 'The owner of shop.test';
const OLD = 'www A 203.0.113.99';

export const FAULTY_ANSWERS: Readonly<Record<string, PlantedRow>> = {
  'an older version': {
    in: 'two servers in the zone',
    change: {
      zones: { 'shop.test': { serial: 5 } },
      at: { [NS2]: { 'shop.test': { serial: 4, records: OLD } } },
    },
    tells: { finds: ['SOA_SERIAL_DIFFERS ns2.shop.test: everything'], acts: OF_NS2, status: 'differs' },
  },
  'an older version with the same answer': {
    in: 'a hoster with glue',
    change: {
      zones: { 'shop.test': { serial: 5 } },
      at: { 'ns2.host.test': { 'shop.test': { serial: 4 } } },
    },
    tells: {
      finds: ['SOA_SERIAL_DIFFERS ns2.host.test: everything'],
      acts: 'The operator of ns2.host.test',
      status: 'ok',
    },
  },
  'a primary with a lowered serial': {
    in: 'two servers in the zone',
    change: {
      zones: { 'shop.test': { serial: 5 } },
      at: { 'ns1.shop.test': { 'shop.test': { serial: 1, records: OLD } } },
    },
    tells: { finds: ['SOA_SERIAL_LOWERED ns1.shop.test: everything'], acts: OWNER, status: 'differs' },
  },
  'other data by the same serial': {
    in: 'five servers',
    change: { at: { 'ns4.shop.test': { 'shop.test': { records: 'www AAAA 2001:db8::99' } } } },
    tells: { finds: ['ANSWERS_DIFFER shop.test'], acts: OWNER, status: 'differs' },
  },
  'NXDOMAIN by type': {
    in: 'two servers in the zone',
    change: {
      zones: { 'shop.test': { records: 'www A 203.0.113.80' } },
      faults: { 'ns1.shop.test': [{ kind: 'denies-nodata' }], [NS2]: [{ kind: 'denies-nodata' }] },
    },
    tells: {
      finds: [
        'NXDOMAIN_BY_TYPE ns1.shop.test: www.shop.test AAAA',
        'NXDOMAIN_BY_TYPE ns2.shop.test: www.shop.test AAAA',
      ],
      acts: 'The operators of ns1.shop.test and ns2.shop.test',
      status: 'slow',
    },
  },
  'NXDOMAIN by type at one server': {
    in: 'no AAAA record',
    change: { faults: { [NS2]: [{ kind: 'denies-nodata' }] } },
    tells: { finds: ['NXDOMAIN_BY_TYPE ns2.shop.test: www.shop.test AAAA'], acts: OF_NS2, status: 'differs' },
  },
  'NXDOMAIN for an empty non-terminal': {
    in: 'below empty non-terminals',
    change: { faults: { [NS2]: [{ kind: 'denies-nodata', only: { name: 'a.b.c.shop.test' } }] } },
    tells: { finds: ['NXDOMAIN_ON_ENT ns2.shop.test: a.b.c.shop.test A'], acts: OF_NS2, status: 'slow' },
  },
  'no reply for an empty non-terminal': {
    in: 'below empty non-terminals',
    change: {
      faults: {
        'ns1.shop.test': [{ kind: 'dead', only: { name: 'b.c.shop.test' } }],
        [NS2]: [{ kind: 'dead', only: { name: 'b.c.shop.test' } }],
      },
      options: { timeoutMs: 300, retries: 2 },
    },
    tells: {
      finds: [
        'NS_NO_RESPONSE_UDP ns1.shop.test: b.c.shop.test A NS',
        'NS_NO_RESPONSE_UDP ns2.shop.test: b.c.shop.test A NS',
      ],
      acts: 'The operators of ns1.shop.test and ns2.shop.test, or the owner of shop.test',
      status: 'partial',
    },
  },
  'denials without SOA record': {
    in: 'a name that does not exist',
    change: { faults: { [NS2]: [{ kind: 'without-authority' }] } },
    tells: {
      finds: ['NEGATIVE_WITHOUT_SOA ns2.shop.test: no.such.shop.test such.shop.test A NS'],
      acts: OF_NS2,
      status: 'ok',
    },
  },
  'NODATA without SOA record': {
    in: 'two servers in the zone',
    change: {
      zones: { 'shop.test': { records: 'www A 203.0.113.80' } },
      faults: { [NS2]: [{ kind: 'without-authority' }] },
    },
    tells: {
      finds: ['NEGATIVE_WITHOUT_SOA ns2.shop.test: www.shop.test AAAA CAA'],
      acts: OF_NS2,
      status: 'ok',
    },
  },
  'aliases in a circle': {
    in: 'an alias to another zone',
    change: { zones: { 'cdn.example': { records: 'www CNAME www.shop.test.' } } },
    tells: { finds: ['CNAME_LOOP cdn.example'], acts: 'The owner of cdn.example', status: 'broken' },
  },
  'ten aliases in a row': {
    in: 'an alias in the zone',
    change: {
      zones: {
        'shop.test': {
          records: [
            'www CNAME a1',
            ...Array.from({ length: 9 }, (_, at) => `a${at + 1} CNAME a${at + 2}`),
            'a10 A 203.0.113.80',
          ].join('\n'),
        },
      },
    },
    tells: { finds: ['CNAME_CHAIN_LONG shop.test'], acts: OWNER, status: 'ok' },
  },
  'an alias to nothing': {
    in: 'an alias to another zone',
    change: { zones: { 'shop.test': { records: 'www CNAME old.cdn.example.' } } },
    tells: { finds: ['CNAME_DANGLING shop.test'], acts: OWNER, status: 'ok' },
  },
  'an alias to a zone that nobody has registered': {
    in: 'signed, an alias',
    change: { zones: { 'shop.test': { records: 'www CNAME www.gone.test.' } } },
    tells: { finds: ['CNAME_DANGLING shop.test'], acts: OWNER, status: 'ok' },
  },
  'EDNS is refused': {
    in: 'two servers in the zone',
    change: { faults: { [NS2]: [{ kind: 'rejects-edns', with: 'FORMERR' }] } },
    tells: { finds: ['EDNS_BREAKS ns2.shop.test: everything'], acts: OF_NS2, status: 'slow' },
  },
  'EDNS is refused, and the zone is signed': {
    in: 'signed, NSEC',
    change: { faults: { [NS2]: [{ kind: 'rejects-edns', with: 'NOTIMP' }] } },
    tells: { finds: ['EDNS_BREAKS ns2.shop.test: everything'], acts: OF_NS2, status: 'partial' },
  },
  'no reply to EDNS': {
    in: 'IPv4 alone',
    change: { faults: { [NS2]: [{ kind: 'rejects-edns', with: 'silence' }] } },
    tells: { finds: ['EDNS_BREAKS ns2.shop.test: everything'], acts: OF_NS2, status: 'slow' },
  },
  'every version of EDNS': {
    in: 'a hoster without glue',
    change: { faults: { 'ns2.host.test': [{ kind: 'ignores-edns-version' }] } },
    tells: {
      finds: ['EDNS_ABSENT_OR_WRONG ns2.host.test'],
      acts: 'The operator of ns2.host.test',
      status: 'ok',
    },
  },
  'options come back': {
    in: 'signed, NSEC3',
    change: { faults: { [NS2]: [{ kind: 'echoes-options' }] } },
    tells: { finds: ['EDNS_ABSENT_OR_WRONG ns2.shop.test'], acts: OF_NS2, status: 'ok' },
  },
  'TCP is closed': {
    in: 'two servers in the zone',
    change: { faults: { [NS2]: [{ kind: 'closed-port', only: { transport: 'tcp' } }] } },
    tells: { finds: ['TCP_UNREACHABLE ns2.shop.test'], acts: OF_NS2, status: 'ok' },
  },
  'TCP is closed, and the answer large': {
    in: 'an answer too large for UDP',
    change: { faults: { [NS2]: [{ kind: 'closed-port', only: { transport: 'tcp' } }] } },
    tells: { finds: ['TCP_UNREACHABLE ns2.shop.test: TXT'], acts: OF_NS2, status: 'slow' },
  },
  'TCP is silent at both servers, and the answer large': {
    in: 'an answer too large for UDP',
    change: {
      faults: {
        'ns1.shop.test': [{ kind: 'dead', only: { transport: 'tcp' } }],
        [NS2]: [{ kind: 'dead', only: { transport: 'tcp' } }],
      },
    },
    tells: {
      finds: ['TCP_UNREACHABLE ns1.shop.test: TXT', 'TCP_UNREACHABLE ns2.shop.test: TXT'],
      acts: 'The operators of ns1.shop.test and ns2.shop.test',
      status: 'broken',
    },
  },
  'replies cut short over TCP, too': {
    in: 'two servers in the zone',
    change: { faults: { [NS2]: [{ kind: 'truncates' }] } },
    tells: { finds: ['REPLY_MALFORMED ns2.shop.test: everything'], acts: OF_NS2, status: 'partial' },
  },
  'connections that end in the middle of a reply': {
    in: 'an answer too large for UDP',
    change: { faults: { [NS2]: [{ kind: 'tcp-closes', after: 100 }] } },
    tells: { finds: ['TCP_UNREACHABLE ns2.shop.test: TXT'], acts: OF_NS2, status: 'slow' },
  },
};
