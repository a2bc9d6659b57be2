import { withoutRecords } from './edits.ts';
import { broken, nsec, nsec3, surely, tryingOn, type World, whole, zoneOf } from './world.ts';

const good = 'secure answer 192.0.2.1';

/** Keys that do not go together. */
export const keys: readonly World[] = [
  {
    about: 'one server signs with keys that the parent does not know',
    zones: [
      zoneOf(
        'alien.test.',
        ['PowerDNS', 'ED25519', nsec3()],
        [whole('bind'), broken('powerdns', { signed: { keys: 'other', time: 'now' } })],
      ),
    ],
    asked: [
      tryingOn('web.alien.test.', 'A', good, {
        [good]: '1/4',
        'servfail: no-matching-ds': '1/2',
        'servfail: wrong-key': '1/4',
      }),
    ],
  },
  {
    about: 'a rollover is half done: each server has keys of its own, and the parent knows both',
    zones: [
      zoneOf(
        'rolling.test.',
        ['Knot', 'ECDSAP256SHA256', nsec],
        [whole('knot'), broken('nsd', { signed: { keys: 'other', time: 'now' } })],
        { delegated: 'own and other' },
      ),
    ],
    asked: [tryingOn('web.rolling.test.', 'A', good, { [good]: '1/2', 'servfail: wrong-key': '1/2' })],
  },
  {
    about: 'the parent knows other keys than the servers have',
    zones: [
      zoneOf('lost.test.', ['BIND', 'ECDSAP256SHA256', nsec3()], [whole('powerdns'), whole('nsd')], {
        delegated: 'other',
      }),
    ],
    asked: [surely('web.lost.test.', 'A', 'servfail: no-matching-ds')],
  },
  {
    about: 'one server lacks the keys',
    zones: [
      zoneOf(
        'keyless.test.',
        ['BIND', 'RSASHA256', nsec],
        [whole('knot'), broken('bind', { after: withoutRecords(['DNSKEY']) })],
      ),
    ],
    asked: [
      // Without keys BIND takes the zone for unsigned, and leaves signatures out.
      tryingOn('web.keyless.test.', 'A', good, {
        [good]: '1/4',
        'servfail: no-keys': '1/2',
        'servfail: no-signature': '1/4',
      }),
    ],
  },
];
