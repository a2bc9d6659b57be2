import t from 'tap';
import { readZone } from '../../src/lab/zone.ts';
import { readZoneFile, ZoneFileError } from '../../src/lab/zone-file.ts';

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
    ['a 60 TYPE65280 \\# 2 abcd', ['a. 60 TYPE65280 abcd']],
    ['a 60 TYPE1 192.0.2.1', ['a. 60 A c0000201']],
    ['a 60 HTTPS 1 . alpn="h2 ;"', ['a. 60 HTTPS 000100' + '0001' + '0005' + '046832203b']],
    ['*.a 60 A 192.0.2.1', ['*.a. 60 A c0000201']],
  ];
  for (const [text, records] of rows) t.same(readZoneFile(text).map(rowOf), records, JSON.stringify(text));
});

t.test('the names that NS, CNAME and DNAME records point to are kept', async (t) => {
  const records = readZoneFile('$ORIGIN x.\n$TTL 1\na NS b\n CNAME c.\n DNAME @\n MX 1 m\n');
  t.same(
    records.map((record) => record.target),
    ['b.x.', 'c.', 'x.', undefined],
  );
});

t.test('errors name the line', async (t) => {
  const rows: [text: string, message: RegExp][] = [
    ['\n\na 60 A 192.0.2', /^line 3: .*IPv4/],
    ['a 60 A 192.0.2.1 (\n\n', /^line 1: .*not closed/],
    ['a 60 A 192.0.2.1\n)', /^line 2: .*closing parenthesis/],
    ['a 60 TXT "x\n"', /^line 1: a quote/],
    [' 60 A 192.0.2.1', /^line 1: .*no owner/],
    ['a A 192.0.2.1', /^line 1: no TTL/],
    ['a 60 FOO bar', /^line 1: "FOO" is not a type/],
    ['a 60', /^line 1: "" is not a type/],
    ['a 60 CH TXT x', /^line 1: class CH/],
    ['a 60 AXFR', /^line 1: .*not a type/],
    ['a 60 ANY x', /^line 1: data of type ANY/],
    ['a..b 60 A 192.0.2.1', /^line 1: a label is empty/],
    ['$INCLUDE x', /^line 1: \$INCLUDE is not supported/],
    ['$TTL', /^line 1: \$TTL needs one argument/],
    ['$TTL soon', /^line 1: .*not a time/],
    ['a 60 A ( 192.0.2.1\n 192.0.2.2 )\nb A x', /^line 1: /],
  ];
  for (const [text, message] of rows) {
    t.throws(() => readZoneFile(text), { name: 'ZoneFileError', message }, JSON.stringify(text));
  }
});

t.test('a zone has one SOA, and only names at or below its apex', async (t) => {
  t.equal(readZone(`$ORIGIN x.\n${SOA}`).apex, 'x.');
  t.throws(() => readZone('a 60 A 192.0.2.1'), { message: /no SOA/ });
  t.throws(() => readZone('@ 60 SOA \\# 2 0000'), { message: /too short/, line: 1 });
  t.throws(() => readZone(`$ORIGIN x.\n${SOA}${SOA}`), { message: /^line 3: .*second SOA/ });
  t.throws(() => readZone(`$ORIGIN x.\n${SOA}y. A 192.0.2.1`), ZoneFileError);
});

t.test('empty non-terminals exist', async (t) => {
  const zone = readZone(`$ORIGIN x.\n${SOA}a.b.c A 192.0.2.1`);
  t.same([...zone.nodes.keys()].sort(), ['a.b.c.x.', 'b.c.x.', 'c.x.', 'x.']);
});

function rowOf({ name, ttl, type, rdata }: ReturnType<typeof readZoneFile>[number]): string {
  return `${name} ${ttl} ${type} ${Buffer.from(rdata).toString('hex')}`;
}
