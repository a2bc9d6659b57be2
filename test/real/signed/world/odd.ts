import { besideOld, oldSignature } from './edits.ts';
import { broken, whole } from './signed-zone.ts';
import { nsec, surely, type World, zoneOf } from './world.ts';

/** Something is odd, and does not matter. */
export const odd: readonly World[] = [
  {
    about: 'the parent knows a key besides that no server has, as before a rollover',
    zones: [
      zoneOf('standby.test.', ['BIND', 'ED25519', nsec], [whole('bind'), whole('knot')], {
        delegated: 'own and other',
      }),
    ],
    asked: [surely('web.standby.test.', 'A', 'secure answer 192.0.2.1')],
  },
  {
    about: 'the parent has a DS besides whose digest nobody knows',
    zones: [
      zoneOf('digest.test.', ['BIND', 'ECDSAP256SHA256', nsec], [whole('nsd'), whole('powerdns')], {
        delegated: 'own and unknown digest',
      }),
    ],
    asked: [surely('web.digest.test.', 'A', 'secure answer 192.0.2.1')],
  },
  {
    about: 'an old signature stands beside a good one',
    zones: [
      zoneOf(
        'beside.test.',
        ['Knot', 'RSASHA256', nsec],
        [broken('nsd', { after: besideOld('web.beside.test.') }), whole('bind')],
      ),
    ],
    asked: [surely('web.beside.test.', 'A', 'secure answer 192.0.2.1')],
  },
  {
    about: "the zone's NS records, which come with an answer, have an old signature",
    zones: [
      zoneOf(
        'names.test.',
        ['BIND', 'ECDSAP256SHA256', nsec],
        [
          broken('nsd', { after: oldSignature('names.test.', 'NS') }),
          broken('bind', { after: oldSignature('names.test.', 'NS') }),
        ],
      ),
    ],
    asked: [surely('web.names.test.', 'A', 'secure answer 192.0.2.1')],
  },
];
