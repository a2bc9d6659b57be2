/** Rows for the DS records that a zone asks for, with `--check`. */
import { cdnskey, cds, signedChild } from './signed-child.ts';
import type { FindingRow } from './world.ts';

const NEXT = { label: 'next' };
/** In the keys of the zone, but it signs nothing. */
const STANDBY = { keys: [{}, { ...NEXT, signs: 'nothing' }], ds: [{ key: {} }] } as const;
/** In the keys of the zone, and signs them. */
const DOUBLE = { keys: [{}, NEXT], ds: [{ key: {} }] } as const;

const AT_BOTH = '192.0.2.31 x.a. CDS, 192.0.2.32 x.a. CDS, 192.0.2.31 x.a. CDNSKEY, 192.0.2.32 x.a. CDNSKEY';
const KEYS = '192.0.2.31 x.a. DNSKEY, 192.0.2.32 x.a. DNSKEY';

export const CDS: readonly FindingRow[] = [
  {
    code: 'CDS_DIFFERS',
    shows: 'the zone asks for the DS record that it has',
    ...signedChild({ more: [cds(), cdnskey()] }),
    finds: [],
  },
  { code: 'CDS_DIFFERS', shows: 'the zone asks for nothing', ...signedChild({}), finds: [] },
  {
    code: 'CDS_DIFFERS',
    shows: 'nobody asks what it asks for',
    ...signedChild({ more: [cds(NEXT)], check: false }),
    finds: [],
  },
  {
    code: 'CDS_DIFFERS',
    shows: 'a rollover waits for the registry',
    ...signedChild({ more: [cds(NEXT), cdnskey(NEXT)], signing: DOUBLE }),
    finds: [`notice x.a.: ${AT_BOTH}`],
    tells: ['x.a asks for other DS records than the parent has: a registry that reads CDS adds key '],
  },
  {
    code: 'CDS_DIFFERS',
    shows: 'the same with CDNSKEY alone',
    ...signedChild({ more: [cdnskey(NEXT)], signing: DOUBLE }),
    finds: [`notice x.a.: ${AT_BOTH}`],
    tells: ['a registry that reads CDS adds key '],
  },
  {
    code: 'CDS_DIFFERS',
    shows: 'CDNSKEY alone is of the key that has a DS record',
    ...signedChild({ more: [cdnskey()] }),
    finds: [],
  },
  {
    code: 'CDS_DIFFERS',
    shows: 'the parent has made a DS record with another digest of CDNSKEY',
    ...signedChild({ more: [cds({}, { digest: 4 }), cdnskey()] }),
    finds: [],
  },
  {
    code: 'CDS_DIFFERS',
    shows: 'CDS alone asks for another digest',
    ...signedChild({ more: [cds({}, { digest: 4 })] }),
    finds: [`notice x.a.: ${AT_BOTH}`],
    tells: ['adds key '],
  },
  {
    code: 'CDS_DIFFERS',
    shows: 'one key more is asked for',
    ...signedChild({ more: [cds(), cds(NEXT)], signing: STANDBY }),
    finds: [`notice x.a.: ${AT_BOTH}`],
    tells: ['reads CDS adds key '],
  },
  {
    code: 'CDS_DIFFERS',
    shows: 'the key asked for signs nothing',
    ...signedChild({ more: [cds(NEXT)], signing: STANDBY }),
    finds: [`warning x.a.: ${KEYS}, ${AT_BOTH}`],
    tells: [
      'name no key that signs its DNSKEY records: a registry that acts on them breaks the chain of trust',
    ],
  },
  {
    code: 'CDS_DIFFERS',
    shows: 'the zone does not have the key asked for',
    ...signedChild({ more: [cdnskey(NEXT)] }),
    finds: [`warning x.a.: ${KEYS}, ${AT_BOTH}`],
    tells: ['The CDNSKEY records of x.a (key '],
  },
  {
    code: 'CDS_DIFFERS',
    shows: 'the zone is to be unsigned',
    ...signedChild({ more: ['x.a. CDS 0 0 0 00', 'x.a. CDNSKEY 0 3 0 AA=='] }),
    finds: [`notice x.a.: ${AT_BOTH}`],
    tells: ['x.a asks its registry to remove the DS records: if the registry reads CDS, validating'],
  },
  {
    code: 'CDS_DIFFERS',
    shows: 'it asks for removal, which has been done',
    ...signedChild({ more: ['x.a. CDS 0 0 0 00'], signing: { ds: [] } }),
    finds: [],
  },
  {
    code: 'CDS_DIFFERS',
    shows: 'a request for removal stands beside another record',
    ...signedChild({ more: [cds(), 'x.a. CDS 0 0 0 00'] }),
    finds: [`notice x.a.: ${AT_BOTH}`],
    tells: ['so the registry ignores the request'],
  },
  {
    code: 'CDS_DIFFERS',
    shows: 'an island asks for its first DS record',
    ...signedChild({ more: [cds()], signing: { ds: [] } }),
    finds: [`notice x.a.: ${AT_BOTH}`],
    tells: ['reads CDS adds key '],
  },
  {
    code: 'CDS_DIFFERS',
    shows: 'CDS and CDNSKEY are of different keys',
    ...signedChild({ more: [cds(), cdnskey(NEXT)], signing: DOUBLE }),
    finds: [`notice x.a.: ${AT_BOTH}`],
    tells: ['The CDS and CDNSKEY records of x.a do not match: CDS has key '],
  },
  {
    code: 'CDS_DIFFERS',
    shows: 'a key signed them that no DS record names',
    ...signedChild({
      more: [cds({ label: 'ksk', flags: 257 })],
      signing: {
        keys: [
          { label: 'ksk', signs: 'keys' },
          { label: 'zsk', signs: 'data' },
        ],
      },
    }),
    finds: [`notice x.a.: ${AT_BOTH}`],
    tells: ['The CDS records of x.a have no signature by a key that its DS records name (key '],
  },
  {
    code: 'CDS_DIFFERS',
    shows: 'one server has none',
    ...signedChild({ more: [cds()], atNs2: [] }),
    finds: [`notice x.a.: ${AT_BOTH}`],
    tells: ['ns2.x.a (192.0.2.32) returns none, so a registry that reads CDS does nothing'],
  },
  {
    code: 'CDS_DIFFERS',
    shows: 'one server asks for a key that is nowhere',
    ...signedChild({ more: [cds()], atNs2: [cds(NEXT)] }),
    finds: [`warning x.a.: ${AT_BOTH}`],
    tells: [', and some of them match no DNSKEY of x.a, so a registry'],
  },
  {
    code: 'CDS_DIFFERS',
    shows: 'one server does not reply to the question',
    ...signedChild({ more: [cds()], ns2: { faults: [{ kind: 'dead', only: { type: 'CDS' } }] } }),
    finds: [],
  },
  {
    code: 'CDS_DIFFERS',
    shows: 'one server has the zone unsigned, which is another fault',
    ...signedChild({ more: [cds()], atNs2: [], ns2: { signed: { 'x.a.': 'unsigned' } } }),
    finds: [],
  },
];
