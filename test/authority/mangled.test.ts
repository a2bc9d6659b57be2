import t from 'tap';
import { ZoneFileError } from '../../src/authority/entries.ts';
import { openZone } from '../../src/authority/open-zone-file.ts';
import { drawingFrom } from '../../src/base/chance.ts';
import { parseName } from '../../src/dns/name.ts';

const FILES = 300;
const WHOLE = `$TTL 1h ; usual
@  SOA ns1 host ( 1 7200
     900 1209600 300 ) ; over two lines
   NS  ns1
ns1   A     192.0.2.1
      AAAA  2001:db8::1
$GENERATE 1-9/2 h\${0,2} 300 IN A 192.0.2.$
$ORIGIN sub
www   TXT "a ; \\"b\\"" c
      HTTPS 1 . alpn="h2,h3" ipv4hint=192.0.2.7
old   DNAME new
c     NS ns.c
ns.c  A 192.0.2.9
\\046x TYPE65280 \\# 2 abcd
k     DNSKEY 257 3 13 AAAA
      RRSIG A 13 2 60 20300101000000 20200101000000 1 x. AAAA
`;
/** What files are broken with. */
const PIECES = [
  '"',
  '(',
  ')',
  ';',
  '\\',
  '\n',
  '\t',
  ' ',
  '$',
  '@',
  '.',
  '..',
  '*',
  '99999999999',
  'é',
  '\0',
  '\ufffd',
  '${',
  '$INCLUDE /',
  'IN',
  'SOA',
];
/** Milliseconds of processor time. */
const MOST_MS = 1_000;

t.test(`${FILES} mangled files are read, or refused with line and column`, async (t) => {
  let refused = 0;
  for (let number = 1; number <= FILES; number += 1) {
    const text = mangled(number);
    const before = process.cpuUsage();
    try {
      const { faults } = openZone(parseName('x.'), { octets: octetsOf(text, number) }, 0);
      for (const { line } of faults) if (line < 1 || line > linesOf(text)) t.fail(`${number}: line ${line}`);
    } catch (error) {
      if (!(error instanceof ZoneFileError)) throw error;
      refused += 1;
      const { file, line, column = 1 } = error.place;
      const isThere = line >= 1 && line <= linesOf(text) && column >= 1;
      if (file !== 'stdin' || !isThere || error.reason === '') t.fail(`${number}: ${error.message}`);
    }
    const { user } = process.cpuUsage(before);
    if (user / 1_000 > MOST_MS) t.fail(`${number} takes ${user / 1_000} ms`);
  }
  t.ok(refused > FILES / 3 && refused < FILES, `${refused} are refused`);
});

function mangled(number: number): string {
  const draw = drawingFrom(number);
  const below = (count: number) => Number(draw(BigInt(count)));
  let text = WHOLE;
  for (let left = 1 + below(4); left > 0; left -= 1) {
    const at = below(text.length);
    const piece = PIECES[below(PIECES.length)] ?? '';
    // Put in, left out, or moved.
    const rest = text.slice(at + below(2) * below(12));
    text = below(6) === 0 ? `${rest}${text.slice(0, at)}` : `${text.slice(0, at)}${piece}${rest}`;
  }
  return text;
}

/** Some with octets that are no UTF-8. */
function octetsOf(text: string, number: number): Uint8Array {
  const octets = Buffer.from(text);
  return number % 5 === 0 ? Buffer.concat([octets, Buffer.from([0x3b, 0xff, 0xfe])]) : octets;
}

function linesOf(text: string): number {
  return text.split('\n').length;
}
