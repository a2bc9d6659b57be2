/** Rows for the faults of zone files that are planned. */
import { parseName } from '../../src/dns/name.ts';
import type { FindingRow } from './world.ts';

const HEAD = '@ 60 SOA ns1 host 1 7200 900 1209600 300\n@ NS ns1\nns1 A 192.0.2.1\n';
const SIGNATURE = 'A 13 2 60 20300101000000 20200101000000 1 x. AAAA';

const OF_ZONE = { name: parseName('x'), type: 'SOA' };

/** The chain of NSEC records, and a name. */
const NSECS = [
  '@ NSEC ns1.x. NS SOA RRSIG NSEC',
  'ns1 NSEC www.x. A RRSIG NSEC',
  'www NSEC x. A RRSIG NSEC',
  `www A 192.0.2.2\nwww RRSIG ${SIGNATURE}`,
].join('\n');

/** What lines of the zone x. show, after the usual three. */
function shown(
  code: FindingRow['code'],
  shows: string,
  lines: string,
  severity?: string,
  tells: string[] = [],
): FindingRow {
  const finds = severity === undefined ? [] : tells.map(() => `${severity} x.: `);
  return { code, shows, zoneFile: `${HEAD}${lines}\n`, finds, tells };
}

/** A host with a signature that ends on a day. */
function signed(host: string, day: string): string {
  return `${host} A 192.0.2.2\n${host} RRSIG ${SIGNATURE.replace('20300101', day)}`;
}

export const ZONE_FILES: readonly FindingRow[] = [
  {
    ...shown('FILE_UNREADABLE', 'a file that is none', '', 'error', [
      'x.zone:3: "line" is not a type: x is not checked',
    ]),
    zoneFaults: [{ code: 'FILE_UNREADABLE', ...OF_ZONE, line: 3, detail: '"line" is not a type' }],
  },
  shown('FILE_UNREADABLE', 'a file that can be read', ''),
  {
    ...shown('FILE_NOT_DELEGATED', 'a name with a slip', '', 'error', [
      'Nobody delegates x: it is not checked',
    ]),
    zoneFaults: [{ code: 'FILE_NOT_DELEGATED', ...OF_ZONE, line: 1 }],
  },
  shown('FILE_NOT_DELEGATED', 'a zone that somebody delegates', ''),
  shown(
    'FILE_REFUSED',
    'what BIND refuses, each with its line',
    [
      '@ DS 1 13 2 00',
      '* NS ns1',
      '@ CDS 1 13 2 00',
      'x ANY \\# 1 00',
      '$GENERATE 1-3 m$ MX 10 ns1',
      ...Array.from({ length: 300 }, (_, at) => `big TXT "${`${at}`.padEnd(240, 'x')}"`),
    ].join('\n'),
    'error',
    [
      'x.zone:4: x DS: DS records belong to the parent zone (RFC 4035 2.4): BIND refuses the file',
      'x.zone:5: *.x NS: a wildcard delegates nothing',
      'x.zone:6: x CDS: it is of a key that the zone does not have',
      'x.zone:7: x.x ANY: no record has the type ANY (RFC 1035 3.2.3): BIND, Knot DNS and NSD refuse the file',
      'x.zone:8: m1.x MX: several words of data in $GENERATE need quotes around all of them: BIND refuses the file',
      'x.zone:9: big.x TXT: its RRset has 72300 octets',
    ],
  ),
  shown(
    'FILE_REFUSED',
    'requests that remove keys, and data in quotes',
    '@ CDS 0 0 0 00\n@ CDNSKEY 0 3 0 AA==\n$GENERATE 1-3 m$ MX "10 ns1"\n*.w A 192.0.2.1',
  ),
  shown('FILE_TEXT_CUT', 'a key without quotes', 'k TXT v=DKIM1; k=rsa; p=AAAA', 'warning', [
    'x.zone:4: k.x TXT ends at a semicolon',
  ]),
  shown(
    'FILE_TEXT_CUT',
    'quotes, and comments after a blank',
    'k TXT "v=DKIM1; p=A" ; new\nl TXT a ; b\nm TXT "a";b',
  ),
  shown('FILE_OUT_OF_ZONE', 'a dot too many', 'www.x A 192.0.2.2\nwww. A 192.0.2.2', 'error', [
    'x.zone:5: www A is not in x: NSD refuses the file',
  ]),
  shown('FILE_OUT_OF_ZONE', 'all is in the zone', 'www A 192.0.2.2'),
  shown('FILE_CNAME_AND_OTHER_DATA', 'an alias with a record', 'www CNAME ns1\nwww TXT "x"', 'error', [
    'x.zone:4: www.x has a CNAME record and a record of type TXT',
  ]),
  shown('FILE_CNAME_AND_OTHER_DATA', 'two aliases', 'www CNAME ns1\nwww CNAME ns2', 'error', [
    'www.x has a CNAME record and another CNAME record',
  ]),
  shown(
    'FILE_CNAME_AND_OTHER_DATA',
    'a signed alias',
    `www CNAME ns1\nwww NSEC x. CNAME\nwww RRSIG ${SIGNATURE}`,
  ),
  shown(
    'FILE_DNAME_CONFLICT',
    'two of them, and one at a cut',
    'd DNAME y.\nd DNAME z.\nc NS ns1\nc DNAME y.',
    'error',
    [
      'x.zone:4: d.x has a DNAME record and another DNAME record: servers refuse the file',
      'x.zone:7: c.x has a DNAME record and records of type NS',
    ],
  ),
  shown('FILE_DNAME_CONFLICT', 'one at the apex, and one beside data', '@ DNAME y.\nd DNAME y.\nd TXT "x"'),
  {
    code: 'FILE_NO_NS',
    shows: 'a zone without name servers',
    zoneFile: '@ 60 SOA ns1 host 1 7200 900 1209600 300\n',
    finds: ['error x.: '],
    tells: ['x.zone:1: x has no NS records'],
  },
  shown('FILE_NO_NS', 'a zone with a name server', ''),
  shown(
    'FILE_NS_WITHOUT_ADDRESS',
    'the zone, a cut, and a hidden cut',
    '@ NS ns2\nc NS ns.c\nd NS ns.e\nb.c NS ns.b.c',
    'error',
    [
      'x.zone:4: x has the name server ns2.x, but the zone has no address for it',
      'x.zone:5: c.x has the name server ns.c.x',
    ],
  ),
  shown('FILE_NS_WITHOUT_ADDRESS', 'a name without its final dot', '@ NS ns.y.z', 'error', [
    'the zone has no address for it. If the final dot of ns.y.z is missing, add it. Else: Add A or AAAA',
  ]),
  shown(
    'FILE_NS_WITHOUT_ADDRESS',
    'glue, a wildcard, and names elsewhere',
    '@ NS a.w\n*.w A 192.0.2.2\nc NS ns.c\nns.c A 192.0.2.3\nd NS ns.c\n@ NS ns.y.',
  ),
  shown('FILE_TARGET_IS_ALIAS', 'mail and name servers', '@ MX 1 m\nm CNAME ns1\nc NS m', 'warning', [
    'x.zone:4: x MX names m.x, which is an alias',
    'x.zone:6: c.x NS names m.x',
  ]),
  shown('FILE_TARGET_IS_ALIAS', 'hosts, and an alias elsewhere', '@ MX 1 ns1\n@ MX 2 m.y.\nc NS ns1'),
  shown(
    'FILE_TARGET_WITHOUT_ADDRESS',
    'no such host, and one without address',
    '@ MX 1 none\n_s._tcp SRV 0 0 53 t\nt TXT "x"',
    'warning',
    ['x.zone:4: x MX names none.x, which has no address', 'x.zone:5: _s._tcp.x SRV names t.x'],
  ),
  shown(
    'FILE_TARGET_WITHOUT_ADDRESS',
    'addresses of hosts, with and without a final dot',
    '@ MX 1 192.0.2.9.\n@ MX 2 192.0.2.9\nc NS 192.0.2.9.',
    'warning',
    [
      'x.zone:4: x MX names 192.0.2.9, an address where the name of a host belongs',
      'x.zone:5: x MX names 192.0.2.9.x, an address',
      'x.zone:6: c.x NS names 192.0.2.9, an address',
    ],
  ),
  shown(
    'FILE_TARGET_WITHOUT_ADDRESS',
    'a null MX, a wildcard, and a host below a cut',
    '@ MX 0 .\nw MX 1 a.w\n*.w A 192.0.2.2\nc NS ns1\nw MX 2 m.c',
  ),
  shown(
    'FILE_OCCLUDED',
    'below a cut, at it, and below a DNAME',
    'c NS ns1\nwww.c TXT "x"\nc TXT "x"\nd DNAME y.\nwww.d A 192.0.2.2',
    'warning',
    [
      'x.zone:5: www.c.x TXT is hidden by the records of c.x',
      'x.zone:6: c.x TXT is hidden by the records of c.x',
      'x.zone:8: www.d.x A is hidden by the records of d.x',
    ],
  ),
  shown(
    'FILE_OCCLUDED',
    'glue, and data beside a DNAME',
    'c NS ns.c\nns.c A 192.0.2.2\nc DS 1 13 2 abcd\nd DNAME y.\nd TXT "x"',
  ),
  shown('FILE_TTLS_DIFFER', 'two addresses', 'www 60 A 192.0.2.2\nwww 61 A 192.0.2.3', 'warning', [
    'x.zone:5: www.x A is one of several records with different TTLs (61 and 60 s)',
  ]),
  shown('FILE_TTLS_DIFFER', 'two types', 'www 60 A 192.0.2.2\nwww 61 TXT "x"'),
  {
    code: 'FILE_SOA_VALUES',
    shows: 'numbers in the wrong order',
    zoneFile: '@ 60 SOA ns1 host 1 900 7200 3600 604800\n@ NS ns.y.\n',
    finds: ['notice x.: '],
    tells: [
      'RETRY (7200) is not less than REFRESH (900), EXPIRE (3600) is less than REFRESH and RETRY together',
    ],
  },
  shown('FILE_SOA_VALUES', 'usual numbers', ''),
  {
    ...shown('FILE_SERIAL_NOT_HIGHER', 'the serial of today, and other answers', '', 'warning', [
      'x.zone:1: The serial of x is not higher than that of its servers (1, today 1)',
    ]),
    served: { serial: 1, differs: true },
  },
  {
    ...shown('FILE_SERIAL_NOT_HIGHER', 'a lower serial', '', 'warning', ['(1, today 2)']),
    served: { serial: 2, differs: false },
  },
  {
    ...shown('FILE_SERIAL_NOT_HIGHER', 'the zone of today', ''),
    served: { serial: 1, differs: false },
  },
  {
    ...shown('FILE_SERIAL_NOT_HIGHER', 'a serial beyond the largest', ''),
    served: { serial: 2 ** 32 - 1, differs: true },
  },
  {
    ...shown(
      'FILE_GLUE_DIFFERS',
      'another address at the parent, and one that the zone lacks',
      '@ NS ns2\nns2 A 192.0.2.2',
      'error',
      [
        'x.zone:2: ns2.x AAAA differs from the glue at the parent: no such address here, 2001:db8::2 there',
        'x.zone:3: ns1.x A differs from the glue at the parent: 192.0.2.1 here, 192.0.2.3 there',
      ],
    ),
    planned: ['x. ns1.x.=192.0.2.3 ns2.x.=192.0.2.2,2001:db8::2'],
  },
  {
    ...shown(
      'FILE_GLUE_DIFFERS',
      'the same addresses, one of a family more, and a server elsewhere',
      'ns1 AAAA 2001:db8::1',
    ),
    planned: ['x. ns1.x.=192.0.2.1 ns.y.=192.0.2.9'],
  },
  shown(
    'FILE_SIGNATURE_EXPIRES',
    'a signature of last year',
    `www A 192.0.2.2\nwww RRSIG ${SIGNATURE.replace('2030', '2021')}`,
    'warning',
    ['A signature of www.x ends at 2021-01-01T00:00:00Z'],
  ),
  shown(
    'FILE_SIGNATURE_EXPIRES',
    'three of last year, of which the first that ended is told, and three that end tomorrow',
    [
      ...['0103', '0101', '0102'].map((day, at) => signed(`h${at}`, `2025${day}`)),
      ...['0103', '0102', '0102'].map((day, at) => signed(`t${at}`, `2026${day}`)),
    ].join('\n'),
    'warning',
    [
      'x.zone:7: A signature of h1.x ends at 2025-01-01T00:00:00Z: validating resolvers then return SERVFAIL. There are 2 more of this kind',
      'x.zone:13: A signature of t1.x ends at 2026-01-02T00:00:00Z: validating resolvers then return SERVFAIL. There are 2 more of this kind',
    ],
  ),
  shown('FILE_SIGNATURE_EXPIRES', 'one that is good for years', `www A 192.0.2.2\nwww RRSIG ${SIGNATURE}`),
  shown(
    'FILE_DENIAL_BROKEN',
    'a name and a type that were added to a signed zone',
    `${NSECS}\nnew A 192.0.2.2\nwww TXT "x"`,
    'error',
    [
      'x.zone:4: x NSEC: the next name is ns1.x instead of new.x',
      'x.zone:6: www.x NSEC: the listed types lack TXT',
      'x.zone:9: new.x A: the name has no NSEC record',
    ],
  ),
  shown('FILE_DENIAL_BROKEN', 'signatures alone', `www RRSIG ${SIGNATURE}`, 'error', [
    'x.zone:1: x SOA: there are signatures, but neither NSEC nor NSEC3 records',
  ]),
  shown('FILE_DENIAL_BROKEN', 'a whole chain', NSECS),
];
