/** Rows for denials that are not proven, each with what its proof lacks. */
import { NODE_CRYPTO } from '../../src/dns/dnssec/node-crypto.ts';
import { nameHasher } from '../../src/dns/dnssec/nsec3.ts';
import { parseName } from '../../src/dns/name.ts';
import type { Fault } from '../../src/lab/faults.ts';
import type { FindingRow, FindingsWorld, Saying } from './world.ts';
import { signed, without } from './zone-worlds.ts';

/** By the server 192.0.2.12, without the NSEC or NSEC3 records of an owner, which begins so, and their signatures. */
function withoutProofOf(owner: string, world: FindingsWorld): FindingsWorld {
  return without(
    world,
    ['192.0.2.12'],
    ({ name, type, data }) => name.startsWith(owner) && (type.startsWith('NSEC') || data.startsWith('NSEC')),
  );
}

const byNsec3 = (optOut: boolean) => ({ denial: { kind: 'nsec3', optOut } }) as const;
/** As the lab hashes names where nothing else is said. */
const hashOf = (name: string) =>
  nameHasher({ iterations: 0, salt: '-' }, NODE_CRYPTO.digest)(parseName(name));
const expired: Fault = { kind: 'flawed-signatures', flaw: 'expired', covering: 'NSEC' };
const missing: Fault = { kind: 'flawed-signatures', flaw: 'missing', covering: 'NSEC' };
const AT_TWO = ['error a. ns2.a. 192.0.2.12: 192.0.2.12'];
const AT_DS_QUESTION = ['error a. ns2.a. 192.0.2.12: 192.0.2.12 sub.a. DS'];
const WILDCARD = ['*.w.a. A 192.0.2.81'];
const CUT = ['sub.a. NS ns1.a.'];

/** The server 192.0.2.1 of the root answers DS questions as 192.0.2.11 does, a server of the zone below. */
function fromTheChild(world: FindingsWorld): FindingsWorld {
  const [parent, child] = ['192.0.2.1', '192.0.2.11'].map((address) => world.says?.[`${address} *`]);
  if (parent === undefined || child === undefined) return world;
  const saying: Saying = (query) =>
    query.question.type === 'DS'
      ? { ...child({ ...query, address: '192.0.2.11' }), address: query.address }
      : parent(query);
  return { ...world, says: { ...world.says, '192.0.2.1 *': saying } };
}

/** Faults of the second server, and what is told of them. */
function atTwo(
  code: FindingRow['code'],
  shows: string,
  world: FindingsWorld,
  tells: string,
  finds = AT_TWO,
): FindingRow {
  return { code, shows, ...world, finds, tells: [tells] };
}

const broken = (shows: string, world: FindingsWorld, tells: string, finds = AT_TWO) =>
  atTwo('DENIAL_BROKEN', shows, world, tells, finds);

export const BROKEN_DENIALS: readonly FindingRow[] = [
  broken(
    'no record covers the name',
    withoutProofOf('www.a.', signed({ ask: 'x.a. A' })),
    "sends NXDOMAIN for x.a A without valid proof, so validating resolvers have to ask another server. The reply's NSEC record (a to ns1.a) does not cover x.a. Sign",
  ),
  broken(
    'no record covers the wildcard that would make it',
    withoutProofOf('a.', signed({ ask: 'x.a. A' })),
    "The reply's NSEC record (www.a to a) does not cover the wildcard *.a. Sign",
  ),
  broken(
    'proofs are left out',
    signed({ ask: 'x.a. A', ns2: { faults: [{ kind: 'omits-proof' }] } }),
    '. The reply has no NSEC or NSEC3 record. Make',
  ),
  broken(
    'a name is denied that a record belongs to',
    signed({ ask: 'www.a. MX', ns2: { faults: [{ kind: 'denies-nodata' }] } }),
    "The reply's NSEC record (www.a to a) shows that www.a exists. Make",
  ),
  broken(
    'a record has the type denied',
    signed({ ask: 'www.a. MX', ns2: { faults: [{ kind: 'wrong-proof' }] } }),
    'lists MX among the types of www.a. Make',
  ),
  broken(
    'nothing proves that a wildcard applies',
    signed({ ask: 'x.w.a. A', more: WILDCARD, ns2: { faults: [{ kind: 'omits-proof' }] } }),
    'returns x.w.a A from a wildcard without valid proof that no closer name exists, so validating resolvers have to ask another server',
  ),
  broken(
    'no record covers the next closer hash',
    signed({ ask: 'x.a. A', a: byNsec3(false), ns2: { faults: [{ kind: 'wrong-proof' }] } }),
    'do not cover the next closer name x.a (hash 3ib2t8am). Sign',
  ),
  broken(
    'a hashed record has the type denied',
    signed({ ask: 'www.a. MX', a: byNsec3(false), ns2: { faults: [{ kind: 'wrong-proof' }] } }),
    'lists MX among the types of www.a. Make',
  ),
  broken(
    'no record is of the wildcard that would make the name',
    withoutProofOf(hashOf('*.w.a.'), signed({ ask: 'x.w.a. MX', more: WILDCARD, a: byNsec3(false) })),
    'match the wildcard *.w.a (hash ',
  ),
  broken(
    'no record is of a name above',
    withoutProofOf(hashOf('a.'), signed({ ask: 'x.a. A', a: byNsec3(false) })),
    'match any name above x.a, so its closest encloser is not proven. Sign',
  ),
  broken(
    'a referral has no proof, nor has its DS question',
    signed({ ask: 'x.sub.a. A', more: CUT, ns2: { faults: [{ kind: 'omits-proof' }] } }),
    'sends NODATA for sub.a DS without valid proof, so validating resolvers have to ask another server',
    AT_DS_QUESTION,
  ),
  broken(
    'a delegation without DS is said to have it',
    signed({ ask: 'x.sub.a. A', more: CUT, a: byNsec3(false), ns2: { faults: [{ kind: 'wrong-proof' }] } }),
    'lists DS among the types of sub.a. Make',
    AT_DS_QUESTION,
  ),
  {
    code: 'RRSIG_INVALID',
    shows: 'a server of the parent answers the DS question from the zone below',
    ...fromTheChild(signed({ root: { faults: [{ kind: 'omits-ds' }] } })),
    finds: ['error . r1. 192.0.2.1: 192.0.2.1 a. DS'],
    tells: ['that do not validate (the zone a itself made them, but DS records belong to its parent)'],
  },
  atTwo(
    'RRSIG_EXPIRED',
    'the proof of a denial has expired',
    signed({ ask: 'x.a. A', ns2: { faults: [expired] } }),
    'returns signatures for www.a NSEC (with which it denies x.a A) that expired on 2020-01-31',
  ),
  atTwo(
    'RRSIG_MISSING',
    'the proof of a denial is not signed',
    signed({ ask: 'x.a. A', ns2: { faults: [missing] } }),
    'returns www.a NSEC (with which it denies x.a A) without signatures, although a is signed',
  ),
];
