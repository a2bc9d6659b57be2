import { withoutRecords, withoutSignatures } from './edits.ts';
import { broken, nsec, nsec3, surely, tryingOn, type World, whole, zoneOf } from './world.ts';

const good = 'secure answer 192.0.2.1';

/** What is not there must be proven, too. */
export const denials: readonly World[] = [
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
      tryingOn('missing.gap.test.', 'A', 'secure nxdomain', {
        'secure nxdomain': '1/2',
        'servfail: no-proof': '1/2',
      }),
      tryingOn('web.gap.test.', 'TXT', 'secure nodata', {
        'secure nodata': '1/2',
        'servfail: no-proof': '1/2',
      }),
      tryingOn('x.wild.gap.test.', 'A', 'secure answer 192.0.2.3', {
        'secure answer 192.0.2.3': '1/2',
        'servfail: no-proof': '1/2',
      }),
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
      tryingOn('missing.hole.test.', 'A', 'secure nxdomain', {
        'secure nxdomain': '1/2',
        'servfail: no-proof': '1/2',
      }),
      tryingOn('web.hole.test.', 'TXT', 'secure nodata', {
        'secure nodata': '1/2',
        'servfail: no-proof': '1/2',
      }),
      tryingOn('x.wild.hole.test.', 'A', 'secure answer 192.0.2.3', {
        'secure answer 192.0.2.3': '1/2',
        'servfail: no-proof': '1/2',
      }),
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
    asked: [
      tryingOn('missing.start.test.', 'A', 'secure nxdomain', {
        'secure nxdomain': '1/2',
        'servfail: no-signature': '1/2',
      }),
    ],
  },
];
