import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import t from 'tap';
import { readZone } from '../../src/authority/zone.ts';
import { MOST_NAMES, namesToCheck } from '../../src/cli/plan/names-to-check.ts';
import { startLab } from '../../src/lab/lab.ts';
import { ROOT } from '../sources.ts';
import { inside } from './inside.ts';

const SHOP = `$TTL 300
@     SOA   ns1.harbour.example. host 7 7200 900 1209600 300
@     NS    ns1.harbour.example.
@     NS    ns2.harbour.example.
@     A     198.51.100.80
www   A     198.51.100.77
      MX    1 mail
mail  CNAME www
`;
const NEW = `$TTL 300
@     SOA   ns1 host 7 7200 900 1209600 300
@     NS    ns1
@     NS    ns2
ns1   A     192.0.2.77
ns2   A     198.51.100.77
www   A     192.0.2.78
sub   NS    ns.sub
ns.sub A    192.0.2.79
old   DNAME other
x.old A     192.0.2.80
`;
const PLAN = {
  zones: [
    { zone: 'shop.example', file: 'shop.zone', ds: [] },
    {
      zone: 'new.example',
      file: 'zones/new.zone',
      servers: [{ name: 'NS1.new.example', addresses: ['192.0.2.77'] }, { name: 'ns2.harbour.example' }],
      ds: [],
    },
  ],
  names: ['shop.example NS', 'www.shop.example', 'mail.shop.example', 'www.new.example', 'none.new.example'],
};

const folder = t.testdir({
  'plan.json': JSON.stringify(PLAN),
  'shop.zone': SHOP,
  zones: { 'new.zone': NEW },
  bind: {
    'named.conf': `// The servers of today.
options { directory "data"; allow-query { any; }; };
/* zone "not.example" { type primary; file "none"; }; */
include "more.conf";
view "all" IN {
  match-clients { any; };
  zone "shop.example" IN { type master; file "shop"; notify no; };
  zone "old.example" { type secondary; primaries { 192.0.2.1; }; file "old"; };
  zone "." { type hint; file "root"; };
  zone "version.bind" CH { type primary; file "version"; };
};
`,
    data: {
      shop: SHOP,
      'more.conf': '# more\nzone unsigned.example { type primary; file "new"; };\n',
      new: NEW,
    },
  },
  dir: { 'db.shop.example': SHOP, 'unsigned.example.': NEW, README: 'no zone' },
  empty: { README: 'nothing' },
});
const at = (path: string) => join(folder, path);

/** Checks a plan in the demo. */
const plan = (...words: readonly string[]) => inside(['plan', ...words, '--demo', '--quick']);
interface Document {
  readonly exitStatus: number;
  readonly zones: readonly { readonly zone: string }[];
  readonly names: readonly {
    readonly query: { readonly name: string; readonly type: string };
    readonly today: { readonly verdict: { readonly text: string } };
    readonly planned: { readonly verdict: { readonly text: string; readonly exitStatus: number } };
    readonly change: string;
    readonly comparison: {
      readonly same: boolean;
      readonly findings: { readonly new: readonly { readonly code: string }[] };
    };
    readonly findings: readonly {
      readonly code: string;
      readonly message: string;
      readonly advice: string;
      readonly line?: number;
    }[];
  }[];
  readonly leftOut?: number;
  readonly removedNames?: string;
  readonly notChecked?: readonly object[];
  readonly files: readonly { readonly code: string; readonly file: string; readonly line: number }[];
}
const documentOf = ({ stdout }: { readonly stdout: string }): Document => JSON.parse(stdout);

t.test('each name is compared, today and as planned', async (t) => {
  const { status, stdout, stderr } = await plan(at('plan.json'), '--json');
  const { exitStatus, zones, names, files } = documentOf({ stdout });
  t.same([status, exitStatus], [0, 0], 'changes are no trouble');
  t.same(
    zones.map(({ zone }) => zone),
    ['shop.example.', 'new.example.'],
  );
  t.same(
    names.map(({ query, comparison, change }) => [`${query.name} ${query.type}`, comparison.same, change]),
    [
      ['shop.example. NS', true, 'nothing changed'],
      ['www.shop.example. A', false, '100 % 198.51.100.77, was 100 % 198.51.100.80'],
      ['mail.shop.example. A', false, '100 % 198.51.100.77, was 100 % NXDOMAIN'],
      ['www.new.example. A', false, '100 % 192.0.2.78, was 100 % NXDOMAIN'],
      ['none.new.example. A', false, '100 % NXDOMAIN as before, by other servers'],
    ],
  );
  t.same(
    files.map(({ code, file, line }) => [code, file, line]),
    [
      ['FILE_TARGET_IS_ALIAS', at('shop.zone'), 7],
      ['FILE_OCCLUDED', at('zones/new.zone'), 11],
    ],
  );
  t.same(names[0]?.findings, [], 'faults of files are not those of a name');
  t.match(stderr, /^svc: 5 names: 5 healthy; \d+ exchanges \(\d+ shared\) in /);
});

t.test('a configuration of BIND and a folder of zone files are plans', async (t) => {
  for (const path of ['bind', 'bind/named.conf', 'dir']) {
    const { zones, names } = documentOf(await plan(at(path), '--json'));
    t.same(zones.map(({ zone }) => zone).sort(), ['shop.example.', 'unsigned.example.'], path);
    t.same(
      names.map(({ query }) => `${query.name} ${query.type}`).sort(),
      [
        'mail.shop.example. A',
        'ns1.unsigned.example. A',
        'ns2.unsigned.example. A',
        'shop.example. A',
        'shop.example. AAAA',
        'shop.example. MX',
        'shop.example. NS',
        'sub.unsigned.example. NS',
        'unsigned.example. NS',
        'www.shop.example. A',
        'www.shop.example. AAAA',
        'www.shop.example. HTTPS',
        'www.shop.example. MX',
        'www.unsigned.example. A',
      ],
      'neither glue nor what a DNAME record hides, but what the names have today',
    );
  }
  const piped = await inside(['plan', '-', '--demo', '--quick', '--json'], {
    stdin: JSON.stringify({ ...PLAN, zones: [{ zone: 'shop.example', ds: [] }], names: ['shop.example'] }),
  });
  t.equal(documentOf(piped).names.length, 1);
});

t.test('of many names each zone has its turn', async (t) => {
  const zoneWith = (hosts: number) =>
    readZone(
      `$ORIGIN z${hosts}.example.\n@ 1 SOA . . 1 1 1 1 1\n` +
        Array.from({ length: hosts }, (_, at) => `h${at} 1 A 192.0.2.1\n`).join(''),
    );
  const all = namesToCheck([zoneWith(1), zoneWith(600), zoneWith(0)]);
  t.same([all.questions.length, all.leftOut], [MOST_NAMES, 102]);
  t.same(
    all.questions.slice(0, 4).map(({ name, type }) => `${name} ${type}`),
    ['h0.z1.example. A', 'h0.z600.example. A', 'z0.example. SOA', 'h1.z600.example. A'],
  );
  t.equal(namesToCheck([zoneWith(500)]).leftOut, 0);
  const reverse = '$ORIGIN 2.0.192.in-addr.arpa.\n@ 1 SOA . . 1 1 1 1 1\n1 1 PTR h.example.\n2 1 CNAME 1\n';
  t.same(
    namesToCheck([readZone(reverse)]).questions.map(({ name, type }) => `${name} ${type}`),
    ['1.2.0.192.in-addr.arpa. PTR', '2.2.0.192.in-addr.arpa. PTR'],
  );
  const home = '$ORIGIN home.arpa.\n@ 1 SOA . . 1 1 1 1 1\nwww 1 CNAME nas\n';
  t.same(namesToCheck([readZone(home)]).questions, [{ name: 'www.home.arpa.', type: 'A' }]);
  const cut = '$ORIGIN x.example.\n@ 1 SOA . . 1 1 1 1 1\n@ 1 NS ns\nsub 1 NS ns\n';
  const below = '$ORIGIN sub.x.example.\n@ 1 SOA . . 1 1 1 1 1\n@ 1 NS ns.x.example.\n';
  t.same(
    namesToCheck([readZone(cut), readZone(below)]).questions.map(({ name, type }) => `${name} ${type}`),
    ['x.example. NS', 'sub.x.example. NS'],
    'each question once',
  );
});

t.test('trouble of the plan is told apart from trouble that there is', async (t) => {
  const zones = [{ zone: 'www.stale.example', servers: [{ name: 'ns.nowhere.test' }] }];
  const names = ['www.stale.example', 'www.mixed.example', 'www.shop.example'];
  const file = join(t.testdir({ 'p.json': JSON.stringify({ zones, names }) }), 'p.json');
  const { status, stdout } = await plan(file);
  t.equal(status, 1);
  t.match(stdout, /^www\.stale\.example, 3 names: 1 the same, 2 have trouble\n/);
  t.match(stdout, /✗ {2}www\.stale\.example A\n {3}if [\s\S]* all users get SERVFAIL[\s\S]*\n {3}today /);
  t.match(stdout.replace(/\n +/g, ' '), /✗ {2}www\.mixed\.example A .* \(as today\)/);
  const [, trouble = ''] = /\nTrouble once this is published\n([\s\S]*?)\n\n/.exec(stdout) ?? [];
  t.ok(
    trouble.split('\n').every(({ length }) => length <= 100),
    'lines are short, also in files',
  );
  t.match(stdout, /\nNew findings\n/);
  t.match(stdout, /\nTrouble of today\n/);
  const critical = await plan(file, '--quiet', '--fail-on', 'critical');
  t.same([critical.status, critical.stdout, critical.stderr], [1, '', '']);
});

t.test(
  'servers that lack the zone they are delegated to are lame, although they have the zone above',
  async (t) => {
    const dir = t.testdir({
      'unsigned.example.zone': `$TTL 300
@ SOA ns1.harbour.example. host 9999999 7200 900 1209600 300
@ NS ns1.harbour.example.
@ NS ns2.harbour.example.
sub NS ns1.harbour.example.
sub NS ns2.harbour.example.
`,
    });
    const { status, stdout } = await plan(dir, '--json');
    t.equal(status, 1);
    const { names } = documentOf({ stdout });
    const sub = names.find(({ query }) => query.name === 'sub.unsigned.example.');
    t.match(sub?.planned, {
      verdict: { text: /SERVFAIL: .* queries for sub\.unsigned\.example/, exitStatus: 1 },
    });
    t.ok(sub?.findings.some(({ code }) => code === 'NS_SIDEWAYS_REFERRAL'));
  },
);

t.test('a zone that nobody delegates is refused', async (t) => {
  const zone =
    '$TTL 300\n@ SOA ns1.harbour.example. host 7 7200 900 1209600 300\n@ NS ns1.harbour.example.\nwww A 192.0.2.1\n';
  const dir = t.testdir({
    'newzone.example.zone': zone,
    'p.json': JSON.stringify({ zones: [{ zone: 'nosuch.example', ds: [] }], names: ['www.nosuch.example'] }),
    'served.json': JSON.stringify({
      zones: [
        { zone: 'newzone.example', file: 'newzone.example.zone', servers: [{ name: 'ns1.harbour.example' }] },
      ],
    }),
  });
  const typo = await plan(join(dir, 'newzone.example.zone'));
  t.equal(typo.status, 3);
  t.match(typo.stderr, `svc: ${join(dir, 'newzone.example.zone')}: nobody delegates newzone.example: `);
  const json = await plan(join(dir, 'p.json'));
  t.same([json.status, json.stdout], [3, '']);
  t.match(json.stderr, 'nobody delegates nosuch.example: ');
  t.equal(documentOf(await plan(join(dir, 'served.json'), '--json')).names.length, 2);
});

t.test('one bad zone stops nothing: it is named, and the others are checked', async (t) => {
  const dir = t.testdir({
    'shop.example.zone':
      '$TTL 300\n@ SOA ns1.harbour.example. host 9999 7200 900 1209600 300\n@ NS ns1.harbour.example.\n@ NS ns2.harbour.example.\nwww A 198.51.100.80\n',
    '0.0.10.in-addr.arpa.zone':
      '$TTL 300\n@ SOA ns1.harbour.example. host 7 7200 900 1209600 300\n@ NS ns1.harbour.example.\n1 PTR a.b.\n',
  });
  const local = documentOf(await plan(dir, '--json'));
  t.match(local.files, [{ code: 'FILE_NOT_DELEGATED', zone: '0.0.10.in-addr.arpa.', severity: 'notice' }]);
  t.not(local.exitStatus, 3, 'a zone that is never delegated is no fault');
  t.ok(local.names.every(({ query }) => query.name.endsWith('shop.example.')));
  const broken = t.testdir({
    'shop.example.zone': readFileSync(join(dir, 'shop.example.zone'), 'utf8'),
    'broken.example.zone': '$TTL 300\n@ SOA a b 1 2 3 4 5\nthis line is none\n',
    'typo.example.zone':
      '$TTL 300\n@ SOA ns1.harbour.example. host 7 7200 900 1209600 300\n@ NS ns1.harbour.example.\nwww A 192.0.2.1\n',
  });
  const found = documentOf(await plan(broken, '--json'));
  t.match(found.files.slice(0, 2), [
    {
      code: 'FILE_UNREADABLE',
      zone: 'broken.example.',
      line: 3,
      message: /"line" is not a type: broken\.example is not checked/,
    },
    { code: 'FILE_NOT_DELEGATED', zone: 'typo.example.', message: /Nobody delegates typo\.example/ },
  ]);
  t.equal(found.exitStatus, 3);
  t.ok(found.names.length > 0);
  t.ok(found.names.every(({ query }) => query.name.endsWith('shop.example.')));
});

t.test('a denial is of the zone that its SOA record names, and without one of any', async (t) => {
  const address = '127.25.0.1';
  const soa = 'SOA ns.root. h. 1 2 3 4 300';
  const zones = [
    `$ORIGIN .\n@ 60 ${soa}\n@ 60 NS ns.root.\nns.root. 60 A ${address}\ntest. 60 NS ns.root.\n`,
    `$ORIGIN test.\n@ 60 ${soa}\n@ 60 NS ns.root.\nsub 60 NS ns.root.\nbare 60 NS ns.root.\n`,
    `$ORIGIN sub.test.\n@ 60 ${soa}\n@ 60 NS ns.root.\n`,
    `$ORIGIN bare.test.\n@ 60 ${soa}\n@ 60 NS ns.root.\n`,
  ];
  const denying = { kind: 'rcode', rcode: 'NXDOMAIN', only: { zone: 'bare.test.' } } as const;
  const lab = await startLab({
    servers: [{ name: 'ns.root.', addresses: [address], zones, faults: [denying] }],
  });
  t.teardown(lab.close);
  const dir = t.testdir({ 'named.root': lab.hints });
  for (const zone of ['sub.test', 'bare.test']) {
    const file = join(dir, `${zone}.json`);
    writeFileSync(file, JSON.stringify({ zones: [{ zone, ds: [] }], names: [`none.${zone}`] }));
    const there = [
      '--root-hints',
      join(dir, 'named.root'),
      '--port',
      `${lab.port}`,
      '--allow-special-targets',
    ];
    const { status, stderr } = await inside(['plan', file, '--quick', ...there]);
    t.not(status, 3, `${zone}: ${stderr}`);
  }
});

t.test('reports tell what was not checked, and why', async (t) => {
  const dir = t.testdir({ 'unsigned.example.zone': `${SHOP.split('@     A')[0]}www A 198.51.100.121\n` });
  const check = (...words: readonly string[]) =>
    inside(['plan', dir, '--demo', '--views', 'warm,profiles', ...words]);
  const removed = 'ames that are no longer in a file are not checked: list them in "names" of a plan';
  const left = 'ot checked: DNSSEC: --views';
  const { stdout } = await check();
  t.match(stdout, `\nN${removed}\nN${left}\n`);
  t.match((await check('--format', 'md')).stdout, `\nN${removed}.\n\nN${left}.\n`);
  const junit = await check('--format', 'junit');
  t.match(junit.stdout, '<testsuite name="plan" tests="2" failures="0" errors="0" skipped="2">');
  t.match(junit.stdout, `<testcase classname="plan" name="views">\n<skipped message="n${left}"/>`);
  t.match(junit.stdout, /<testsuites name="svc" tests="\d+" failures="0" errors="0" skipped="2">/);
  const { removedNames, notChecked } = documentOf(await check('--json'));
  t.equal(removedNames, 'not-checked');
  t.same(notChecked, [
    { view: 'validating', reason: '--views' },
    { view: 'rotation', reason: 'questions on which all servers agree were not asked again' },
    { view: 'audit', reason: '--check was not given' },
  ]);
  const named = await plan(at('plan.json'));
  t.notMatch(named.stdout, removed);
  t.match(named.stdout, /\nNot checked: .*DNSSEC.*: --quick\n/);
});

t.test('a type that a name no longer has in the file is compared', async (t) => {
  const zone = SHOP.replace(/^(?:www|mail| +MX).*\n/gm, '').replace('.80', '.81');
  const dir = t.testdir({ 'shop.example.zone': `${zone}_sip._tcp SRV 1 1 5060 @\n` });
  const { names } = documentOf(await plan(dir, '--json'));
  t.same(
    names.map(({ query, change }) => [`${query.name} ${query.type}`, change]),
    [
      ['shop.example. NS', 'nothing changed'],
      ['shop.example. AAAA', '100 % NODATA, was 100 % 2001:db8:1::80'],
      ['shop.example. MX', '100 % NODATA, was 100 % 10 mail.harbour.example.'],
      ['shop.example. A', '100 % 198.51.100.81, was 100 % 198.51.100.80'],
      ['_sip._tcp.shop.example. SRV', '100 % 1 1 5060 shop.example., was 100 % NXDOMAIN'],
    ],
  );
});

t.test('a type whose server of today fails is compared, too', async (t) => {
  const soa = '@ 60 SOA ns h 1 7200 900 1209600 300\n';
  const cut = 'test. 60 NS a.test.\ntest. 60 NS b.test.\na.test. 60 A 127.25.2.2\nb.test. 60 A 127.25.2.3\n';
  const root = `$ORIGIN .\n${soa}@ 60 NS r.root.\nr.root. 60 A 127.25.2.1\n${cut}`;
  const zone = `$ORIGIN test.\n${soa}${cut}`;
  const zones = [`${zone}a 60 MX 1 b\nb 60 MX 1 a\n`];
  for (const failing of [{ kind: 'rcode', rcode: 'SERVFAIL' }, { kind: 'empty' }] as const) {
    const lab = await startLab({
      servers: [
        { name: 'r.root.', addresses: ['127.25.2.1'], zones: [root] },
        { name: 'a.test.', addresses: ['127.25.2.2'], zones },
        { name: 'b.test.', addresses: ['127.25.2.3'], zones, faults: [{ ...failing, only: { type: 'MX' } }] },
      ],
    });
    t.teardown(lab.close);
    const dir = t.testdir({ 'named.root': lab.hints, 'test.zone': zone });
    const there = ['--root-hints', join(dir, 'named.root'), '--port', `${lab.port}`];
    const words = ['--quick', '--allow-special-targets', '--jobs', '1', '--json'];
    const { names } = documentOf(await inside(['plan', join(dir, 'test.zone'), ...there, ...words]));
    t.same(
      names.filter(({ query: { type } }) => type === 'MX').map(({ query }) => query.name),
      ['a.test.', 'b.test.'],
      `${failing.kind}: both, whichever server is asked first`,
    );
  }
});

t.test('the types of an alias are compared only if the alias changes', async (t) => {
  const demo = readFileSync(join(ROOT, 'src/lab/demo/shop.example.zone'), 'utf8');
  const ofAlias = async (zone: string) => {
    const dir = t.testdir({ 'shop.example.zone': zone });
    const { names } = documentOf(await plan(dir, '--json'));
    return names.filter(({ query }) => query.name.startsWith('*')).map(({ query }) => query.type);
  };
  t.same(await ofAlias(demo.replace('hostmaster 1', 'hostmaster 2')), ['A']);
  t.same(await ofAlias(demo.replace('*.img CNAME www', '*.img CNAME @')), ['A', 'AAAA', 'HTTPS']);
});

t.test('a name outside the planned zones is checked, and told', async (t) => {
  const dir = t.testdir({
    'p.json': JSON.stringify({
      zones: [{ zone: 'shop.example', ds: [] }],
      names: ['www.shop.example', 'www.mixed.example', 'shop.example DS'],
    }),
  });
  const { stdout, stderr } = await plan(join(dir, 'p.json'), '--json');
  t.equal(documentOf({ stdout }).names.length, 3);
  t.match(
    stderr,
    'svc: www.mixed.example A and shop.example DS are in none of the planned zones (shop.example): the plan changes them only through aliases or name servers there\n',
  );
  t.equal((await plan(join(dir, 'p.json'), '--quiet')).stderr, '');
});

t.test('an alias of the file that leads nowhere is told with its line', async (t) => {
  const aliases = 'near CNAME none\nfar CNAME none.example.\ndotless CNAME shop.example\n';
  const dir = t.testdir({ 'shop.example.zone': SHOP + aliases });
  const file = join(dir, 'shop.example.zone');
  const { names } = documentOf(await plan(dir, '--json'));
  const found = names.flatMap(({ findings }) => findings.filter(({ code }) => code === 'CNAME_DANGLING'));
  t.same(
    found.map(({ line, advice }) => [line, advice]),
    [
      [9, 'Add the records of that name, or correct or remove the alias.'],
      [10, 'Correct or remove it before somebody else registers that name.'],
      [
        11,
        'If the final dot of shop.example is missing, add it. Else: Add the records of that name, or correct or remove the alias.',
      ],
    ],
  );
  t.match(found, [{ file, message: `${file}:9: The alias near.shop.example in` }, { file }, { file }]);
  const { stdout } = await plan(dir);
  t.equal(stdout.match(/CNAME_DANGLING/g)?.length, 3, 'each in the text');
});

t.test('aliases in a row that lead nowhere are told with the line of the last', async (t) => {
  const dir = t.testdir({
    'shop.example.zone': `${SHOP}a CNAME b\nb CNAME gone\nc CNAME host.d\nd DNAME e\n`,
  });
  const { names } = documentOf(await plan(dir, '--json'));
  const found = names.flatMap(({ findings }) => findings.filter(({ code }) => code === 'CNAME_DANGLING'));
  t.same(
    found.map(({ line, message }) => [line, /The alias \S+/.exec(message)?.[0]]),
    [
      [10, 'The alias b.shop.example'],
      [10, 'The alias b.shop.example'],
      [12, 'The alias host.d.shop.example'],
    ],
  );
  const { stdout } = await plan(dir);
  t.equal(stdout.match(/CNAME_DANGLING/g)?.length, 2, 'each once in the text');
});

t.test('faults that servers have today are not new, although only the plan makes them show', async (t) => {
  const soa = (serial: number) => `@ 60 SOA ns h ${serial} 7200 900 1209600 300\n`;
  const root = `$ORIGIN .\n${soa(1)}@ 60 NS r.root.\nr.root. 60 A 127.25.1.1\n`;
  const cut = 'test. 60 NS a.test.\ntest. 60 NS b.test.\na.test. 60 A 127.25.1.2\nb.test. 60 A 127.25.1.3\n';
  const glue = 'sub.test. 60 NS ns.sub.test.\nns.sub.test. 60 A 127.25.1.4\n';
  const top = (serial: number) => `$ORIGIN test.\n${soa(serial)}${cut}${glue}`;
  const sub = `$ORIGIN sub.test.\n${soa(1)}${glue}www 60 A 192.0.2.1\n`;
  const lab = await startLab({
    servers: [
      { name: 'r.root.', addresses: ['127.25.1.1'], zones: [root + cut] },
      { name: 'a.test.', addresses: ['127.25.1.2'], zones: [top(1)] },
      { name: 'b.test.', addresses: ['127.25.1.3'], zones: [top(2)] },
      { name: 'ns.sub.test.', addresses: ['127.25.1.4'], zones: [sub] },
    ],
  });
  t.teardown(lab.close);
  const dir = t.testdir({
    'named.root': lab.hints,
    'sub.test.zone': sub.replace('www 60 A 192.0.2.1', 'www 60 CNAME none.test.'),
  });
  const there = ['--root-hints', join(dir, 'named.root'), '--port', `${lab.port}`, '--allow-special-targets'];
  const ran = await inside(['plan', join(dir, 'sub.test.zone'), '--quick', ...there, '--json']);
  const www = documentOf(ran).names.find(({ query }) => query.name.startsWith('www.'));
  t.ok(www?.findings.some(({ code }) => code === 'SOA_SERIAL_DIFFERS'));
  t.same(
    www?.comparison.findings.new.map(({ code }) => code),
    ['CNAME_DANGLING'],
  );
  // The servers of test. differ in the demo, too, and nothing of today leads to them.
  const shop = t.testdir({ 'shop.example.zone': `${SHOP}far CNAME none.test.\n` });
  const far = documentOf(await plan(shop, '--json')).names.find(({ query }) => query.name.startsWith('far.'));
  t.ok(far?.findings.some(({ code }) => code === 'SOA_SERIAL_DIFFERS'));
  t.same(
    far?.comparison.findings.new.map(({ code }) => code),
    ['CNAME_DANGLING'],
  );
});

t.test('a fault of one name is new although another name has its like today', async (t) => {
  const dir = t.testdir({
    'circle.test.zone': `$TTL 300
@ SOA ns hostmaster 2 2h 15m 2w 1m
@ NS ns1.meadow.test.
@ NS ns2.meadow.test.
www CNAME www.circle.example.
x CNAME y
y CNAME x
`,
    'p.json': JSON.stringify({
      zones: [{ zone: 'circle.test', file: 'circle.test.zone' }],
      names: ['www.circle.example', 'x.circle.test'],
    }),
  });
  const { stdout } = await plan(join(dir, 'p.json'));
  const [, fresh = '', old = ''] =
    /\nNew findings\n([\s\S]*)\nTrouble of today\n([\s\S]*)/.exec(stdout) ?? [];
  t.match(fresh, 'CNAME_LOOP');
  t.match(fresh.replace(/\s+/g, ' '), 'The alias y.circle.test in circle.test leads back to x.circle.test');
  t.match(old, 'CNAME_LOOP');
});

t.test('a serial that is not higher than that of today is told where answers change', async (t) => {
  const zone = SHOP.replace('host 7', 'host 1');
  const dir = t.testdir({
    changed: { 'shop.example.zone': zone },
    same: {
      'shop.example.zone': `${zone.replace(/^(?:www|mail| +MX).*\n/gm, '')}@ AAAA 2001:db8:1::80\n@ MX 10 mail.harbour.example.\n`,
      // A quarter of its first queries time out today.
      'magazine.example.zone': `${zone.split('@     A')[0]}www A 203.0.113.200\n`,
    },
    moved: {
      'shop.example.zone': zone,
      'plan.json': JSON.stringify({
        zones: [{ ...PLAN.zones[0], file: 'shop.example.zone', servers: [{ name: 'ns1.harbour.example' }] }],
      }),
    },
  });
  const told = async (name: string) => {
    const { files } = documentOf(await plan(join(dir, name), '--json'));
    return files.filter(({ code }) => code === 'FILE_SERIAL_NOT_HIGHER').map(({ line }) => line);
  };
  t.same([await told('changed'), await told('same'), await told('moved')], [[2], [], []]);
});

t.test('an answer or a denial behind a new alias is the same to users', async (t) => {
  const zone = SHOP.replace('www   A     198.51.100.77', 'www   CNAME @').replace(/ +MX.*\n/, '');
  const dir = t.testdir({
    'shop.example.zone': `${zone}far CNAME none.example.\nnear CNAME none\n`,
    'p.json': JSON.stringify({
      zones: [{ zone: 'shop.example', file: 'shop.example.zone', ds: [] }],
      names: ['www.shop.example', 'far.shop.example', 'near.shop.example'],
    }),
  });
  const { names } = documentOf(await plan(join(dir, 'p.json'), '--json'));
  t.same(
    names.map(({ change }) => change),
    [
      '100 % 198.51.100.80 as before, now by an alias',
      '100 % NXDOMAIN as before, now by an alias',
      '100 % NXDOMAIN as before, now by an alias',
    ],
  );
});

t.test('-v shortens no answer', async (t) => {
  const dir = t.testdir({ 'p.json': JSON.stringify({ ...PLAN, names: ['shop.example SOA'] }) });
  const file = join(dir, 'p.json');
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('"file":"', `"file":"${folder}/`));
  const { stdout } = await plan(file, '-v');
  t.match(stdout, '100 % ns1.harbour.example. host.shop.example. 7 7200 900 1209600 300, was 100 % ns.shop.');
});

t.test('two files for one zone are refused', async (t) => {
  const dir = t.testdir({ 'shop.example.zone': SHOP, 'db.shop.example': SHOP });
  const { status, stderr } = await plan(dir);
  t.equal(status, 3);
  t.match(
    stderr,
    `svc: ${dir}: shop.example has a second file, shop.example.zone: a plan has one for each zone`,
  );
});

t.test('a zone file whose name does not tell the zone is told from a configuration', async (t) => {
  const dir = t.testdir({ 'foo.txt': SHOP });
  for (const { status, stderr } of [
    await plan(join(dir, 'foo.txt')),
    await inside(['plan', '-'], { stdin: SHOP }),
  ]) {
    t.equal(status, 3);
    t.match(
      stderr,
      ': this is a zone file, but its name does not tell the zone: name it like example.com.zone',
    );
  }
});

t.test('every format has the first error of each file of a plan that cannot be read', async (t) => {
  const dir = t.testdir({
    'a.example.zone': `${SHOP}x A 1\n`,
    'b.example.zone': '$TTL 300\n$INCLUDE none.zone\n',
    'c.example.zone': SHOP,
  });
  const [a, b] = [join(dir, 'a.example.zone'), join(dir, 'b.example.zone')];
  const run = async (format: string) => {
    const { status, stdout, stderr } = await plan(dir, '--format', format);
    t.equal(status, 3, format);
    t.match(stderr, `svc: ${a}:9:5: "1" is not an IPv4 address`, format);
    t.match(stderr, `svc: ${b}:2:10: cannot read "none.zone": no such file or directory\n`, format);
    return stdout;
  };
  t.equal(await run('text'), '');
  t.match(await run('json'), /^[^\n]+\n$/, 'on one line');
  t.match(JSON.parse(await run('json')), {
    exitStatus: 3,
    errors: [
      { file: a, line: 9, column: 5 },
      { file: b, line: 2, column: 10 },
    ],
  });
  t.match(await run('md'), /is not an IPv4 address[\s\S]*no such file or directory/);
  t.match(
    await run('junit'),
    `<testcase classname="plan" name="${a}" file="${a}" line="9">\n<error message="`,
  );
  t.match(JSON.parse(await run('sarif')).runs[0], {
    invocations: [{ executionSuccessful: false, exitCode: 3 }],
    results: [
      {
        level: 'error',
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: `file://${a}` },
              region: { startLine: 9, startColumn: 5 },
            },
          },
        ],
      },
      { locations: [{ physicalLocation: { region: { startLine: 2, startColumn: 10 } } }] },
    ],
  });
});

t.test('names with trouble show their change, and faults of files count in the first line', async (t) => {
  const dir = t.testdir({
    'shop.example.zone': SHOP.replace(/@ +NS .*\n/g, ''),
    'p.json': JSON.stringify({
      zones: [{ zone: 'shop.example', file: 'shop.example.zone', ds: [] }],
      names: ['www.shop.example'],
      expectations: [{ match: '*', expect: ['192.0.2.1'] }],
    }),
  });
  const { status, stdout } = await plan(join(dir, 'p.json'));
  t.equal(status, 1);
  t.match(stdout, /^shop\.example, 1 name: 1 has trouble; zone files: 1 error, 1 warning\n/);
  t.match(stdout.replace(/\s+/g, ' '), 'change: 100 % 198.51.100.77, was 100 % 198.51.100.80');
});

t.test('expected answers come from the plan, and else from the configuration', async (t) => {
  const dir = t.testdir({
    'p.json': JSON.stringify({
      ...PLAN,
      zones: [{ ...PLAN.zones[0], file: at('shop.zone') }],
      names: ['www.shop.example', 'shop.example'],
      expectations: [{ match: 'www.shop.example', expect: ['198.51.100.77'] }],
    }),
    'c.json': JSON.stringify({ names: [{ match: '*', expect: ['192.0.2.1'] }] }),
  });
  const { status, stdout } = await plan(join(dir, 'p.json'), '--config', join(dir, 'c.json'), '--json');
  t.equal(status, 1);
  t.same(
    documentOf({ stdout }).names.map(({ findings }) => findings.map(({ code }) => code)),
    [[], ['UNEXPECTED_ANSWER']],
  );
});

t.test('reports for people and for other programs', async (t) => {
  const md = await plan(at('plan.json'), '--format', 'md');
  t.match(md.stdout, '**2 zones, 5 names: 1 the same, 4 change; zone files: 2 warnings.**');
  t.match(
    md.stdout,
    '| `www.shop.example A` | 100 % 198.51.100.77, was 100 % 198.51.100.80; old answers last up to 5 minutes 1 second |',
  );
  // The DS records live 5 minutes, and PowerDNS keeps what did not validate for 5 more, and its SERVFAIL for a minute.
  const danger = 'Users of validating resolvers that hold the old DS records get SERVFAIL until then: ';
  t.match(md.stdout, `| 11 minutes 1 second later | ${danger}`);
  const text = await plan(at('plan.json'));
  t.match(text.stdout, `\nDangers of the change\nuntil 11 minutes 1 second later\n  ${danger.trimEnd()}`);
  const junit = await plan(at('plan.json'), '--format', 'junit');
  t.match(junit.stdout, /<testsuite name="zone files" tests="2" failures="0" errors="0">/);
  t.match(junit.stdout, `file="${at('shop.zone')}" line="7"`);
  t.match(junit.stdout, '<testsuite name="www.new.example A"');
  t.match(
    junit.stdout,
    '<system-out>100 % 192.0.2.78, was 100 % NXDOMAIN; old answers last up to 1 minute 1 second</system-out>',
  );
  const { stdout } = await plan(at('plan.json'), '--format', 'sarif');
  const [run] = JSON.parse(stdout).runs;
  t.match(run.results[0], {
    ruleId: 'FILE_TARGET_IS_ALIAS',
    locations: [{ physicalLocation: { region: { startLine: 7 } } }],
  });
  t.same(
    run.invocations.map(({ commandLine }: { readonly commandLine: string }) => commandLine),
    Array.from({ length: 5 }, () => `svc plan ${at('plan.json')}`),
  );
  const results: readonly object[] = run.results;
  for (const result of results) t.match(result, { locations: [{ physicalLocation: { region: {} } }] });
});

t.test('the schema takes the plan of the manual page, and refuses what the program refuses', async (t) => {
  const { stdout } = await inside(['plan', '--schema']);
  const schema: object = JSON.parse(stdout);
  t.same(JSON.parse(readFileSync(join(ROOT, 'dist/plan.schema.json'), 'utf8')), schema, 'in the package');
  const isPlan = new Ajv2020({ strict: false }).compile(schema);
  const page = readFileSync(join(ROOT, 'man/svc-plan.1'), 'utf8');
  const [, example = ''] = /A plan in JSON is an object:\n\.Bd.*\n([\s\S]*?)\.Ed/.exec(page) ?? [];
  t.ok(isPlan(JSON.parse(example)));
  t.ok(isPlan(PLAN));
  t.notOk(isPlan({ zones: [{ zone: 'a.example', flie: 'x' }] }));
  t.notOk(isPlan({}));
  t.notOk(isPlan({ zones: [] }));
  t.notOk(isPlan({ ...PLAN, names: [] }));
});

t.test('refusals name file, line and column', async (t) => {
  const rows: readonly (readonly [file: string, text: string, said: string])[] = [
    [
      'a.json',
      '{\n  "zones": [\n    { "zone": "a..b", "file": "x" }\n  ]\n}',
      ':3:7: /zones/0/zone: "a..b" is not a domain name',
    ],
    [
      'a.json',
      '{"zones": [{"zone": "a.example"}]}',
      ':1:12: /zones/0: plans nothing: add file, servers or ds',
    ],
    ['a.json', '{"zones": []}', ':1:2: /zones: must hold at least one zone'],
    ['a.json', '{"zones": [],}', ':1:14: this is not JSON'],
    ['a.json', '{"zones"', ':1:9: this is not JSON'],
    ['a.json', '[]', ':1:1: the document: must be an object'],
    ['a.json', '{"zones": [], "zone": []}', ':1:2: /zones: must hold'],
    [
      'a.json',
      '{"zones": [{"zone": "a.example", "ds": []}, {"zone": "A.example.", "ds": []}]}',
      ':1:45: /zones/1: this zone is planned already',
    ],
    [
      'a.json',
      '{"zones": [{"zone": "a.example", "servers": [{"name": "ns.a.example"}]}]}',
      ':1:46: /zones/0/servers/0: a name server within the zone needs addresses',
    ],
    [
      'a.json',
      '{"zones": [{"zone": "a.example", "ds": ["1,13,2,ab"]}], "names": ["a.example"]}',
      ':1:41: the digest has 1 octet; digest type 2 has 32',
    ],
    ['a.json', '{"zones": [{"zone": "a.example", "ds": []}]}', ': there is nothing to check'],
    [
      'a.json',
      '{"zones": [{"zone": "a.example", "file": "a"}], "names": []}',
      ':1:49: /names: must hold at least one name; leave it out to check the names of the zone files',
    ],
    [
      'a.json',
      '{"zones": [{"zone": "a.example", "ds": []}], "names": ["a.example BX"]}',
      ':1:56: /names/0: "BX" is not a record type',
    ],
    [
      'a.json',
      '{"zones": [{"zone": "a.example", "ds": []}], "names": ["a.example"],\n "expectations": [{"match": "*", "ignore": ["NOTHING"]}]}',
      ':2:34: ignore: "NOTHING" is not the code of a finding',
    ],
    ['named.conf', 'zone "a.example" {\n  type primary;\n};\n', ':1:1: the zone "a.example" needs a file'],
    ['named.conf', 'zone "a.example" { file "x"; };', ':1:1: the zone "a.example" needs a type'],
    [
      'named.conf',
      'zone "a.example" {\n type primary; file "x"; }',
      ':1:1: the semicolon that ends this statement is missing',
    ],
    ['named.conf', 'zone "a.example" {\n type primary;', ':1:18: this brace is not closed'],
    ['named.conf', '};', ':1:1: this closing brace has no opening brace'],
    ['named.conf', 'zone "a', ':1:6: this quote is not closed on its line'],
    ['named.conf', 'zone a /* b', ':1:8: this comment is not closed'],
    ['named.conf', 'zone a..b { type primary; file "x"; };', ':1:1: "a..b" is not a domain name'],
    ['named.conf', 'options { };', ':1:1: there is no zone of type primary'],
    [
      'named.conf',
      'zone a { type primary; file "x"; };\nzone A. { type primary; file "y"; };',
      ':2:1: a has a second file here: a plan takes one file for each zone',
    ],
    [
      'named.conf',
      'view in { zone a { type primary; file "x"; }; };\nview out {\n zone a { type primary; file "y"; }; };',
      ':3:2: a has a second file here, in the view "out": write a plan in JSON with the file that users get',
    ],
    [
      'named.conf',
      'view in { zone a { type primary; file "x"; }; };\nview out { zone a { type primary; file "x"; }; };',
      'cannot read',
    ],
    ['named.conf', `${'a {'.repeat(200)}`, ': braces are nested deeper than 100 levels'],
    ['a.example.zone', `${SHOP}x A 1\n`, ':9:5: "1" is not an IPv4 address'],
  ];
  for (const [name, text, said] of rows) {
    const dir = t.testdir({ [name]: text });
    const { status, stderr } = await plan(join(dir, name));
    t.equal(status, 3, text);
    t.match(stderr, said, text);
    t.match(stderr, /^svc: [^\n]+\n$/);
  }
  const missing = await plan(at('none'));
  t.same(
    [missing.status, missing.stderr],
    [3, `svc: cannot read ${at('none')}: no such file or directory\n`],
  );
  const empty = await plan(at('empty'));
  t.match(empty.stderr, 'has no plan.json, no named.conf, and no zone file (such as example.com.zone');
  t.equal((await plan()).status, 2);
  t.equal((await inside(['plan', 'x', '--schema'])).status, 2);
  t.equal((await inside(['plan', 'x', '--zone', 'a=b'])).status, 2);
});

t.test('further types count as names, and interrupted only names of the plan are not checked', async (t) => {
  const slow = Array.from({ length: 8 }, (_, at) => `h${at} CNAME h${at}.dead.example.\n`).join('');
  const zone = SHOP.replace(/^(?:www|mail| +MX).*\n/gm, '');
  const dir = t.testdir({ 'shop.example.zone': `${zone}${slow}` });
  // A dead server holds up the first of the aliases; the run cannot end by itself.
  const { status, stdout, stderr } = await inside(
    ['plan', dir, '--demo', '--quick', '--timeout', '60s', '--jobs', '1', '--json'],
    {
      terminals: ['stderr'],
      onStderr: (written, interrupt) => {
        if (/\D[4-9] of \d+ names/.test(written)) interrupt();
      },
    },
  );
  t.equal(status, 130);
  t.match(stderr, ' of 12 names', 'ten, and AAAA and MX of today');
  const checked = documentOf({ stdout }).names.length;
  t.match(stderr, `svc: interrupted: ${12 - checked} names were not checked\n`);
});

t.test('without a network, and interrupted', async (t) => {
  const offline = await inside(['plan', at('plan.json')], { families: [] });
  t.same([offline.status, offline.stdout], [3, '']);
  let told = 0;
  const cut = await inside(['plan', at('plan.json'), '--demo', '--jobs', '1'], {
    terminals: ['stderr'],
    onStderr: (_, interrupt) => {
      told += 1;
      if (told === 2) interrupt();
    },
  });
  t.equal(cut.status, 130);
  t.match(cut.stderr, /svc: interrupted: \d names were not checked\n$/);
});
