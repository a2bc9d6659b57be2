import fc from 'fast-check';
import { ZoneFileError } from '../../../src/authority/entries.ts';
import { readZoneFile } from '../../../src/authority/zone-file.ts';
import { readLine } from '../../../src/cli/many/name-list.ts';
import { decodeMessage } from '../../../src/dns/decode.ts';
import { encodeMessage } from '../../../src/dns/encode.ts';
import { ROOT } from '../../../src/dns/name.ts';
import { encodeRdata } from '../../../src/dns/rdata/rdata.ts';
import { fitsType } from '../../../src/dns/record.ts';
import { DenyListError, parseDenyList } from '../../../src/explore/policy.ts';
import { parseRootHints, RootHintsError } from '../../../src/explore/root-hints.ts';
import { rdataRows } from '../../dns/rdata-rows.ts';
import { mutated } from '../octets.ts';
import { must, subject, withinCpu } from '../subject.ts';

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
const zoneTexts: fc.Arbitrary<string> = fc.array(line, { maxLength: 8 }).map((lines) => lines.join('\n'));

const MOST_MS = 1_000;

const texts = mutated(zoneTexts.map((text) => Buffer.from(text))).map((octets) =>
  Buffer.from(octets).toString(),
);

/** Zone files, root hints, deny lists and lists of names are read or refused with the line at fault. */
export const readTexts = subject('texts', 4_000, texts, (text) => {
  withinCpu(MOST_MS, () => {
    zoneFile(text);
    refusedAs(RootHintsError, () => parseRootHints(text));
    refusedAs(DenyListError, () => parseDenyList(text));
    for (const [index, line] of text.split('\n').entries()) readLine(line, index + 1);
  });
});

function zoneFile(text: string): void {
  const records = refusedAs(ZoneFileError, () => readZoneFile(text)) ?? [];
  for (const record of records) {
    const message = {
      id: 1,
      flags: [],
      rcode: 'NOERROR',
      questions: [],
      answer: [record],
      authority: [],
      additional: [],
    };
    const [read] = record.type === 'OPT' ? [] : decodeMessage(encodeMessage(message)).answer;
    if (read === undefined || !fitsType(read)) continue;
    const again = encodeMessage({
      ...message,
      answer: [{ ...record, rdata: encodeRdata(read.type, read.data, ROOT) }],
    });
    const [reread] = decodeMessage(again).answer;
    must(reread?.data === read.data, `${read.type} ${read.data} is read again as ${reread?.data}`);
  }
}

/** What a function gives; undefined if it throws an error of this kind that is one printable line. */
function refusedAs<T>(kind: new (...args: never[]) => Error, read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    must(error instanceof kind, `threw ${error}`);
    must(error.message.startsWith('line ') || /^no /.test(error.message), `says ${error.message}`);
    return undefined;
  }
}
