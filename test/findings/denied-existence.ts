/** Rows for proofs that deny what exists. */

import { parseName, ROOT } from '../../src/dns/name.ts';
import { encodeRdata, rdataText } from '../../src/dns/rdata/rdata.ts';
import { Reader } from '../../src/dns/reader.ts';
import type { Exchanged } from '../../src/exchange/exchanged.ts';
import { Signer } from '../../src/lab/signing/signer.ts';
import { signingKey } from '../../src/lab/signing/signing-key.ts';
import type { ZoneSigning } from '../../src/lab/signing/zone-signing.ts';
import { signedChild, versionOf } from './signed-child.ts';
import { denial, type FindingRow, type Saying } from './world.ts';

const HASHED: ZoneSigning = { denial: { kind: 'nsec3' } };
const APEX = parseName('x.a.');
const LAST = parseName('www.x.a.');
const NS = ['x.a. NS ns1.x.a.', 'x.a. NS ns2.x.a.'];
const WWW = 'www.x.a. A 192.0.2.80';
const NO_NAME = 'no.x.a. A';
const MAILBOX = ['mb.x.a. A 192.0.2.90'];

/** The zone, but for the addresses of its name servers. */
const WITHOUT_HOSTS = [...NS, WWW];
/** The zone without mb.x.a. */
const WITHOUT_MAILBOX = [...NS, 'ns1.x.a. A 192.0.2.31', 'ns2.x.a. A 192.0.2.32', WWW];
const WITHOUT_NS = ['ns1.x.a. A 192.0.2.31', 'ns2.x.a. A 192.0.2.32', WWW];

/** The reply with another next name in the last NSEC record of the zone, signed. */
function leadingTo(next: string): Saying {
  const saying = versionOf([...NS, ...WITHOUT_NS]);
  return (query) => {
    const heard = saying(query);
    if (heard.outcome.kind !== 'reply') throw new Error('nothing was said');
    return {
      ...heard,
      outcome: { ...heard.outcome, authority: [...withNext(heard.outcome.authority, next)] },
    };
  };
}

type Section = Extract<Exchanged['outcome'], { kind: 'reply' }>['authority'];

function* withNext(
  authority: Section,
  next: string,
): Iterable<Section extends Iterable<infer R> ? R : never> {
  const signer = new Signer(APEX, [signingKey(APEX, {}, {})], {});
  for (const record of authority) {
    const { name, type, ttl } = record;
    if (type === 'RRSIG' && name === LAST) continue;
    if (type !== 'NSEC' || name !== LAST) {
      yield record;
      continue;
    }
    const data = record.data.replace(/^\S+/, next);
    yield { ...record, data };
    const rdata = encodeRdata('NSEC', data, ROOT);
    for (const signature of signer.signatures({ owner: name, type, ttl, data: [rdata] }))
      yield {
        ...record,
        type: 'RRSIG',
        data: rdataText('RRSIG', 'IN', Reader.of(signature).data(signature.length)),
      };
  }
}

export const DENIED_EXISTENCE: readonly FindingRow[] = [
  {
    code: 'NSEC_DENIES_EXISTING',
    shows: 'every proof is of the zone as it is',
    ...signedChild({ ask: NO_NAME }),
    finds: [],
  },
  {
    code: 'NSEC_DENIES_EXISTING',
    shows: 'the same with NSEC3',
    ...signedChild({ ask: NO_NAME, signing: HASHED }),
    finds: [],
  },
  {
    code: 'NSEC_DENIES_EXISTING',
    shows: 'one server denies a name with the proof of a zone that does not have others',
    ...signedChild({ ask: NO_NAME, says: { '192.0.2.32 no.x.a. A': versionOf(WITHOUT_HOSTS) } }),
    finds: ['error x.a. ns2.x.a. 192.0.2.32: 192.0.2.32, 192.0.2.32 ns1.x.a. A'],
    tells: [
      'ns2.x.a (192.0.2.32) returns ns1.x.a A, but proves that ns1.x.a does not exist: resolvers that ',
    ],
  },
  {
    code: 'NSEC_DENIES_EXISTING',
    shows: 'both do, with NSEC3',
    ...signedChild({
      ask: NO_NAME,
      signing: HASHED,
      says: {
        '192.0.2.31 no.x.a. A': versionOf(WITHOUT_HOSTS, HASHED),
        '192.0.2.32 no.x.a. A': versionOf(WITHOUT_HOSTS, HASHED),
      },
    }),
    finds: ['error x.a.: 192.0.2.31, 192.0.2.32, 192.0.2.31 ns1.x.a. A, 192.0.2.32 ns1.x.a. A'],
    tells: ['Every server of x.a returns '],
  },
  {
    code: 'NSEC_DENIES_EXISTING',
    shows: 'the proof is of another version of the zone',
    ...signedChild({ ask: NO_NAME, says: { '192.0.2.32 no.x.a. A': versionOf(WITHOUT_HOSTS, {}, 2) } }),
    finds: [],
  },
  {
    code: 'NSEC_DENIES_EXISTING',
    shows: 'the proof is by a key that the zone does not have',
    ...signedChild({
      ask: NO_NAME,
      says: { '192.0.2.32 no.x.a. A': versionOf(WITHOUT_HOSTS, { keys: [{ label: 'other' }] }) },
    }),
    finds: [],
  },
  {
    code: 'NSEC_DENIES_EXISTING',
    shows: 'a type is missing from the list',
    ...signedChild({ ask: 'x.a. TXT', says: { '192.0.2.32 x.a. TXT': versionOf(WITHOUT_NS) } }),
    finds: ['error x.a. ns2.x.a. 192.0.2.32: 192.0.2.32, 192.0.2.32 x.a. NS'],
    tells: ['returns x.a NS, but proves that there are no NS records: resolvers that reuse cached proofs'],
  },
  {
    code: 'NSEC_DENIES_EXISTING',
    shows: 'a type is missing from the list, with NSEC3',
    ...signedChild({
      ask: 'x.a. TXT',
      signing: HASHED,
      says: { '192.0.2.32 x.a. TXT': versionOf(WITHOUT_NS, HASHED) },
    }),
    finds: ['error x.a. ns2.x.a. 192.0.2.32: 192.0.2.32, 192.0.2.32 x.a. NS'],
  },
  {
    code: 'NSEC_DENIES_EXISTING',
    shows: 'records of two proofs overlap',
    ...signedChild({
      ask: 'mbb.x.a. A',
      more: MAILBOX,
      says: { '192.0.2.32 x.a. CDS': versionOf(WITHOUT_MAILBOX) },
    }),
    finds: ['error x.a. ns2.x.a. 192.0.2.32: 192.0.2.32, 192.0.2.32 x.a. CDS'],
    tells: ['returns mb.x.a NSEC, but proves that mb.x.a does not exist: resolvers that reuse cached proofs'],
  },
  {
    code: 'NSEC_DENIES_EXISTING',
    shows: 'records of two proofs overlap, with NSEC3',
    ...signedChild({
      ask: 'mb.x.a. MX',
      more: MAILBOX,
      signing: HASHED,
      says: { '192.0.2.32 x.a. CDS': versionOf(WITHOUT_MAILBOX, HASHED) },
    }),
    finds: ['error x.a. ns2.x.a. 192.0.2.32: 192.0.2.32, 192.0.2.32 x.a. CDS'],
    tells: ['returns an NSEC3 record of the hash '],
  },
  {
    code: 'NSEC_DENIES_EXISTING',
    shows: 'a chain leads back into the zone',
    ...signedChild({ ask: 'zzz.x.a. A', says: { '192.0.2.32 zzz.x.a. A': leadingTo('ns1.x.a.') } }),
    finds: ['error x.a. ns2.x.a. 192.0.2.32: 192.0.2.32'],
    tells: ['an NSEC record of www.x.a whose next name, ns1.x.a, does not come after it: resolvers'],
  },
  {
    code: 'NSEC_DENIES_EXISTING',
    shows: 'a chain leads out of the zone',
    ...signedChild({ ask: 'zzz.x.a. A', says: { '192.0.2.32 zzz.x.a. A': leadingTo('b.') } }),
    finds: ['error x.a. ns2.x.a. 192.0.2.32: 192.0.2.32'],
    tells: [', is not in the zone: '],
  },
  {
    code: 'NSEC_DENIES_EXISTING',
    shows: 'the next name has a record of its own',
    ...signedChild({ ask: NO_NAME }),
    probes: {},
    finds: [],
  },
  {
    code: 'NSEC_DENIES_EXISTING',
    shows: 'the next name has none',
    ...signedChild({ ask: NO_NAME }),
    probes: { '192.0.2.32 next-name': denial('nxdomain', 'x.a.') },
    finds: ['error x.a. ns2.x.a. 192.0.2.32: 192.0.2.32, 192.0.2.32 next-name'],
    tells: ['an NSEC record of x.a whose next name is ns1.x.a, but denies that ns1.x.a has an NSEC record'],
  },
  {
    code: 'NSEC_DENIES_EXISTING',
    shows: 'the next name has none in another version of the zone',
    ...signedChild({ ask: NO_NAME }),
    probes: { '192.0.2.32 next-name': denial('nxdomain', 'x.a.', 2) },
    finds: [],
  },
  {
    code: 'NSEC_DENIES_EXISTING',
    shows: 'a chain ends at the apex',
    ...signedChild({ ask: 'zzz.x.a. A', says: { '192.0.2.32 zzz.x.a. A': leadingTo('x.a.') } }),
    finds: [],
  },
];
