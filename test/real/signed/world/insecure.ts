import { broken, whole } from './signed-zone.ts';
import { nsec, nsec3, surely, type World, zoneOf } from './world.ts';

/** What is not signed, or in a way that nobody has to understand, is insecure, and that is fine. */
export const insecure: readonly World[] = [
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
