import t from 'tap';
import { ZoneFileError } from '../../src/authority/entries.ts';
import { readZone } from '../../src/authority/zone.ts';
import { type Include, readZoneFile } from '../../src/authority/zone-file.ts';
import { parseName } from '../../src/dns/name.ts';

const SOA = '@ 60 SOA ns1 host 1 2 3 4 5\n';

t.test('records are read', async (t) => {
  const rows: [text: string, records: string[]][] = [
    ['a. 60 IN A 192.0.2.1', ['a. 60 A c0000201']],
    ['a. IN 60 A 192.0.2.1', ['a. 60 A c0000201']],
    ['A. 1h a 192.0.2.1', ['a. 3600 A c0000201']],
    ['$TTL 1d\na A 192.0.2.1', ['a. 86400 A c0000201']],
    ['a 60 A 192.0.2.1\nb A 192.0.2.2', ['a. 60 A c0000201', 'b. 60 A c0000202']],
    ['$ORIGIN x.\n@ 60 A 192.0.2.1\n\tA 192.0.2.2', ['x. 60 A c0000201', 'x. 60 A c0000202']],
    ['$ORIGIN x.\n$ORIGIN y\na 60 NS b', ['a.y.x. 60 NS 016201790178' + '00']],
    ['$origin x.\n$ORIGIN .\na 60 CNAME b', ['a. 60 CNAME 016200']],
    ['a\\.b\\032 60 A 192.0.2.1 ; (', ['a\\.b\\032. 60 A c0000201']],
    ['; only\n\n \t\na 60 A 192.0.2.1\r\n', ['a. 60 A c0000201']],
    ['a 60 TXT ( "x;(" ; one\n  y ) "z"', ['a. 60 TXT 03783b280179017a']],
    ['a 60 (\n A\n 192.0.2.1 )', ['a. 60 A c0000201']],
    ['a 60 TXT ( "x" ( y ) )', ['a. 60 TXT 01780179']],
    ['a 60 TYPE65280 \\# 2 abcd', ['a. 60 TYPE65280 abcd']],
    ['a 60 TYPE1 192.0.2.1', ['a. 60 A c0000201']],
    ['a 60 TXT é', ['a. 60 TXT 02c3a9']],
    ['a 60 HTTPS 1 . alpn="h2 ;"', ['a. 60 HTTPS 000100' + '0001' + '0005' + '046832203b']],
    ['*.a 60 A 192.0.2.1', ['*.a. 60 A c0000201']],
    // BIND's way where nothing states a TTL: the last number of the SOA.
    [
      '. SOA . . 1 2 3 4 5\na A 192.0.2.1',
      [`. 5 SOA 0000${'1 2 3 4 5'.replace(/\d ?/g, hex32)}`, 'a. 5 A c0000201'],
    ],
  ];
  for (const [text, records] of rows) t.same(readZoneFile(text).map(rowOf), records, JSON.stringify(text));
});

t.test('$GENERATE stands for many records', async (t) => {
  const rows: [line: string, records: string[]][] = [
    ['1-3 h$ A 192.0.2.$', ['h1.x. 60 A c0000201', 'h2.x. 60 A c0000202', 'h3.x. 60 A c0000203']],
    [
      '0-4/2 h$[10,3] 5 IN A 192.0.2.$[-0]',
      ['h010.x. 5 A c0000200', 'h012.x. 5 A c0000202', 'h014.x. 5 A c0000204'],
    ],
    ['10-11 $[0,2,x]$$ TXT \\$$', ['0a\\$.x. 60 TXT 032' + '43130', '0b\\$.x. 60 TXT 032' + '43131']],
    ['31-31 $[0,4,N] TXT $[0,3,o],$[0,2,X]', ['f.1.x. 60 TXT 063033372c3146']],
  ];
  for (const [line, records] of rows)
    t.same(readZoneFile(`$ORIGIN x.\n$TTL 60\n$GENERATE ${braced(line)}`).map(rowOf), records, line);
});

t.test(
  'what BIND reads beside: CLASS1, mnemonics of algorithms, a byte order mark, quotes in $GENERATE',
  async (t) => {
    const rows: readonly (readonly [text: string, records: readonly string[]])[] = [
      ['\uFEFFa 60 CLASS1 A 192.0.2.1', ['a.x. 60 A c0000201']],
      ['a 60 DS 1 RSASHA256 2 00', ['a.x. 60 DS 0001080200']],
      ['a 60 DNSKEY 256 3 ecdsap256sha256 AA==', ['a.x. 60 DNSKEY 0100030d00']],
      ['$GENERATE 1-2 a$ 60 MX "$ m$"', ['a1.x. 60 MX 0001026d31017800', 'a2.x. 60 MX 0002026d32017800']],
    ];
    for (const [text, records] of rows) {
      const read = readZoneFile(text, { origin: parseName('x') });
      t.same(
        read.map(({ name, ttl, type, rdata }) =>
          [name, ttl, type, Buffer.from(rdata).toString('hex')].join(' '),
        ),
        records,
        text,
      );
    }
  },
);

t.test('$INCLUDE reads another file, and origin and owner are afterwards those before', async (t) => {
  const files: Record<string, string> = {
    'hosts.inc': '$ORIGIN in\na A 192.0.2.1\n$TTL 7\n',
    'far/more.inc': 'b A 192.0.2.2\n',
    'ring.inc': '$INCLUDE ring.inc\n',
    'bad.inc': 'c A 192.0.2.1\nd A 192.0.2\n',
  };
  const include: Include = (path) => {
    const text = files[path];
    return text === undefined ? { refused: `there is no ${path}` } : { text, file: `/zones/${path}` };
  };
  const read = (lines: string) =>
    readZoneFile(`$ORIGIN x.\n$TTL 60\nwww A 192.0.2.9\n${lines}`, { file: 'x.zone', include });
  const records = read('$INCLUDE hosts.inc\n AAAA ::1\n$INCLUDE "far/more.inc" y\nlast A 192.0.2.3\n');
  t.same(
    records.map(({ name, ttl, file, line }) => `${name} ${ttl} ${file}:${line}`),
    [
      'www.x. 60 x.zone:3',
      'a.in.x. 60 /zones/hosts.inc:2',
      'www.x. 7 x.zone:5',
      'b.y.x. 7 /zones/far/more.inc:1',
      'last.x. 7 x.zone:7',
    ],
  );
  const rows: [line: string, message: string][] = [
    ['$INCLUDE none.inc', 'x.zone:4:10: there is no none.inc'],
    ['$INCLUDE ring.inc', '/zones/ring.inc:1:10: more than 8 files include one another'],
    ['$INCLUDE bad.inc', '/zones/bad.inc:2:5: "192.0.2" is not an IPv4 address'],
  ];
  for (const [line, message] of rows) t.throws(() => read(line), { message }, line);
});

t.test('names are relative to the origin that is given', async (t) => {
  const [record] = readZoneFile('a 60 MX 1 @', { origin: parseName('x.') });
  t.equal(record && rowOf(record), 'a.x. 60 MX 0001017800');
});

t.test('the names that NS, CNAME and DNAME records point to are kept', async (t) => {
  const records = readZoneFile('$ORIGIN x.\n$TTL 1\na NS b\n CNAME c.\n DNAME @\n MX 1 m\n');
  t.same(
    records.map((record) => record.target),
    ['b.x.', 'c.', 'x.', undefined],
  );
});

t.test('errors name line and column', async (t) => {
  const rows: [text: string, line: number, column: number, reason: RegExp][] = [
    ['\n\na 60 A 192.0.2', 3, 8, /IPv4/],
    ['a 60 A 192.0.2.1 (\n\n', 1, 18, /not closed/],
    ['a 60 A 192.0.2.1\n)', 2, 1, /closing parenthesis/],
    ['a 60 TXT "x\n"', 1, 10, /quote/],
    ['a 60 TXT x\\', 1, 11, /backslash/],
    [' 60 A 192.0.2.1', 1, 2, /no owner/],
    ['a A 192.0.2.1', 1, 1, /no TTL/],
    ['a 60 FOO bar', 1, 6, /"FOO" is not a type/],
    ['a 60', 1, 5, /"" is not a type/],
    ['a 60 CH TXT x', 1, 6, /class CH/],
    ['a 60 AXFR', 1, 6, /not a type/],
    ['a 60 ANY x', 1, 10, /data of type ANY/],
    ['a..b 60 A 192.0.2.1', 1, 1, /a label is empty/],
    ['a 60 MX 10', 1, 11, /missing/],
    ['a 60 MX 10 b..c', 1, 12, /label is empty/],
    ['a 60 MX 70000 b', 1, 9, /70000/],
    ['a 60 (\n A 192.0.2.1\n  192.0.2.2 )', 3, 3, /one field too many/],
    ['a 60 TYPE65280 \\# 3 abcd', 1, 16, /number of octets/],
    ['é 60 A 192.0.2.1', 1, 1, /non-ASCII/],
    ['$INCLUDE x', 1, 10, /\$INCLUDE is not supported/],
    ['$INCLUDE', 1, 1, /\$INCLUDE needs/],
    ['$TTL', 1, 1, /\$TTL needs one argument/],
    ['$TTL 1 2', 1, 8, /\$TTL needs one argument/],
    ['$TTL soon', 1, 6, /not a time/],
    ['$ORIGIN a..b', 1, 9, /label is empty/],
    ['$FOO x', 1, 1, /\$FOO is not supported/],
    ['$GENERATE 1-2 a', 1, 1, /needs a range/],
    ['$GENERATE 2-1 a$ 1 A 192.0.2.$', 1, 11, /not a range/],
    ['$GENERATE 0-4294967295 a$ 1 A 192.0.2.1', 1, 11, /not a range/],
    ['$GENERATE 0-2147483647 a$ 1 A 192.0.2.1', 1, 1, /more than 2000000 records/],
    ['$GENERATE 1-2 a$[1,2,z] 1 A 192.0.2.1', 1, 15, /OFFSET/],
    ['$GENERATE 1-300 a$ 1 A 192.0.2.$', 1, 24, /IPv4/],
  ];
  for (const [written, line, column, reason] of rows) {
    const text = braced(written);
    const said = JSON.stringify(text);
    try {
      readZoneFile(text);
      t.fail(said);
    } catch (error) {
      if (!(error instanceof ZoneFileError)) throw error;
      t.same([error.place.line, error.place.column], [line, column], said);
      t.match(error.reason, reason, said);
      t.equal(error.message, `line ${line}, column ${column}: ${error.reason}`);
    }
  }
});

t.test('a zone has one SOA, and only names at or below its apex', async (t) => {
  t.equal(readZone(`$ORIGIN x.\n${SOA}`).apex, 'x.');
  t.throws(() => readZone('a 60 A 192.0.2.1'), { message: /no SOA/ });
  t.throws(() => readZone('@ 60 SOA \\# 2 0000'), { message: /^line 1: .*too short/ });
  t.throws(() => readZone(`$ORIGIN x.\n${SOA}${SOA.replace('1', '2')}`), {
    message: /^line 3: .*second SOA/,
  });
  t.throws(() => readZone(`$ORIGIN x.\n${SOA}y. A 192.0.2.1`), ZoneFileError);
});

t.test('a record that is there twice is one', async (t) => {
  const zone = readZone(`$ORIGIN x.\n${SOA}${SOA}a A 192.0.2.1\na A 192.0.2.2\nA A 192.0.2.1\n`);
  t.same(
    [...zone.nodes].map(([name, node]) => `${name} ${node.length}`),
    ['x. 1', 'a.x. 2'],
  );
});

t.test('empty non-terminals exist', async (t) => {
  const zone = readZone(`$ORIGIN x.\n${SOA}a.b.c A 192.0.2.1`);
  t.same([...zone.nodes.keys()].sort(), ['a.b.c.x.', 'b.c.x.', 'c.x.', 'x.']);
});

function rowOf({ name, ttl, type, rdata }: ReturnType<typeof readZoneFile>[number]): string {
  return `${name} ${ttl} ${type} ${Buffer.from(rdata).toString('hex')}`;
}

/** A number in 32 bits. */
function hex32(digit: string): string {
  return Number(digit).toString(16).padStart(8, '0');
}

/** The test writes `$[1]` for `${1}`. */
function braced(text: string): string {
  return text.replaceAll('$[', '${').replaceAll(']', '}');
}
