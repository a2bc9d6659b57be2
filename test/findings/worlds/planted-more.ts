/* Faults that one more question shows, or two zones together, each in a world that is healthy otherwise. */

import type { PlantedRow } from './planted-row.ts';

const NS2 = 'ns2.shop.test';
const OF_NS2 = 'The operator of ns2.shop.test';
const OWNER = 'The owner of shop.test';

export const FURTHER_FAULTS: Readonly<Record<string, PlantedRow>> = {
  'glue with one address more, which is dead': {
    in: 'IPv4 alone',
    change: {
      glue: { [NS2]: '4 192.0.2.200' },
      hosts: { 'gone.invalid': '192.0.2.200' },
      faults: { 'gone.invalid': [{ kind: 'dead' }] },
    },
    tells: { finds: ['GLUE_EXTRA ns2.shop.test'], acts: OWNER, status: 'slow' },
  },
  'a name server that is an alias': {
    in: 'a hoster without glue',
    change: {
      hosts: { 'ns3.host.test': '', 'dns.host.test': '4 6' },
      at: { 'dns.host.test': { 'shop.test': {} } },
      zones: {
        'host.test': { records: 'ns3 CNAME dns' },
        'shop.test': { ns: 'ns1.host.test. ns2.host.test. ns3.host.test.' },
      },
    },
    tells: { finds: ['NS_IS_ALIAS ns3.host.test'], acts: OWNER, status: 'slow' },
  },
  'a name that one server does not have': {
    in: 'a hidden primary',
    change: { at: { [NS2]: { 'shop.test': { records: 'other A 203.0.113.80' } } } },
    tells: {
      finds: ['EXISTENCE_DIFFERS shop.test'],
      acts: 'The operators of the servers of shop.test',
      status: 'differs',
    },
  },
  'a subzone that its parent does not delegate': {
    in: 'signed zones on the servers of their parent',
    change: { zones: { 'firm.test': { delegations: { 'dept.firm.test': '' } } } },
    tells: { finds: ['CUT_MISSING firm.test'], acts: 'The owner of firm.test', status: 'partial' },
  },
  'a name that hides a wildcard': {
    in: 'a wildcard',
    change: { zones: { 'shop.test': { records: '* A 203.0.113.80\n_acme-challenge.any TXT "token"' } } },
    tells: { finds: ['WILDCARD_HIDDEN shop.test'], acts: OWNER, status: 'ok' },
  },
  'CAA of the zone above fails': {
    in: 'certification authorities',
    change: {
      ask: 'www.shop.test CAA',
      zones: { 'shop.test': { records: 'www A 203.0.113.80' } },
      faults: {
        'ns1.shop.test': [{ kind: 'rcode', rcode: 'SERVFAIL', only: { name: 'shop.test', type: 'CAA' } }],
        [NS2]: [{ kind: 'rcode', rcode: 'SERVFAIL', only: { name: 'shop.test', type: 'CAA' } }],
      },
    },
    tells: {
      finds: ['NS_SERVFAIL ns1.shop.test: shop.test CAA', 'NS_SERVFAIL ns2.shop.test: shop.test CAA'],
      acts: 'The operators of ns1.shop.test and ns2.shop.test',
      status: 'slow',
    },
  },
  'a mail host with an underscore': {
    in: 'mail hosts at another zone',
    change: {
      zones: {
        'shop.test': { records: '@ MX 10 mx_1.host.test.' },
        'host.test': { records: 'mx_1 A 203.0.113.25' },
      },
    },
    tells: { finds: ['TARGET_NAME_SYNTAX shop.test'], acts: OWNER, status: 'ok' },
  },
  'spoilt signatures of a denial': {
    in: 'signed, no such type, NSEC',
    change: { faults: { [NS2]: [{ kind: 'flawed-signatures', flaw: 'spoilt', covering: 'NSEC' }] } },
    tells: { finds: ['RRSIG_INVALID ns2.shop.test: MX'], acts: OF_NS2, status: 'partial' },
  },
  'a resolver in the place of the root servers': {
    in: 'two servers in the zone',
    change: {
      faults: {
        'a.root': [{ kind: 'not-authoritative' }, { kind: 'recursion-available' }],
        'b.root': [{ kind: 'not-authoritative' }, { kind: 'recursion-available' }],
      },
    },
    tells: { finds: ['PATH_INTERCEPTED the root'], acts: 'You', status: 'unknown' },
  },
  'a name that one server of five does not have': {
    in: 'five servers',
    change: { at: { 'ns4.shop.test': { 'shop.test': { records: 'other A 203.0.113.80' } } } },
    tells: {
      finds: ['EXISTENCE_DIFFERS ns4.shop.test'],
      acts: 'The operator of ns4.shop.test',
      status: 'differs',
    },
  },
};
