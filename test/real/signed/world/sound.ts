import { besideOld, oldSignature } from './edits.ts';
import { broken, nsec, nsec3, surely, type World, whole, zoneOf } from './world.ts';

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
const registries: World = {
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

/** What is not signed, or in a way that nobody has to understand, is insecure, and that is fine. */
const insecure: readonly World[] = [
  {
    about: 'an unsigned zone',
    zones: [
      zoneOf(
        'plain.test.',
        ['BIND', 'ECDSAP256SHA256', nsec],
        [broken('powerdns', { signed: 'unsigned' }), broken('nsd', { signed: 'unsigned' })],
        { delegated: 'nothing' },
      ),
    ],
    asked: [
      surely('web.plain.test.', 'A', 'insecure answer 192.0.2.1'),
      surely('missing.plain.test.', 'A', 'insecure nxdomain'),
      surely('plain.test.', 'DS', 'secure nodata'),
    ],
  },
  {
    about: 'an unsigned zone under opt-out, beside a signed one',
    zones: [
      zoneOf(
        'plain.example.',
        ['BIND', 'ECDSAP256SHA256', nsec],
        [broken('knot', { signed: 'unsigned' }), broken('bind', { signed: 'unsigned' })],
        { delegated: 'nothing' },
      ),
      zoneOf('signed.example.', ['Knot', 'RSASHA256', nsec], [whole('knot'), whole('nsd')]),
    ],
    asked: [
      surely('web.plain.example.', 'A', 'insecure answer 192.0.2.1'),
      surely('web.signed.example.', 'A', 'secure answer 192.0.2.1'),
      surely('missing.example.', 'A', 'insecure nxdomain'),
      surely('plain.example.', 'DS', 'insecure nodata'),
    ],
  },
  {
    about: 'a DS of an algorithm that nobody knows',
    zones: [
      zoneOf('strange.test.', ['Knot', 'ECDSAP256SHA256', nsec], [whole('nsd'), whole('bind')], {
        delegated: 'unknown algorithm',
      }),
    ],
    asked: [surely('web.strange.test.', 'A', 'insecure answer 192.0.2.1')],
  },
  {
    about: 'more iterations than resolvers count',
    zones: [zoneOf('often.test.', ['Knot', 'ECDSAP256SHA256', nsec3(200)], [whole('nsd'), whole('bind')])],
    asked: [
      surely('web.often.test.', 'A', 'secure answer 192.0.2.1'),
      surely('missing.often.test.', 'A', 'insecure nxdomain'),
      surely('web.often.test.', 'TXT', 'insecure nodata'),
    ],
  },
  {
    about: 'a secure alias to an insecure name, and a DNAME',
    zones: [
      zoneOf('points.test.', ['PowerDNS', 'ED25519', nsec], [whole('powerdns'), whole('bind')], {
        lines: 'www CNAME web.unproven.test.\nmoved DNAME ent\ndeep.ent A 192.0.2.4',
      }),
      zoneOf(
        'unproven.test.',
        ['BIND', 'ECDSAP256SHA256', nsec],
        [broken('nsd', { signed: 'unsigned' }), broken('knot', { signed: 'unsigned' })],
        { delegated: 'nothing' },
      ),
    ],
    asked: [
      surely('www.points.test.', 'A', 'insecure answer 192.0.2.1'),
      surely('deep.moved.points.test.', 'A', 'secure answer 192.0.2.4'),
    ],
  },
  {
    about: 'zones on the servers of their parent, one of them unsigned',
    zones: [
      zoneOf('house.test.', ['BIND', 'ECDSAP256SHA256', nsec], [whole('nsd'), whole('bind')], {
        lines: 'in CNAME web.room\nout CNAME web.shed',
      }),
      zoneOf('room.house.test.', ['Knot', 'ED25519', nsec3()], [whole('nsd'), whole('bind')]),
      zoneOf(
        'shed.house.test.',
        ['BIND', 'ECDSAP256SHA256', nsec],
        [broken('nsd', { signed: 'unsigned' }), broken('bind', { signed: 'unsigned' })],
        { delegated: 'nothing' },
      ),
    ],
    asked: [
      surely('web.room.house.test.', 'A', 'secure answer 192.0.2.1'),
      surely('missing.room.house.test.', 'A', 'secure nxdomain'),
      surely('web.shed.house.test.', 'A', 'insecure answer 192.0.2.1'),
      surely('missing.shed.house.test.', 'A', 'insecure nxdomain'),
      surely('in.house.test.', 'A', 'secure answer 192.0.2.1'),
      surely('out.house.test.', 'A', 'insecure answer 192.0.2.1'),
      surely('shed.house.test.', 'DS', 'secure nodata'),
      surely('web.room.house.test.', 'DS', 'secure nodata'),
    ],
  },
  {
    about: 'zones on some of the servers of their parent, one of them unsigned',
    zones: [
      zoneOf('hotel.test.', ['Knot', 'RSASHA256', nsec3()], [whole('nsd'), whole('bind')]),
      zoneOf('suite.hotel.test.', ['BIND', 'ECDSAP256SHA256', nsec], [whole('nsd'), whole('knot')]),
      zoneOf(
        'annexe.hotel.test.',
        ['BIND', 'ECDSAP256SHA256', nsec],
        [broken('bind', { signed: 'unsigned' }), broken('powerdns', { signed: 'unsigned' })],
        { delegated: 'nothing' },
      ),
    ],
    asked: [
      surely('web.suite.hotel.test.', 'A', 'secure answer 192.0.2.1'),
      surely('missing.suite.hotel.test.', 'A', 'secure nxdomain'),
      surely('web.annexe.hotel.test.', 'A', 'insecure answer 192.0.2.1'),
      surely('web.annexe.hotel.test.', 'TXT', 'insecure nodata'),
    ],
  },
];

/** What a validating resolver's users get everywhere. */
export const sound: readonly World[] = [registries, ...signedWell, ...insecure, ...odd];
