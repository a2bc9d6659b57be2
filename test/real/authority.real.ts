import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { ZoneFileError } from '../../src/authority/entries.ts';
import { openZone } from '../../src/authority/open-zone-file.ts';
import { parseName } from '../../src/dns/name.ts';
import { comparePlans } from './compare-plans.ts';
import { compareWithServers } from './compare-zones.ts';

t.test('replies from zone files are those of NSD, BIND and Knot DNS', { timeout: 300_000 }, async (t) => {
  await compareWithServers(t, { from: 0, zones: 60, questions: 30, signedEvery: 6 });
});

t.test('plans come true in NSD, BIND and Knot DNS', { timeout: 300_000 }, async (t) => {
  await comparePlans(t, 1_000, 5);
});

const HEAD = '$ORIGIN x.\n$TTL 60\n@ SOA ns1 host 1 7200 900 1209600 300\n@ NS ns1\nns1 A 192.0.2.1\n';

const FAULTY_FILES: readonly FaultyFile[] = [
  { shows: 'an alias with data', lines: 'a CNAME ns1\na TXT "x"', ours: 'FILE_CNAME_AND_OTHER_DATA' },
  { shows: 'two aliases', lines: 'a CNAME ns1\na CNAME b', ours: 'FILE_CNAME_AND_OTHER_DATA' },
  { shows: 'two DNAMEs', lines: 'd DNAME a.\nd DNAME b.', ours: 'FILE_DNAME_CONFLICT' },
  { shows: 'data below a DNAME', lines: 'd DNAME a.\nw.d A 192.0.2.2', ours: 'FILE_OCCLUDED' },
  { shows: 'data outside', lines: 'www.y. A 192.0.2.2', ours: 'FILE_OUT_OF_ZONE' },
  { shows: 'a name server without address', lines: '@ NS ns2', ours: 'FILE_NS_WITHOUT_ADDRESS' },
  { shows: 'a cut without glue', lines: 'c NS ns.c', ours: 'FILE_NS_WITHOUT_ADDRESS' },
  { shows: 'a name server that is an alias', lines: '@ NS a\na CNAME ns1', ours: 'FILE_TARGET_IS_ALIAS' },
  { shows: 'a mail server that is an alias', lines: '@ MX 1 a\na CNAME ns1', ours: 'FILE_TARGET_IS_ALIAS' },
  { shows: 'a mail server without address', lines: '@ MX 1 a', ours: 'FILE_TARGET_WITHOUT_ADDRESS' },
  { shows: 'two TTLs', lines: 'a 60 A 192.0.2.2\na 61 A 192.0.2.3', ours: 'FILE_TTLS_DIFFER' },
  { shows: 'a second SOA', lines: '@ SOA ns1 host 2 7200 900 1209600 300', ours: 'second SOA' },
  { shows: 'no such type', lines: 'a FOO bar', ours: '"FOO" is not a type' },
  { shows: 'a bad address', lines: 'a A 192.0.2', ours: 'not an IPv4 address' },
  { shows: 'a label that is too long', lines: `${'a'.repeat(64)} A 192.0.2.2`, ours: 'longer than 63' },
  { shows: 'a text that is too long', lines: `a TXT "${'a'.repeat(256)}"`, ours: 'longer than 255' },
  { shows: 'an open parenthesis', lines: 'a A ( 192.0.2.2', ours: 'not closed' },
  { shows: 'a missing field', lines: 'a MX 1', ours: 'missing' },
  { shows: 'a field too many', lines: 'a A 192.0.2.2 192.0.2.3', ours: 'one field too many' },
  {
    shows: 'an address as a mail server',
    lines: '@ MX 1 192.0.2.2.',
    ours: 'FILE_TARGET_WITHOUT_ADDRESS',
  },
  {
    shows: 'a host name with an underscore',
    lines: 'a_b A 192.0.2.2',
    reason: 'resolvers look such names up like all others',
  },
  {
    shows: 'a name below a wildcard',
    lines: 'a.*.b A 192.0.2.2',
    reason: 'RFC 4592 2.1.3 allows it, and replies show what comes of it',
  },
];

const CHECKERS: readonly (readonly string[])[] = [
  [
    'named-checkzone',
    '-i',
    'full',
    '-k',
    'fail',
    '-m',
    'fail',
    '-M',
    'fail',
    '-n',
    'fail',
    '-S',
    'fail',
    '-W',
    'warn',
    'x.',
  ],
  ['nsd-checkzone', 'x.'],
  ['kzonecheck', '-o', 'x.'],
];

t.test('we find the faults that zone file checkers know, or say why not', async (t) => {
  const directory = t.testdir({});
  t.same(complaining({ shows: 'nothing wrong', lines: 'www A 192.0.2.2' }, directory), []);
  for (const file of FAULTY_FILES) {
    t.equal(disagreement(file), '', file.shows);
    t.ok(complaining(file, directory).length > 0, `some checker complains: ${file.shows}`);
    t.equal(file.ours === undefined, file.reason !== undefined, file.shows);
  }
});

/** A zone file with a fault that checkers know. */
interface FaultyFile {
  readonly shows: string;
  /** Lines of the zone x., after its SOA, its NS record and the address of ns1. */
  readonly lines: string;
  /** The code of our finding, or part of our error; absent: we do not report it, for the reason. */
  readonly ours?: string;
  readonly reason?: string;
}

/** Whether our reader says of a file what its row says; "" if it does. */
function disagreement({ lines, ours }: FaultyFile): string {
  try {
    const octets = Buffer.from(`${HEAD}${lines}\n`);
    const codes = openZone(parseName('x.'), { octets }, Date.now()).faults.map(({ code }) => code as string);
    return (ours === undefined ? codes.length === 0 : codes.includes(ours)) ? '' : `found ${codes.join()}`;
  } catch (error) {
    if (!(error instanceof ZoneFileError)) throw error;
    return ours !== undefined && error.reason.includes(ours) ? '' : error.message;
  }
}

/** The checkers that complain about a file. */
function complaining({ lines }: FaultyFile, directory: string): readonly string[] {
  const file = join(directory, 'x.zone');
  writeFileSync(file, `${HEAD}${lines}\n`);
  return CHECKERS.flatMap(([program = '', ...words]) => {
    const { status, stdout, stderr } = spawnSync(program, [...words, file], { encoding: 'utf8' });
    const isAbout = /warning|error|wildcard|bad owner|TTL set|zone x\S* is bad/i.test(`${stdout}${stderr}`);
    return status !== 0 || isAbout ? [program] : [];
  });
}
