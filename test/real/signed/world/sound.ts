import { besideOld, oldSignature } from './edits.ts';
import { insecure } from './insecure.ts';
import { broken, whole } from './signed-zone.ts';
import { nsec, nsec3, surely, type World, zoneOf } from './world.ts';

/** Something is odd, and does not matter. */
const odd: readonly World[] = [
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

/** The root and two top-level domains, with nothing wrong; one delegates insecurely what it has not signed (opt-out). */
export const registries: World = {
  about: 'a root and registries',
  zones: [
    zoneOf('.', ['BIND', 'RSASHA256', nsec], [whole('rootBind'), whole('rootNsd')], { lines: '' }),
    zoneOf('test.', ['Knot', 'ECDSAP256SHA256', nsec], [whole('testKnot'), whole('testPowerdns')], {
      lines: '',
    }),
    zoneOf('example.', ['BIND', 'ED25519', nsec3(0, true)], [whole('exampleNsd'), whole('exampleBind')], {
      lines: '',
    }),
  ],
  asked: [surely('missing.', 'A', 'secure nxdomain'), surely('missing.test.', 'A', 'secure nxdomain')],
};

const sign = [
  ['byone.test.', ['BIND', 'ECDSAP256SHA256', nsec], [whole('bind'), whole('nsd')]],
  ['bytwo.test.', ['Knot', 'ED25519', nsec3()], [whole('knot'), whole('powerdns')]],
  ['bythree.test.', ['PowerDNS', 'ECDSAP256SHA256', nsec], [whole('powerdns'), whole('knot')]],
  ['byfour.test.', ['PowerDNS', 'RSASHA256', nsec3()], [whole('powerdns'), whole('bind')]],
  ['byfive.test.', ['BIND', 'RSASHA256', nsec3(20)], [whole('powerdns'), whole('nsd')]],
] as const;

/** Zones with nothing wrong, signed and served by everything. */
const signedWell: readonly World[] = sign.map(([origin, signed, copies]) => ({
  about: `signed by ${signed[0]} with ${signed[1]} and ${signed[2].kind}`,
  zones: [zoneOf(origin, signed, copies)],
  asked: [
    surely(`web.${origin}`, 'A', 'secure answer 192.0.2.1'),
    surely(`www.${origin}`, 'A', 'secure answer 192.0.2.1'),
    surely(`missing.${origin}`, 'A', 'secure nxdomain'),
    surely(`web.${origin}`, 'TXT', 'secure nodata'),
    surely(`x.wild.${origin}`, 'A', 'secure answer 192.0.2.3'),
    surely(`x.wild.${origin}`, 'TXT', 'secure nodata'),
    surely(`ent.${origin}`, 'A', 'secure nodata'),
    surely(`x.alias.${origin}`, 'A', 'secure answer 192.0.2.1'),
  ],
}));

/** What a validating resolver's users get everywhere. */
export const sound: readonly World[] = [registries, ...signedWell, ...insecure, ...odd];
