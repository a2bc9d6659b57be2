import fc from 'fast-check';
import { rdataRows } from '../../dns/rdata-rows.ts';

const WORDS = [
  ...['@', 'a', 'ns1.example.', '.', '*', '\\000', '\\.', '\\', '\\256', 'x'.repeat(64), 'é', '\u202e'],
  ...['$ORIGIN', '$TTL', '$INCLUDE', '300', '1h30m', '99999999999', '-1', 'IN', 'CH', 'CLASS1', 'TYPE1'],
  ...['A', 'AAAA', 'NS', 'SOA', 'TXT', 'CNAME', 'MX', 'DS', 'SVCB', 'NSEC', 'OPT', 'ANY', 'TYPE65280'],
  ...[
    '192.0.2.1',
    '192.0.2.0/24',
    '192.0.2.1/33',
    '::',
    '2001:db8::/32',
    '1.2.3',
    '"a b"',
    '""',
    '"',
    '(',
    ')',
  ],
  ...[
    '\\#',
    '0',
    '1',
    '65536',
    'c0000201',
    '; comment',
    '# comment',
    '\t',
    '\r',
    '\u0000',
    '\ufeff',
    '\u2028',
  ],
];

/** A record that is right, words in any order, or blanks. */
const line = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...rdataRows).map(([type, , data]) => `a 300 IN ${type} ${data}`) },
  {
    weight: 2,
    arbitrary: fc.constantFrom('. 3600 NS a.root.', 'a.root. A 192.0.2.1', '192.0.2.0/24', 'example'),
  },
  {
    weight: 4,
    arbitrary: fc.array(fc.constantFrom(...WORDS), { maxLength: 8 }).map((words) => words.join(' ')),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 30, unit: 'binary' }) },
);

/** Texts like zone files, root hints and lists of names. */
export const zoneTexts: fc.Arbitrary<string> = fc
  .array(line, { maxLength: 8 })
  .map((lines) => lines.join('\n'));
