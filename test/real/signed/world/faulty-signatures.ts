import { both, changed, withoutRecords, withoutSignatures } from './edits.ts';
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
    asked: [tryingOn('web.alien.test.', 'A', good)],
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
    asked: [tryingOn('web.rolling.test.', 'A', good)],
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
      tryingOn('web.keyless.test.', 'A', good),
    ],
  },
];

/** Of two servers the second has old signatures, or none, or bad ones: its keys and its replies. */
export const signatures: readonly World[] = [
  {
    about: 'one server has signatures that have expired',
    zones: [
      zoneOf(
        'expired.test.',
        ['BIND', 'RSASHA256', nsec],
        [whole('knot'), broken('bind', { signed: { keys: 'own', time: 'long ago' } })],
      ),
      zoneOf('cross.test.', ['Knot', 'ED25519', nsec], [whole('nsd'), whole('powerdns')], {
        lines: 'www CNAME web.expired.test.',
      }),
    ],
    asked: [
      tryingOn('www.cross.test.', 'A', good),
      tryingOn('web.expired.test.', 'A', good),
      tryingOn('missing.expired.test.', 'A', 'secure nxdomain'),
    ],
  },
  {
    about: 'one server has signatures that are not yet valid',
    zones: [
      zoneOf(
        'early.test.',
        ['Knot', 'ECDSAP256SHA256', nsec3()],
        [whole('nsd'), broken('knot', { signed: { keys: 'own', time: 'in advance' } })],
      ),
    ],
    asked: [tryingOn('web.early.test.', 'A', good)],
  },
  {
    about: 'one server has the zone as it was before it was signed',
    zones: [
      zoneOf(
        'before.test.',
        ['Knot', 'ED25519', nsec],
        [whole('powerdns'), broken('nsd', { signed: 'unsigned' })],
      ),
    ],
    asked: [tryingOn('web.before.test.', 'A', good)],
  },
  {
    about: 'something strips what one server signed',
    zones: [
      zoneOf(
        'stripped.test.',
        ['PowerDNS', 'ECDSAP256SHA256', nsec],
        [
          whole('powerdns'),
          broken('nsd', {
            after: both(
              withoutSignatures(['SOA', 'NS', 'A', 'CNAME', 'DNSKEY', 'NSEC3PARAM']),
              withoutRecords(['NSEC', 'NSEC3']),
            ),
          }),
        ],
      ),
    ],
    asked: [tryingOn('web.stripped.test.', 'A', good)],
  },
  {
    about: 'one server has one signature too few',
    zones: [
      zoneOf(
        'few.test.',
        ['BIND', 'ED25519', nsec3()],
        [whole('bind'), broken('nsd', { after: withoutSignatures(['A'], 'web.few.test.') })],
      ),
    ],
    asked: [
      tryingOn('web.few.test.', 'A', good),
      // The alias is good, so only its target is asked for again.
      tryingOn('www.few.test.', 'A', good),
      surely('other.few.test.', 'A', 'secure answer 192.0.2.2'),
    ],
  },
  {
    about: 'one server has other data than were signed',
    zones: [
      zoneOf(
        'forged.test.',
        ['Knot', 'RSASHA256', nsec],
        [whole('nsd'), broken('bind', { after: changed('web.forged.test.', 'A', '192.0.2.1', '192.0.2.9') })],
      ),
    ],
    asked: [tryingOn('web.forged.test.', 'A', good), tryingOn('www.forged.test.', 'A', good)],
  },
  {
    about: 'one server names the parent as the signer',
    zones: [
      zoneOf(
        'signer.test.',
        ['BIND', 'ECDSAP256SHA256', nsec],
        [
          whole('knot'),
          broken('nsd', { after: changed('web.signer.test.', 'RRSIG', /(\d+) signer\.test\./, '$1 test.') }),
        ],
      ),
    ],
    asked: [tryingOn('web.signer.test.', 'A', good)],
  },
  {
    about: 'all servers have signatures that have expired',
    zones: [
      zoneOf(
        'over.test.',
        ['Knot', 'ECDSAP256SHA256', nsec],
        [
          broken('knot', { signed: { keys: 'own', time: 'long ago' } }),
          broken('bind', { signed: { keys: 'own', time: 'long ago' } }),
        ],
      ),
    ],
    asked: [
      surely('web.over.test.', 'A', 'servfail: expired'),
      surely('missing.over.test.', 'A', 'servfail: expired'),
    ],
  },
];
