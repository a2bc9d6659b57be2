/* Faults of delegations, each in a world that is healthy otherwise. */

import type { PlantedRow } from './planted-row.ts';

const OWNER = 'The owner of shop.test';
const NEW_SERVER = 'www A 203.0.113.80\nwww AAAA 2001:db8:80::80';

export const FAULTY_DELEGATIONS: Readonly<Record<string, PlantedRow>> = {
  'no glue': {
    in: 'two servers in the zone',
    change: { glue: { 'ns2.shop.test': '' } },
    tells: { finds: ['GLUE_MISSING ns2.shop.test'], acts: OWNER, status: 'slow' },
  },
  'no glue of one family': {
    in: 'signed, NSEC',
    change: { glue: { 'ns2.shop.test': '4' } },
    tells: { finds: ['GLUE_MISSING_FAMILY ns2.shop.test'], acts: OWNER, status: 'ok' },
  },
  'old glue in the zone, where nobody is': {
    in: 'two servers in the zone',
    change: {
      glue: { 'ns2.shop.test': '192.0.2.200' },
      hosts: { 'gone.invalid': '192.0.2.200' },
      faults: { 'gone.invalid': [{ kind: 'dead' }] },
    },
    tells: { finds: ['GLUE_MISMATCH ns2.shop.test'], acts: OWNER, status: 'slow' },
  },
  'old glue in the zone, where somebody refuses': {
    in: 'IPv4 alone',
    change: { glue: { 'ns2.shop.test': '192.0.2.200' }, hosts: { 'other.invalid': '192.0.2.200' } },
    tells: { finds: ['GLUE_MISMATCH ns2.shop.test'], acts: OWNER, status: 'slow' },
  },
  'old glue of a hoster, where somebody refuses': {
    in: 'a hoster with glue',
    change: {
      glue: { 'ns2.host.test': '192.0.2.200 2001:db8::200' },
      hosts: { 'other.invalid': '192.0.2.200 2001:db8::200' },
    },
    tells: {
      finds: ['GLUE_FOREIGN_MISMATCH ns2.host.test'],
      acts: OWNER,
      status: 'slow',
    },
  },
  'old glue of a hoster, where nobody is': {
    in: 'a hoster with glue',
    change: {
      glue: { 'ns1.host.test': '192.0.2.200' },
      hosts: { 'gone.invalid': '192.0.2.200' },
      faults: { 'gone.invalid': [{ kind: 'dead' }] },
    },
    tells: {
      finds: ['GLUE_FOREIGN_MISMATCH ns1.host.test'],
      acts: OWNER,
      status: 'slow',
    },
  },
  'old glue of a hoster below another top-level domain': {
    in: 'a hoster below another top-level domain',
    change: { glue: { 'ns1.host.example': '192.0.2.200' }, hosts: { 'other.invalid': '192.0.2.200' } },
    tells: { finds: ['GLUE_MISMATCH ns1.host.example'], acts: 'The owner of host.example', status: 'slow' },
  },
  'the zone names one server more': {
    in: 'two servers in the zone',
    change: { zones: { 'shop.test': { own: 'ns1 ns2 ns3' } } },
    tells: { finds: ['PARENT_CHILD_NS_DIFFER shop.test'], acts: OWNER, status: 'ok' },
  },
  'the zone names one server less': {
    in: 'five servers',
    change: { zones: { 'shop.test': { own: 'ns1 ns2 ns3 ns4' } } },
    tells: { finds: ['PARENT_CHILD_NS_DIFFER shop.test'], acts: OWNER, status: 'ok' },
  },
  'the zone names other servers': {
    in: 'a hoster with glue',
    change: { zones: { 'shop.test': { own: 'ns1 ns2', records: NEW_SERVER } } },
    tells: { finds: ['PARENT_CHILD_NS_DISJOINT shop.test'], acts: OWNER, status: 'slow' },
  },
  'a server that does not exist': {
    in: 'a hoster without glue',
    change: {
      zones: { 'shop.test': { ns: 'ns1.host.test. ns2.host.test. ns3.host.test.' } },
      hosts: { 'ns3.host.test': '' },
    },
    tells: { finds: ['NS_UNRESOLVABLE ns3.host.test'], acts: OWNER, status: 'slow' },
  },
  'a server in a domain that nobody has registered': {
    in: 'signed, NSEC',
    change: { zones: { 'shop.test': { ns: 'ns1 ns2 ns.gone.test.' } }, hosts: { 'ns.gone.test': '' } },
    tells: { finds: ['NS_DOMAIN_UNREGISTERED ns.gone.test'], acts: OWNER, status: 'slow' },
  },
  'two zones that need each other': {
    in: 'a hoster without glue',
    change: {
      zones: {
        'host.test': { ns: 'a.other.test. b.other.test.' },
        'other.test': { ns: 'ns1.host.test. ns2.host.test.' },
      },
    },
    tells: {
      finds: ['DEPENDENCY_CYCLE ns1.host.test', 'DEPENDENCY_CYCLE ns2.host.test'],
      acts: 'The owner of host.test',
      status: 'broken',
    },
  },
  'an address more in the glue of a hoster, where nobody is': {
    in: 'a hoster with glue',
    change: {
      hosts: { 'ns1.host.test': '4', 'ns2.host.test': '4', 'gone.invalid': '2001:db8::200' },
      glue: { 'ns2.host.test': '4 2001:db8::200' },
      faults: { 'gone.invalid': [{ kind: 'dead' }] },
    },
    tells: { finds: ['GLUE_FOREIGN_MISMATCH ns2.host.test'], acts: OWNER, status: 'slow' },
  },
  'one server': {
    in: 'a wildcard',
    change: { zones: { 'shop.test': { ns: 'ns1' } } },
    tells: { finds: ['NS_COUNT_LOW ns1.shop.test'], acts: OWNER, status: 'slow' },
  },
  'one machine by two names': {
    in: 'two servers in the zone',
    change: {
      hosts: { 'ns2.shop.test': '' },
      glue: { 'ns2.shop.test': '192.0.2.5 2001:db8:1::5' },
      named: { 'ns2.shop.test': '192.0.2.5 2001:db8:1::5' },
    },
    tells: { finds: ['NS_SAME_ADDRESS ns1.shop.test'], acts: OWNER, status: 'slow' },
  },
  'IPv6 alone': {
    in: 'a hoster below another top-level domain',
    change: { hosts: { 'ns1.host.example': '6', 'ns2.host.example': '6' } },
    tells: {
      finds: ['NS_NO_IPV4 host.example', 'NS_NO_IPV4 shop.test'],
      acts: 'The owner of host.example',
      status: 'partial',
    },
  },
  'a private address': {
    in: 'two servers in the zone',
    change: { hosts: { 'ns2.shop.test': '10.1.2.3' } },
    tells: { finds: ['NS_ADDR_NOT_GLOBAL ns2.shop.test'], acts: OWNER, status: 'ok' },
  },
  'a name with an underscore': {
    in: 'two servers in the zone',
    change: { zones: { 'shop.test': { ns: 'ns1 ns_2' } } },
    tells: { finds: ['NS_NAME_SYNTAX ns_2.shop.test'], acts: OWNER, status: 'ok' },
  },
  'an address as a name': {
    in: 'two servers in the zone',
    change: { zones: { 'shop.test': { ns: 'ns1 ns2 192.0.2.6.' } }, hosts: { '192.0.2.6': '' } },
    tells: { finds: ['NS_NAME_SYNTAX 192.0.2.6'], acts: OWNER, status: 'slow' },
  },
  'servers of the registry that differ': {
    in: 'two servers in the zone',
    change: { at: { 'b.nic.test': { test: { delegations: { 'shop.test': 'ns1' } } } } },
    tells: {
      finds: ['PARENT_INCONSISTENT shop.test'],
      acts: 'The operators of the servers above shop.test',
      status: 'slow',
    },
  },
  'a server of the registry that has an older version': {
    in: 'two servers in the zone',
    change: {
      zones: { test: { serial: 5 } },
      at: { 'b.nic.test': { test: { serial: 4, delegations: { 'shop.test': 'old1 old2' } } } },
      hosts: { 'old1.shop.test': '4', 'old2.shop.test': '4' },
    },
    tells: {
      finds: ['SOA_SERIAL_DIFFERS b.nic.test: everything'],
      acts: 'The operator of b.nic.test',
      status: 'partial',
    },
  },
  'a server of the registry that does not know the zone': {
    in: 'signed, NSEC3',
    change: { at: { 'b.nic.test': { test: { serial: 0, delegations: { 'shop.test': '' } } } } },
    tells: {
      finds: ['SOA_SERIAL_DIFFERS b.nic.test: everything'],
      acts: 'The operator of b.nic.test',
      status: 'differs',
    },
  },
  'one server names fewer servers': {
    in: 'five servers',
    change: { at: { 'ns5.shop.test': { 'shop.test': { own: 'ns1 ns2' } } } },
    tells: {
      finds: ['CHILD_NS_SETS_DIFFER shop.test'],
      acts: 'The operators of the servers of shop.test',
      status: 'ok',
    },
  },
  'a zone that nobody moved': {
    in: 'parent and child share a server',
    change: { at: { 'ns2.dept.firm.test': { 'dept.firm.test': 'none' } } },
    tells: {
      finds: ['NS_REFUSED ns2.dept.firm.test: everything'],
      acts: 'The operator of ns2.dept.firm.test, or the owner of dept.firm.test',
      status: 'slow',
    },
  },
};
