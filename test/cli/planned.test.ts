import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { summaryOf } from '../../src/document/ends.ts';
import type { TraversalResult } from '../../src/document/result.ts';
import { inside } from './inside.ts';

const SHOP = `$TTL 300
@     SOA   ns1.harbour.example. host 7 7200 900 1209600 300
@     NS    ns1.harbour.example.
@     NS    ns2.harbour.example.
www   A     198.51.100.77
      MX    1 mail
mail  CNAME www
`;

const folder = t.testdir({});
const zoneFile = fileWith('shop.zone', SHOP);

function fileWith(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const demo = (...words: readonly string[]) => inside(['traverse', ...words, '--demo']);
const resultOf = ({ stdout }: { readonly stdout: string }): TraversalResult => JSON.parse(stdout);

t.test('users get what the zone file has, and nothing is sent for it', async (t) => {
  const words = ['www.shop.example', '--quick', '--json', '--full', '--zone', `shop.example=${zoneFile}`];
  const ran = await demo(...words);
  const result = resultOf(ran);
  t.equal(ran.status, 0, 'a warning is no trouble');
  t.same(
    summaryOf(result.views.resolver).map(({ fraction, answer }) => [fraction, answer]),
    [['1', ['198.51.100.77']]],
  );
  const planned = result.exchanges.filter((exchange) => exchange.planned);
  t.same(
    new Set(planned.map(({ server }) => server.names.join())),
    new Set(['ns1.harbour.example.', 'ns2.harbour.example.']),
  );
  t.same(new Set(planned.map(({ attempts, elapsedMs }) => `${attempts} ${elapsedMs}`)), new Set(['0 0']));
  t.match(result.whatIf, { delegate: [], zone: [{ zone: 'shop.example.', file: zoneFile }] });
  t.match(
    result.findings.map(({ code, file, line, message }) => ({ code, file, line, message })),
    [
      {
        code: 'FILE_TARGET_IS_ALIAS',
        file: zoneFile,
        line: 6,
        message: `${zoneFile}:6: www.shop.example MX`,
      },
    ],
  );
});

t.test('texts say what is planned', async (t) => {
  const { stdout } = await demo('www.shop.example', '-v', '--quick', '--zone', `shop.example=${zoneFile}`);
  t.match(stdout.replace(/\n +/g, ' '), `if shop.example is as in ${zoneFile}: all users get the answer`);
  t.match(stdout, /^Asked +\d+ questions, 4 of them answered from zone files, to 10 addresses in /m);
  t.match(stdout, /ns1\.harbour\.example\. +198\.51\.100\.1 +planned +198\.51\.100\.77/);
});

t.test('DS records are planned one by one, from a file, or none', async (t) => {
  const statusOf = async (...words: readonly string[]) => {
    const result = resultOf(await demo('www.shop.example', '--json', '--full', ...words));
    const ends = result.views.validating?.outcomes ?? [];
    return [
      ...new Set(ends.map((end) => ('security' in end ? `${end.kind} ${end.security}` : end.kind))),
    ].join();
  };
  const unsigned = ['--zone', `shop.example=${zoneFile}`];
  t.equal(await statusOf(...unsigned), 'servfail', 'the parent has DS records today');
  const told = await demo('www.shop.example', '-v', ...unsigned);
  t.match(
    told.stdout.replace(/\s+/g, ' '),
    /sign the zone file, or plan no DS records \(--ds ZONE=none, or "ds": \[\] in a plan\) if the parent/,
  );
  t.equal(await statusOf(...unsigned, '--ds', 'shop.example=none'), 'answer insecure');
  const saved = resultOf(await demo('shop.example', 'DNSKEY', '--json', '--full'));
  const keys = saved.exchanges.flatMap(({ answer = [] }) =>
    answer.filter(({ name, type }) => type === 'DNSKEY' && name === 'shop.example.'),
  );
  const lines = [...new Set(keys.map(({ data }) => `shop.example. IN DNSKEY ${data}\n`))].join('');
  const keyFile = fileWith('keys', lines);
  t.equal(await statusOf('--ds', `shop.example=${keyFile}`), 'answer secure', 'the keys of today');
  const other = `12345,13,2,${'ab'.repeat(32)}`;
  t.equal(await statusOf('--ds', `shop.example=${other}`), 'servfail', 'the key of nobody');
  const both = resultOf(
    await demo(
      'www.shop.example',
      '--json',
      '--full',
      '--ds',
      `shop.example=${keyFile}`,
      '--ds',
      `shop.example=${other}`,
    ),
  );
  t.equal(both.whatIf?.ds?.[0]?.ds.length, 2);
  t.equal(both.views.validating?.outcomes[0]?.kind, 'answer');
  t.ok(both.findings.some(({ code }) => code === 'DS_STALE'));
});

t.test('a saved plan is replayed without its files', async (t) => {
  const path = join(folder, 'saved.json');
  const first = await demo(
    'www.shop.example',
    '--json',
    '--full',
    '--zone',
    `shop.example=${zoneFile}`,
    '--save',
    path,
  );
  const again = await inside(['traverse', '--replay', path, '--json', '--full']);
  t.same(resultOf(again), resultOf(first));
});

t.test('files are included from below the folder of the zone file only', async (t) => {
  mkdirSync(join(folder, 'zones', 'sub'), { recursive: true });
  fileWith('outside', 'www A 198.51.100.1\n');
  fileWith('zones/sub/hosts', 'www A 198.51.100.99\n');
  symlinkSync(join(folder, 'outside'), join(folder, 'zones', 'link'));
  const head = SHOP.slice(0, SHOP.indexOf('www'));
  const including = async (name: string) => {
    const file = fileWith('zones/shop', `${head}$INCLUDE ${name}\n`);
    return await demo('www.shop.example', '--quick', '--short', '--zone', `shop.example=${file}`);
  };
  t.equal((await including('sub/hosts')).stdout, '198.51.100.99\n');
  const rows: readonly (readonly [name: string, why: string])[] = [
    ['../outside', '"../outside" is not below the folder of the zone file'],
    ['link', '"link" is not below the folder of the zone file'],
    ['/etc/passwd', '"/etc/passwd" is not below the folder of the zone file'],
    ['sub', '"sub" is not a file'],
    ['none', 'cannot read "none": no such file or directory'],
  ];
  for (const [name, why] of rows) {
    const { status, stderr } = await including(name);
    t.same([status, stderr], [3, `svc: ${join(folder, 'zones', 'shop')}:5:10: ${why}\n`], name);
  }
});

t.test('a zone file may come from the standard input', async (t) => {
  const words = ['traverse', 'www.shop.example', '--quick', '--short', '--demo', '--zone', 'shop.example=-'];
  const { stdout } = await inside(words, { stdin: SHOP });
  t.equal(stdout, '198.51.100.77\n');
  const { status, stderr } = await inside(words, { stdin: `${SHOP}$INCLUDE x\n` });
  t.same([status, stderr], [3, 'svc: stdin:8:10: $INCLUDE is for files, not for the standard input\n']);
});

t.test('errors name file, line and column, or the way to write it', async (t) => {
  const broken = fileWith('broken', `${SHOP}x A 192.0.2\n`);
  const other = fileWith('other', SHOP.replace('@     SOA', 'other SOA'));
  const empty = fileWith('empty', '');
  const sohp = fileWith('sohp', SHOP);
  const rows: readonly (readonly [words: readonly string[], status: number, said: string])[] = [
    [['--zone', `shop.example=${broken}`], 3, `${broken}:8:5: "192.0.2" is not an IPv4 address`],
    [
      ['--zone', `shop.example=${other}`],
      3,
      `${other}:2: this is the zone other.shop.example, not shop.example`,
    ],
    [['--zone', `shop.example=${empty}`], 3, `${empty}:1: the zone has no SOA record`],
    [['--zone', 'shop.example=/none'], 3, 'cannot read /none: no such file or directory'],
    [['--zone', 'shop.example'], 2, '--zone "shop.example": write ZONE=FILE'],
    [
      ['--zone', `shop.example=${zoneFile}`, '--zone', 'shop.example=-'],
      2,
      '--zone: shop.example has two files: leave out one of them',
    ],
    [
      ['--zone', 'shop.example=-', '--ds', 'shop.example=-'],
      2,
      'the standard input (-) can be only one file',
    ],
    [
      ['--zone', `sohp.example=${sohp}`],
      2,
      'nothing that is looked up on the way is in sohp.example: --zone takes a zone',
    ],
    [
      ['--ds', 'shop.example'],
      2,
      '--ds "shop.example": write ZONE=TAG,ALGORITHM,DIGEST,HEX, ZONE=FILE or ZONE=none',
    ],
    [['--ds', '.=none'], 2, '--ds: nobody has DS records of the root; --trust-anchor names its keys'],
    [
      ['--ds', 'shop.example=1,13,2,abcd'],
      2,
      '--ds "1,13,2,abcd": the digest has 2 octets; digest type 2 has 32',
    ],
    [['--ds', 'shop.example=1,13,300,abcd'], 2, '--ds "1,13,300,abcd": "300" is not a number from 0 to 255'],
    [['--ds', `shop.example=${zoneFile}`], 3, `${zoneFile}: no DS or DNSKEY record of shop.example`],
    [
      ['--ds', 'other.example=none'],
      2,
      'nothing that is looked up on the way is in other.example: --ds takes a zone',
    ],
    [['--server', 'http://[::1]', '--zone', 'shop.example=x'], 2, '--zone does not go with --server'],
    [['--replay', 'x', '--ds', 'shop.example=none'], 2, '--replay does not go with --ds'],
  ];
  for (const [words, status, said] of rows) {
    const isElsewhere = words[0] === '--server' || words[0] === '--replay';
    const name = words[0] === '--replay' ? [] : ['www.shop.example'];
    const ran = isElsewhere
      ? await inside(['traverse', ...name, ...words])
      : await demo(...name, '--quick', ...words);
    t.equal(ran.status, status, words.join(' '));
    t.match(ran.stderr, `svc: ${said}`);
  }
});
