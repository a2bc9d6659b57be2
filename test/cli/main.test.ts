import { join } from 'node:path';
import t from 'tap';
import { DEFAULT_OPTIONS } from '../../src/document/options.ts';
import type { TraversalResult } from '../../src/document/result.ts';
import { CHOSEN_VIEWS } from '../../src/evaluate/views.ts';
import { inside } from './inside.ts';
import { ended, start } from './svc.ts';

t.test('options reach the traversal', async (t) => {
  const flags = `-4 --timeout 1.5s --retries 0 --rate 50 --payload-size 512 --tcp --no-edns --no-0x20
    --max-depth 20 --max-queries 99 --max-time 1m30s --max-work 9999 --profiles knot,bind`;
  const { status, stdout } = await inside([
    'traverse',
    'www.shop.example',
    'aaaa',
    '--demo',
    '--json',
    '--full',
    ...flags.split(/\s+/),
  ]);
  t.equal(status, 0);
  const { options, query, exchanges }: TraversalResult = JSON.parse(stdout);
  t.same(query, { name: 'www.shop.example.', type: 'AAAA', class: 'IN' });
  t.same(options, {
    ...DEFAULT_OPTIONS,
    families: [4],
    maxDepth: 20,
    maxQueries: 99,
    maxTimeMs: 90_000,
    maxWork: 9_999,
    timeoutMs: 1_500,
    retries: 0,
    rate: 50,
    payloadSize: 512,
    edns: 'off',
    nameCase: 'lower',
    transport: 'tcp',
    specialTargets: 'allowed',
    views: CHOSEN_VIEWS,
    profiles: ['bind', 'knot'],
    check: false,
  });
  t.ok(exchanges.every(({ transport, edns }) => transport === 'tcp' && edns === undefined));
  t.ok(exchanges.every(({ server }) => !server.address.includes(':')));
});

t.test('names as people write them', async (t) => {
  const rows: readonly (readonly [command: string, name: string, type: string])[] = [
    ['WWW.Shop.Example', 'www.shop.example.', 'A'],
    ['bücher.example', 'xn--bcher-kva.example.', 'A'],
    ['例え。example MX', 'xn--r8jz45g.example.', 'MX'],
    ['shop.example TYPE257', 'shop.example.', 'CAA'],
    ['a\\.b\\032\\255.example', 'a\\.b\\032\\255.example.', 'A'],
    ['. ns', '.', 'NS'],
    ['-x 198.51.100.80', '80.100.51.198.in-addr.arpa.', 'PTR'],
    ['MX shop.example', 'shop.example.', 'MX'],
    ['mx shop.example', 'shop.example.', 'MX'],
    ['MX localhost', 'localhost.', 'MX'],
    ['shop.example IN MX', 'shop.example.', 'MX'],
    ['shop.example mx in', 'shop.example.', 'MX'],
    ['IN shop.example', 'shop.example.', 'A'],
    ['in NS', 'in.', 'NS'],
    ['shop.example IN', 'shop.example.', 'A'],
    ['shop.example ANY', 'shop.example.', 'ANY'],
    ['-t MX shop.example', 'shop.example.', 'MX'],
    ['--type=MX shop.example', 'shop.example.', 'MX'],
    ['-x 2001:DB8::80', `0.8.${'0.'.repeat(22)}8.b.d.0.1.0.0.2.ip6.arpa.`, 'PTR'],
  ];
  for (const [command, name, type] of rows) {
    const { stdout } = await inside(['traverse', ...command.split(' '), '--demo', '--quick', '-4', '--json']);
    const { query }: TraversalResult = JSON.parse(stdout);
    t.same(query, { name, type, class: 'IN' }, command);
  }
});

t.test('a bug is told as one, and is no trouble in the DNS', async (t) => {
  const ran = await inside(['traverse', 'www.shop.example'], {
    families: () => Promise.reject(new TypeError('out of order')),
  });
  t.equal(ran.status, 3);
  t.match(ran.stderr, /^svc: this is a bug in svc, please report it:\nTypeError: out of order\n {4}at /);
});

t.test('what still waits when all is done does not keep the process', async (t) => {
  const dir = t.testdir({ 'waits.cjs': 'setInterval(() => {}, 3_600_000);' });
  const env = { NODE_OPTIONS: `--require=${join(dir, 'waits.cjs')}` };
  t.match(await ended(start(['--version'], env)), { status: 0, stdout: /^\d+\.\d+\.\d+\n$/ });
  t.match(await ended(start(['--bogus'], env)), { status: 2, stderr: /^svc: svc has no option --bogus/ });
});

t.test('no network', async (t) => {
  const { status, stderr } = await inside(['traverse', 'www.example.com'], { families: [] });
  t.equal(status, 3);
  t.equal(stderr, 'svc: no network: this host has no route to the internet (try --demo, which needs none)\n');
  const demo = await inside(['traverse', 'www.shop.example', '--demo', '--quick', '--json'], {
    families: [],
  });
  t.equal(demo.status, 0, 'the demo needs none');
});

const WRONG_LISTEN = ['', ':80', '::1:80', '[::1]', '[]:80', 'a:65536', 'a:-1', 'a:1e3', 'a:80 ', 'a:b:80'];

t.test('wrong usage is told in one line that says what to do', async (t) => {
  const rows: readonly (readonly [command: readonly string[], expected: string])[] = [
    [['--bogus'], 'svc has no option --bogus: see svc help, and svc help options'],
    [['help', 'bogus'], 'svc has no command bogus: see svc help'],
    [
      ['traverse', 'a', '--expect', 'nxdomaim'],
      '--expect "nxdomaim": can be no answer of type A: write an IPv4',
    ],
    [
      ['traverse', 'a.x', 'b.x', 'MX', '--expect', '1.2.3.4'],
      '"1.2.3.4": can be no answer of type MX: write a',
    ],
    [
      ['watch', 'a', '--expect', 'x.example', '--demo'],
      '"x.example": can be no answer of type A: write an IPv4',
    ],
    [['traverse', 'a', 'A', 'b'], '"b" is one word too many after NAME and TYPE'],
    [
      ['traverse', 'a', '--timeot', '2s'],
      'no option --timeot: did you mean --timeout? (see svc help traverse)',
    ],
    [['traverse', 'a', '--timeout'], '--timeout needs a value: write --timeout DURATION'],
    [['traverse', 'a', '--pretty'], '--pretty is gone: JSON is indented on a terminal'],
    [['config', '--check'], 'svc config is gone: every command that reads the file tells'],
    [['completion'], 'SHELL is missing: write svc completion SHELL (see svc help completion)'],
    [['completion', 'ksh'], 'SHELL ksh: must be one of bash, zsh, fish'],
    [['completion', 'zsh', 'x'], 'too many words after svc completion: svc help completion shows those'],
    [['traverse', 'a', '--timeout', '2h'], '--timeout 2h: must be a duration such as 2s, 10ms to 1m'],
    [['traverse', 'a', '--max-time', 'soon'], '--max-time soon: must be a duration such as 2m, 1ms to 1h'],
    [['traverse', 'a', '--retries', '11'], '--retries 11: must be a whole number, 0 to 10'],
    [['traverse', 'a', '--rate', '-1'], '--rate -1: must be a whole number, 0 to 100000'],
    [['traverse', 'a', '--rate-prefix', 'x'], '--rate-prefix x: must be a whole number, 0 to 1000000'],
    [['traverse', 'a', '--max-depth', '1.5'], '--max-depth 1.5: must be a whole number, 0 to 60'],
    [['traverse', 'a', '--max-queries', '0'], '--max-queries 0: must be a whole number, 1 to 1000000'],
    [['traverse', 'a', '--port', '65536'], '--port 65536: must be a whole number, 1 to 65535'],
    [['traverse', 'a', '--payload-size', '4'], '--payload-size 4: must be a whole number, 512 to 65535'],
    [['traverse', 'a', '--format', 'xml'], '--format xml: must be one of text, json, jsonl'],
    [
      ['traverse', 'a', '--json', '--format', 'jsonl'],
      '--json means --format json: leave out --format jsonl',
    ],
    [['traverse', ''], '"" is not a domain name: a name must not be empty (the root is ".")'],
    [['traverse', 'a..b'], '"a..b" is not a domain name: a label is empty'],
    [['traverse', 'x'.repeat(64)], 'is not a domain name: '],
    [['traverse', '\u001b[31m'], '"\\u{1b}[31m" is not a domain name: '],
    [['traverse', 'a'.repeat(5_000)], '"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"… (5,002 characters) is not a'],
    [
      ['traverse', 'www.example.com:53'],
      '"www.example.com:53" has a port: write the host name, www.example.com',
    ],
    [
      ['traverse', '0f8fad5b-d9cb-469f-a165-70867728950e'],
      'is the identifier of a job: svc watch and svc servers take one, with --server URL',
    ],
    [['traverse', '-f', 'a', '-f', 'b'], '-f takes one file, not a and b'],
    [['traverse', '192.0.2.1'], '"192.0.2.1" is an address: for the name behind it write -x 192.0.2.1'],
    [['traverse', 'https://www.example.com:80/a'], 'is a URL: write its host name, www.example.com'],
    [
      ['traverse', '[2001:db8::1]'],
      '"[2001:db8::1]" is an address: for the name behind it write -x 2001:db8::1',
    ],
    [['traverse', '198.51.100.80/24'], 'is a prefix: for the name behind its address write -x 198.51.100.80'],
    [
      ['traverse', '999.1.1.1'],
      '"999.1.1.1" looks like an address, but the four numbers of one are 0 to 255',
    ],
    [['traverse', 'javascript:alert(1)'], 'looks like a URL without a host name'],
    [
      ['traverse', 'user@shop.example'],
      '"user@shop.example" is an e-mail address: write its domain, shop.example (type MX for its mail servers)',
    ],
    [
      ['servers', '@192.0.2.53', 'www.example.com'],
      '"@192.0.2.53": svc traverse asks resolvers, for one name; --server is the URL of a traversal service',
    ],
    [['watch', 'a', '@192.0.2.53'], 'svc traverse asks resolvers, for one name'],
    [
      ['traverse', 'shop.example@'],
      '"shop.example@" has nothing after the @: leave the @ out (for an @ in a name write \\@)',
    ],
    [['traverse', '@'], '"@": write the address or name of the resolver after it, @192.0.2.53'],
    [['traverse', 'a', '@192.0.2.53:53'], '"@192.0.2.53:53": write @ADDRESS, @ADDRESS#PORT or @NAME'],
    [['traverse', 'a', '@192.0.2.53#0'], 'after # stands the port of the resolver, 1 to 65535'],
    [['traverse', 'a', '@192.0.2.53#1#2'], 'after # stands the port of the resolver, 1 to 65535'],
    [['traverse', 'a', '@..'], '"@.." is not the address or name of a resolver: a label is empty'],
    [
      ['traverse', 'a', '@192.0.2.53', '--server', 'http://localhost:8053'],
      '@RESOLVER does not go with --server, because resolvers are asked from this host: leave out one of them',
    ],
    [
      ['traverse', '--replay', 'f', '@192.0.2.53'],
      '--replay does not go with @RESOLVER, which is asked now: leave out one of them',
    ],
    [['traverse', 'a', '--demo', '@192.0.2.53'], '@RESOLVER does not go with --demo, whose network has no'],
    [['traverse', '--demo', '@192.0.2.53'], '@RESOLVER does not go with --demo, whose network has no'],
    [['traverse', '-f', 'a', '@192.0.2.53'], '@RESOLVER is for one name: leave out -f FILE'],
    [
      ['traverse', 'a', '@192.0.2.53', '--format', 'dot'],
      '@RESOLVER does not go with dot, which does not show what it says',
    ],
    [['traverse', 'a', '+axfr'], `"+axfr": svc has no such option: it accepts dig's +short +tcp`],
    [['traverse', 'a', '+constructor'], '"+constructor": svc has no such option'],
    [['traverse', 'a', '+nss'], '"+nss": write svc traverse NAME SOA --check, which compares'],
    [['traverse', 'a', '+bufsize=much'], '--payload-size much: must be a whole number, 512 to 65535'],
    [['watch', 'a', '+short'], 'svc watch has no option --short: '],
    [['traverse', 'a', '-c', 'CH'], 'class CH: only class IN can be looked up'],
    [['traverse', 'a', 'AAA'], '"AAA" is not a record type: did you mean AAAA?'],
    [['traverse', 'a', 'XM'], '"XM" is not a record type: did you mean MX?'],
    [
      ['traverse', 'a.test', 'b.test', 'A', 'MX'],
      'two types, A and MX: names on one command line have one type',
    ],
    [['traverse', 'a.test', 'b.test', '--save', 'f'], '--save is for one name: write one name'],
    [['dig', 'www.example.com'], 'to look a name up, write svc traverse www.example.com (see svc help)'],
    [['traverse', 'a', 'CH', 'TXT'], 'class CH: only class IN can be looked up'],
    [['traverse', 'a', 'A', '-t', 'MX'], 'two types, A and --type MX: leave out one of them'],
    [['traverse', '-x', '192.0.2.1', '-t', 'MX'], '-x ADDRESS takes the place of NAME and TYPE'],
    [['traverse', 'a', '--save', ''], '--save "": the name of a file is missing'],
    [['traverse', 'a', '--root-hints', ''], '--root-hints "": the name of a file is missing'],
    [['serve', '--state', ''], '--state "": the name of a directory is missing'],
    ...WRONG_LISTEN.map((place) => [['serve', '--listen', place], 'must be HOST:PORT, such as'] as const),
    [['watch', 'a', '--every', '10s', '--on-change', ''], '--on-change "": the command is missing'],
    [['diff', '', 'b'], 'OLD is empty: write the name of a saved result'],
    [['diff', 'a', ''], 'NEW is empty: write the name of a saved result'],
    [['diff', 'a', '-4'], 'svc diff has no option -4: see svc help diff'],
    [['traverse', 'a', '--short', '--format', 'dot'], '--short goes with text, not with dot'],
    [['traverse', 'a', '--chain', '--json'], '--chain goes with text, not with json'],
    [['traverse', 'a', '--chain', '--short'], '--short does not go with --chain: leave out one of them'],
    [['traverse', 'a', '--chain', '--quick'], '--chain needs the validating view: leave out --quick, or add'],
    [['traverse', 'a', '--warm'], "--warm is gone: the zones' own NS records are among the views"],
    [['traverse', 'a', '--no-dnssec'], '--no-dnssec is gone: write --views with the views to make'],
    [['traverse', 'a', '--views', 'cold'], '--views "cold": write some of first-tries, resolver, warm'],
    [['traverse', 'a', '--chain', '--no-edns'], '--chain needs EDNS: leave out --no-edns'],
    [['traverse', 'a', '--chain', '@192.0.2.53'], '@RESOLVER does not go with --chain, which does not show'],
    [['traverse', '-f', 'a', '--chain'], '--chain is for one name: leave out -f FILE'],
    [['traverse', 'a', '-q', '--json'], '--quiet goes with text, not with json'],
    [['traverse', 'a', '-q', '-v'], '--quiet does not go with --verbose: leave out one of them'],
    [['traverse', 'a', '+short', '--explain'], '--short does not go with --explain: leave out one of them'],
    [['traverse', 'a', 'NONSENSE'], '"NONSENSE" is not a record type: write A, AAAA, MX, ... or TYPE65280'],
    [['traverse', 'a', 'OPT'], 'OPT cannot be looked up: choose a type such as A, SOA or ANY'],
    [['traverse', '-x', 'a'], '-x "a": must be an IPv4 or IPv6 address'],
    [['traverse', '-x', '192.0.2.1', 'MX'], '-x ADDRESS takes the place of NAME and TYPE: leave them out'],
    [['traverse', '--replay', 'f', 'a'], '--replay FILE names the question itself: leave out NAME and TYPE'],
    [['traverse', '--replay', 'f', '--quick'], '--replay does not go with --'],
    [['traverse', '--replay', 'f', '--tcp'], '--replay does not go with --tcp: leave out one of them'],
    [
      ['traverse', 'a', '--demo', '--port', '5353'],
      'the name servers of --demo have ports of their own: leave out --port',
    ],
    [['traverse', 'a', '--demo', '--root-hints', 'f'], 'leave out --root-hints'],
    [['traverse', 'www.shop.example', '--demo', '--down', 'b'], 'no name server on the way is called b.'],
    [
      [
        'traverse',
        'www.shop.example',
        '--demo',
        ...['ns1', 'ns2'].flatMap((ns) => ['--without', `${ns}.harbour.example`]),
      ],
      '--without takes away every name server of shop.example: keep one of them',
    ],
    [
      ['traverse', 'a', '--demo', '--without', 'b', '--only', 'B.'],
      'b. cannot be both gone and left: leave it out of --without or of --only',
    ],
    [
      [
        ...['traverse', 'www.shop.example', '--demo', '--only', 'ns1.harbour.example'],
        ...['198.51.100.1', '2001:db8:1::1'].flatMap((address) => ['--without', address]),
      ],
      '--without takes away ns1.harbour.example., which --only leaves: leave out one of them',
    ],
    [
      ['traverse', 'www.shop.example', '--demo', '--delegate', 'sohp.example=ns1.harbour.example'],
      'nothing that is looked up on the way is in sohp.example: --delegate takes a zone that is or encloses www.shop.example, or a name that it depends on',
    ],
    [['traverse', 'a', '--demo', '--delegate', 'b'], 'write ZONE=NAME or ZONE=NAME/ADDRESS'],
    [['traverse', 'a', '--demo', '--delegate', '.=b'], 'the root is delegated by nobody'],
    [['traverse', 'a', '--demo', '--delegate', 'b=c.b'], 'a name server within the zone needs an address'],
    [['traverse', '--replay', 'f', '--delegate', 'b=c'], '--replay does not go with --delegate'],
  ];
  for (const [command, expected] of rows) {
    const { status, stdout, stderr } = await inside(command);
    t.equal(status, 2, command.join(' '));
    t.equal(stdout, '');
    t.match(stderr, /^svc: [^\n]+\n$/, 'one line');
    t.ok(stderr.includes(expected), `${stderr.trim()}: says ${expected}`);
  }
});
