import { changed, withoutRecords, withoutSignatures } from './edits.ts';
import { keys, signatures } from './faulty-signatures.ts';
import { broken, nsec, nsec3, surely, tryingOn, type World, whole, zoneOf } from './world.ts';

const good = 'secure answer 192.0.2.1';

/** Parents on nsd and bind, mostly what is below them on knot and powerdns. */
const parents: readonly World[] = [
  {
    about: 'one server of the parent has the zone as it was before it was signed',
    zones: [
      zoneOf(
        'once.test.',
        ['BIND', 'ECDSAP256SHA256', nsec],
        [whole('nsd'), broken('bind', { signed: 'unsigned', before: withoutRecords(['DS']) })],
      ),
      zoneOf('kid.once.test.', ['PowerDNS', 'ECDSAP256SHA256', nsec3()], [whole('powerdns'), whole('knot')]),
    ],
    asked: [tryingOn('web.kid.once.test.', 'A', good)],
  },
  {
    about: 'no server of the parent says whether there is a DS',
    zones: [
      zoneOf(
        'mute.test.',
        ['Knot', 'ED25519', nsec],
        [
          broken('nsd', { after: withoutRecords(['DS', 'NSEC', 'NSEC3']) }),
          broken('bind', { after: withoutRecords(['DS', 'NSEC', 'NSEC3']) }),
        ],
      ),
      zoneOf('kid.mute.test.', ['Knot', 'ED25519', nsec], [whole('powerdns'), whole('knot')]),
    ],
    asked: [surely('web.kid.mute.test.', 'A', 'servfail: no-proof')],
  },
  {
    about: 'one server of the parent cannot prove that what is below it is unsigned',
    zones: [
      zoneOf(
        'vague.test.',
        ['BIND', 'ECDSAP256SHA256', nsec],
        [whole('bind'), broken('nsd', { after: withoutRecords(['NSEC', 'NSEC3']) })],
      ),
      zoneOf(
        'kid.vague.test.',
        ['BIND', 'ECDSAP256SHA256', nsec],
        [broken('powerdns', { signed: 'unsigned' }), broken('knot', { signed: 'unsigned' })],
        { delegated: 'nothing' },
      ),
    ],
    asked: [tryingOn('web.kid.vague.test.', 'A', 'insecure answer 192.0.2.1')],
  },
  {
    about: 'one server of parent and child has the child as it was before it was signed',
    zones: [
      zoneOf('flat.test.', ['BIND', 'ECDSAP256SHA256', nsec], [whole('nsd'), whole('bind')]),
      zoneOf(
        'kid.flat.test.',
        ['Knot', 'ECDSAP256SHA256', nsec],
        [whole('nsd'), broken('bind', { signed: 'unsigned' })],
      ),
    ],
    asked: [
      // Without the child's keys none of them has the tag of a signature that is the child's.
      tryingOn('web.kid.flat.test.', 'A', good),
    ],
  },
  {
    about: 'one server of the parent has a DS of a key that is gone',
    zones: [
      zoneOf(
        'stale.test.',
        ['BIND', 'RSASHA256', nsec3()],
        [
          whole('nsd'),
          broken('bind', { before: changed('kid.stale.test.', 'DS', /[0-9A-F]{8}$/i, 'deadbeef') }),
        ],
      ),
      zoneOf('kid.stale.test.', ['BIND', 'ECDSAP256SHA256', nsec], [whole('knot'), whole('powerdns')]),
    ],
    asked: [
      {
        name: 'web.kid.stale.test.',
        type: 'A',
        validating: { [good]: '1/2', 'servfail: no-matching-ds': '1/2' },
        withoutRetry: 'the same',
      },
    ],
  },
];

/** What is not there must be proven, too. */
const denials: readonly World[] = [
  {
    about: 'one server cannot prove what is not there (NSEC)',
    zones: [
      zoneOf(
        'gap.test.',
        ['BIND', 'ECDSAP256SHA256', nsec],
        [whole('knot'), broken('nsd', { after: withoutRecords(['NSEC', 'NSEC3']) })],
      ),
    ],
    asked: [
      tryingOn('missing.gap.test.', 'A', 'secure nxdomain'),
      tryingOn('web.gap.test.', 'TXT', 'secure nodata'),
      tryingOn('x.wild.gap.test.', 'A', 'secure answer 192.0.2.3'),
      surely('web.gap.test.', 'A', good),
    ],
  },
  {
    about: 'one server cannot prove what is not there (NSEC3)',
    zones: [
      zoneOf(
        'hole.test.',
        ['Knot', 'ED25519', nsec3()],
        [whole('powerdns'), broken('nsd', { after: withoutRecords(['NSEC', 'NSEC3']) })],
      ),
    ],
    asked: [
      tryingOn('missing.hole.test.', 'A', 'secure nxdomain'),
      tryingOn('web.hole.test.', 'TXT', 'secure nodata'),
      tryingOn('x.wild.hole.test.', 'A', 'secure answer 192.0.2.3'),
    ],
  },
  {
    about: 'one server has a SOA without a signature',
    zones: [
      zoneOf(
        'start.test.',
        ['Knot', 'RSASHA256', nsec],
        [whole('nsd'), broken('bind', { after: withoutSignatures(['SOA']) })],
      ),
    ],
    asked: [tryingOn('missing.start.test.', 'A', 'secure nxdomain')],
  },
];

/** Something is wrong with zones, mostly at one of two servers. */
export const faulty: readonly World[] = [...signatures, ...keys, ...denials, ...parents];
