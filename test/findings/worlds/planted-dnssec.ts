/* Faults of DNSSEC, each in a world that is healthy otherwise. */

import type { ZoneSigning } from '../../../src/lab/signing/zone-signing.ts';
import type { PlantedRow } from './planted-row.ts';
import type { WorldChange } from './world-row.ts';

const NS2 = 'ns2.shop.test';
const OF_NS2 = 'The operator of ns2.shop.test';
const OWNER = 'The owner of shop.test';
const KSK = { label: 'ksk', signs: 'keys' } as const;
const ZSK = { label: 'zsk', signs: 'data' } as const;
const OTHER = { label: 'other' };

function signing(signed: ZoneSigning): WorldChange {
  return { zones: { 'shop.test': { signed } } };
}

export const FAULTY_DNSSEC: Readonly<Record<string, PlantedRow>> = {
  'expired signatures at one server': {
    in: 'signed, NSEC',
    change: { faults: { [NS2]: [{ kind: 'flawed-signatures', flaw: 'expired' }] } },
    tells: {
      finds: ['RRSIG_EXPIRED ns2.shop.test: www.shop.test shop.test A DNSKEY'],
      acts: OF_NS2,
      status: 'partial',
    },
  },
  'expired signatures': {
    in: 'signed, NSEC3',
    change: {
      faults: {
        'ns1.shop.test': [{ kind: 'flawed-signatures', flaw: 'expired' }],
        [NS2]: [{ kind: 'flawed-signatures', flaw: 'expired' }],
      },
    },
    tells: { finds: ['RRSIG_EXPIRED shop.test'], acts: OWNER, status: 'partial' },
  },
  'an old copy with expired signatures': {
    in: 'signed, at a signed hoster without glue',
    change: {
      zones: { 'shop.test': { serial: 9 } },
      at: { 'ns2.host.example': { 'shop.test': { serial: 3 } } },
      faults: {
        'ns2.host.example': [{ kind: 'flawed-signatures', flaw: 'expired', only: { zone: 'shop.test' } }],
      },
    },
    tells: {
      finds: ['SOA_SERIAL_DIFFERS ns2.host.example: everything'],
      acts: 'The operator of ns2.host.example',
      status: 'partial',
    },
  },
  'signatures of tomorrow': {
    in: 'a key for keys and one for data',
    change: { faults: { [NS2]: [{ kind: 'flawed-signatures', flaw: 'not-yet-valid' }] } },
    tells: {
      finds: ['RRSIG_NOT_YET_VALID ns2.shop.test: www.shop.test shop.test A DNSKEY'],
      acts: OF_NS2,
      status: 'partial',
    },
  },
  'signatures that end tomorrow': {
    in: 'signed, NSEC',
    change: {
      ...signing({ inception: Date.UTC(2030, 0, 1) / 1000, expiration: Date.UTC(2030, 0, 31) / 1000 }),
      options: { at: '2030-01-30T00:00:00Z' },
    },
    tells: { finds: ['RRSIG_EXPIRES_SOON shop.test'], acts: OWNER, status: 'ok' },
  },
  'a DS record of another key': {
    in: 'signed, NSEC',
    change: signing({ ds: [{ key: OTHER }] }),
    tells: { finds: ['DS_NO_MATCH shop.test'], acts: OWNER, status: 'partial' },
  },
  'a DS record beside that of the key': {
    in: 'signed, NSEC3',
    change: signing({ ds: [{ key: {} }, { key: OTHER }] }),
    tells: { finds: ['DS_STALE shop.test'], acts: OWNER, status: 'ok' },
  },
  'an unsigned copy at one server': {
    in: 'signed, NSEC',
    change: { at: { [NS2]: { 'shop.test': { signed: 'unsigned' } } } },
    tells: { finds: ['DS_WITHOUT_DNSKEY ns2.shop.test: DNSKEY'], acts: OF_NS2, status: 'partial' },
  },
  'a DS record of a zone that is no longer signed': {
    in: 'a key for keys and one for data',
    change: {
      at: {
        'ns1.shop.test': { 'shop.test': { signed: 'unsigned' } },
        [NS2]: { 'shop.test': { signed: 'unsigned' } },
      },
    },
    tells: { finds: ['DS_WITHOUT_DNSKEY shop.test'], acts: OWNER, status: 'partial' },
  },
  'keys dropped by both servers': {
    in: 'RSA with SHA-256',
    change: {
      faults: {
        'ns1.shop.test': [{ kind: 'dead', only: { type: 'DNSKEY' } }],
        [NS2]: [{ kind: 'dead', only: { type: 'DNSKEY' } }],
      },
      options: { timeoutMs: 400, retries: 1 },
    },
    tells: {
      finds: ['DNSKEY_UNREACHABLE shop.test'],
      acts: 'The operators of the servers of shop.test',
      status: 'partial',
    },
  },
  'no keys at one server': {
    in: 'signed, NSEC',
    change: { faults: { [NS2]: [{ kind: 'rcode', rcode: 'SERVFAIL', only: { type: 'DNSKEY' } }] } },
    tells: { finds: ['NS_SERVFAIL ns2.shop.test: DNSKEY'], acts: OF_NS2, status: 'ok' },
  },
  'no keys anywhere': {
    in: 'signed, NSEC',
    change: {
      faults: {
        'ns1.shop.test': [{ kind: 'rcode', rcode: 'SERVFAIL', only: { type: 'DNSKEY' } }],
        [NS2]: [{ kind: 'rcode', rcode: 'SERVFAIL', only: { type: 'DNSKEY' } }],
      },
    },
    tells: {
      finds: ['NS_SERVFAIL ns1.shop.test: DNSKEY', 'NS_SERVFAIL ns2.shop.test: DNSKEY'],
      acts: 'The operators of ns1.shop.test and ns2.shop.test',
      status: 'partial',
    },
  },
  'large replies do not arrive': {
    in: 'RSA with SHA-256',
    change: {
      faults: { [NS2]: [{ kind: 'dead', only: { type: 'DNSKEY' } }] },
      options: { timeoutMs: 400, retries: 1 },
    },
    tells: {
      finds: ['NS_NO_RESPONSE_UDP ns2.shop.test: DNSKEY'],
      acts: `${OF_NS2}, or the owner of shop.test`,
      status: 'ok',
    },
  },
  'no signatures for addresses': {
    in: 'signed, NSEC',
    change: { faults: { [NS2]: [{ kind: 'flawed-signatures', flaw: 'missing', covering: 'A' }] } },
    tells: { finds: ['RRSIG_MISSING ns2.shop.test: www.shop.test A'], acts: OF_NS2, status: 'partial' },
  },
  'a middlebox that knows no signatures': {
    in: 'signed, NSEC3',
    change: { faults: { [NS2]: [{ kind: 'ignores-do' }] } },
    tells: {
      finds: ['RRSIG_MISSING ns2.shop.test: www.shop.test shop.test A DNSKEY'],
      acts: OF_NS2,
      status: 'partial',
    },
  },
  'spoilt signatures': {
    in: 'signed, NSEC3',
    change: {
      faults: {
        'ns1.shop.test': [{ kind: 'flawed-signatures', flaw: 'spoilt' }],
        [NS2]: [{ kind: 'flawed-signatures', flaw: 'spoilt' }],
      },
    },
    tells: { finds: ['RRSIG_INVALID shop.test'], acts: OWNER, status: 'partial' },
  },
  'signatures of a key that is not published, at one server': {
    in: 'Ed25519',
    change: { faults: { [NS2]: [{ kind: 'flawed-signatures', flaw: 'wrong-key', covering: 'A' }] } },
    tells: { finds: ['RRSIG_INVALID ns2.shop.test: www.shop.test A'], acts: OF_NS2, status: 'partial' },
  },
  'no proof that a name does not exist, NSEC': {
    in: 'signed, no such name, NSEC',
    change: { faults: { [NS2]: [{ kind: 'omits-proof' }] } },
    tells: { finds: ['DENIAL_BROKEN ns2.shop.test: no.such.shop.test A'], acts: OF_NS2, status: 'partial' },
  },
  'a wrong proof that a name does not exist, NSEC3': {
    in: 'signed, no such name, NSEC3',
    change: { faults: { 'ns1.shop.test': [{ kind: 'wrong-proof' }], [NS2]: [{ kind: 'wrong-proof' }] } },
    tells: { finds: ['DENIAL_BROKEN shop.test'], acts: OWNER, status: 'partial' },
  },
  'a wildcard without proof': {
    in: 'signed, wildcard, NSEC3',
    change: { faults: { [NS2]: [{ kind: 'omits-proof' }] } },
    tells: { finds: ['DENIAL_BROKEN ns2.shop.test: any.shop.test A'], acts: OF_NS2, status: 'partial' },
  },
  'a wildcard without proof, NSEC': {
    in: 'signed, wildcard, NSEC',
    change: { faults: { 'ns1.shop.test': [{ kind: 'omits-proof' }], [NS2]: [{ kind: 'omits-proof' }] } },
    tells: { finds: ['DENIAL_BROKEN shop.test'], acts: OWNER, status: 'partial' },
  },
  'no proof that a zone is not signed': {
    in: 'an unsigned zone below a signed one',
    change: {
      faults: { 'ns1.firm.test': [{ kind: 'omits-proof' }], 'ns2.firm.test': [{ kind: 'omits-proof' }] },
    },
    tells: { finds: ['DENIAL_BROKEN firm.test'], acts: 'The owner of firm.test', status: 'partial' },
  },
  'a server of the registry without the DS record': {
    in: 'signed, NSEC',
    change: { faults: { 'b.nic.test': [{ kind: 'omits-ds' }] } },
    tells: {
      finds: ['DNSSEC_MISSING_AT_SERVER b.nic.test: www.shop.test A'],
      acts: 'The operator of b.nic.test',
      status: 'ok',
    },
  },
  'a server of the registry with another DS record': {
    in: 'signed, NSEC',
    change: { faults: { 'b.nic.test': [{ kind: 'wrong-ds' }] } },
    tells: {
      finds: ['DS_INCONSISTENT shop.test'],
      acts: 'The operators of the servers above shop.test',
      status: 'partial',
    },
  },
  'a digest that nobody knows': {
    in: 'signed, NSEC',
    change: signing({ algorithm: 12 }),
    tells: { finds: ['DS_UNSUPPORTED shop.test'], acts: OWNER, status: 'ok' },
  },
  'many rounds of hashing': {
    in: 'signed, no such name, NSEC3',
    change: signing({ denial: { kind: 'nsec3', iterations: 100, salt: 'ab' } }),
    tells: { finds: ['NSEC3_ITERATIONS shop.test'], acts: OWNER, status: 'ok' },
  },
  'SHA-1': {
    in: 'signed, NSEC',
    change: signing({ algorithm: 5, keys: [KSK, ZSK] }),
    tells: { finds: ['ALGORITHM_WEAK shop.test'], acts: OWNER, status: 'ok' },
  },
  'keys that differ': {
    in: 'a key for keys and one for data',
    change: {
      at: { [NS2]: { 'shop.test': { signed: { keys: [KSK, ZSK, { label: 'next', signs: 'nothing' }] } } } },
    },
    tells: {
      finds: ['KEYS_DIFFER shop.test'],
      acts: 'The operators of the servers of shop.test',
      status: 'ok',
    },
  },
  'two signers with keys of their own': {
    in: 'signed, NSEC',
    change: {
      ...signing({ ds: [{ key: {} }, { key: OTHER }] }),
      at: { [NS2]: { 'shop.test': { signed: { keys: [OTHER], ds: [] } } } },
    },
    tells: {
      finds: ['KEYS_DIFFER shop.test'],
      acts: 'The operators of the servers of shop.test',
      status: 'partial',
    },
  },
  'a revoked key that the DS record names': {
    in: 'a key for keys and one for data',
    change: signing({ keys: [{ ...KSK, flags: 385 }, ZSK] }),
    tells: { finds: ['DS_NO_MATCH shop.test'], acts: OWNER, status: 'partial' },
  },
  'a key with a wrong protocol': {
    in: 'signed, NSEC',
    change: signing({ keys: [{ protocol: 2 }] }),
    tells: { finds: ['DNSKEY_INVALID shop.test'], acts: OWNER, status: 'partial' },
  },
  'CDS of a key that is not there': {
    in: 'CDS as the DS record',
    change: { zones: { 'shop.test': { cds: [{ key: OTHER }] } } },
    tells: { finds: ['CDS_DIFFERS shop.test'], acts: OWNER, status: 'ok' },
  },
  'CDS at one server': {
    in: 'CDS as the DS record',
    change: { at: { [NS2]: { 'shop.test': { cds: [] } } } },
    tells: { finds: ['CDS_DIFFERS shop.test'], acts: OWNER, status: 'ok' },
  },
  'an algorithm without signatures': {
    in: 'a roll of algorithms, all signed twice',
    change: signing({
      keys: [
        { label: 'old', algorithm: 8 },
        { label: 'new', algorithm: 13, signs: 'nothing' },
      ],
      ds: [
        { key: { label: 'old', algorithm: 8 } },
        { key: { label: 'new', algorithm: 13, signs: 'nothing', flags: 257 } },
      ],
    }),
    tells: { finds: ['ALGORITHM_INCOMPLETE shop.test'], acts: OWNER, status: 'ok' },
  },
  'signed, and no DS record': {
    in: 'signed without DS',
    change: {},
    tells: { finds: ['SIGNED_WITHOUT_DS shop.test'], acts: OWNER, status: 'ok' },
  },
  'DS records for an unsigned zone on the servers of its parent': {
    in: 'an unsigned zone on the servers of its signed parent',
    change: { zones: { 'firm.test': { records: `dept DS 12345 13 2 ${'ab'.repeat(32)}` } } },
    tells: {
      finds: ['DS_WITHOUT_DNSKEY dept.firm.test'],
      acts: 'The owner of dept.firm.test',
      status: 'partial',
    },
  },
};
