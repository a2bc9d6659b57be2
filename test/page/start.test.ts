import t from 'tap';
import { parseName } from '../../src/dns/name.ts';
import type { RequestOptions } from '../../src/document/api/request.ts';
import type { PageFacts } from '../../src/document/api/service-documents.ts';
import { DEFAULT_OPTIONS } from '../../src/document/options.ts';
import type { RunFailure } from '../../src/document/run-answer.ts';
import { CHOSEN_VIEWS, QUICK_VIEWS } from '../../src/evaluate/views.ts';
import { addressOf, type PageView, viewAt } from '../../src/page/model/page-url.ts';
import { failureWords, unknownAddress } from '../../src/page/model/problem-texts.ts';
import { readWritten } from '../../src/page/model/question-input.ts';
import {
  offeredValues,
  type RequestChoices,
  requestOptionsFor,
  withChoice,
} from '../../src/page/model/request-choices.ts';
import { NOTHING_OFF } from '../../src/page/model/switched-off.ts';
import { ownProgram } from '../../src/page/model/worker-scripts.ts';

const ID = 'cce6c86a-42f5-409d-bb3f-6ccb0e4d0d8f';

t.test('a question as people write it', async (t) => {
  const rows = [
    ['www.example.com', 'A', 'www.example.com. A'],
    [' Example.COM. ', 'aaaa', 'example.com. AAAA'],
    ['.', 'ns', '. NS'],
    ['example.com', '', 'example.com. A'],
    ['example.com', 'TYPE65280', 'example.com. TYPE65280'],
    ['bücher.example', 'A', 'xn--bcher-kva.example. A', 'Looks up xn--bcher-kva.example (bücher.example) A.'],
    ['xn--bcher-kva.example', 'A', 'xn--bcher-kva.example. A', /^Looks up .* \(bücher\.example\) A\.$/],
    [
      'https://www.example.com/x',
      'MX',
      'www.example.com. MX',
      /example\.com MX: the host name in the URL\.$/,
    ],
    ['www.example.com:443', 'A', 'www.example.com. A', /: the host name before the port\.$/],
    ['www.example.com/x?y', 'A', 'www.example.com. A', /: the host name in the URL\.$/],
    ['me@example.com', 'A', 'example.com. MX', /example\.com MX: the mail servers for the e-mail address\.$/],
    ['Me, MX <me@example.com>', 'A', 'example.com. MX', /: the mail servers /],
    [
      '198.51.100.80/24',
      'A',
      '80.100.51.198.in-addr.arpa. PTR',
      /arpa PTR: the reverse name of .* prefix\.$/,
    ],
    ['999.1.1.1.', 'A', '999.1.1.1. A'],
    ['192.0.2.1', 'A', '1.2.0.192.in-addr.arpa. PTR', /arpa PTR: the reverse name of the address\.$/],
  ] as const;
  for (const [name, type, expected, hint] of rows) {
    const read = readWritten({ name, type });
    t.equal(read.kind === 'question' ? `${read.name} ${read.type}` : read.why, expected, name);
    const said = read.kind === 'question' ? read.hint : read.why;
    if (hint === undefined) t.equal(said, undefined, `${name} is obvious`);
    else t.match(said, hint, `${name}: how it is understood`);
  }
});

t.test('command lines, and other words that people paste', async (t) => {
  const rows = [
    ['www.shop.example AAAA', 'Looks up www.shop.example AAAA.'],
    ['www.shop.example\tIN\tmx', 'Looks up www.shop.example MX.'],
    ['www.shop.example. 300 IN A 192.0.2.1', /^"300" is not a record type/],
    ['dig www.shop.example', 'Looks up www.shop.example TXT.'],
    ['dig mx shop.example', 'Looks up shop.example MX.'],
    ['dig . NS', 'Looks up the root NS.'],
    ['dig @8.8.8.8 -t AAAA shop.example +short', 'Looks up shop.example AAAA. Ignored: @8.8.8.8 and +short.'],
    ['$ kdig -tAAAA -qshop.example -p 5353', 'Looks up shop.example AAAA.'],
    [
      'dig +tcp +noedns -6 shop.example A',
      /^Looks up shop\.example A, Ask over: IPv6 only, Transport: TCP only, EDNS: Off\.$/,
    ],
    ['-x 198.51.100.80', 'Looks up 80.100.51.198.in-addr.arpa PTR.'],
    ['dig -x 2001:db8::1 +short', /^Looks up 1\.0\..*ip6\.arpa PTR\. Ignored: \+short\.$/],
    ['host 198.51.100.80', 'Looks up 80.100.51.198.in-addr.arpa PTR.'],
    ['svc traverse shop.example MX --quick', /^Looks up shop\.example MX, Views: Cold resolvers only/],
    ['a\\ b.example A', 'Looks up a\\032b.example A.'],
    ['dig -x shop.example', 'The word after -x is not an address.'],
    ['dig +short', 'There is no name to look up.'],
    ['a.example b.example', 'Look up one name at a time.'],
    ['a.example AXFR', '"AXFR" is not a record type.'],
    ['\u202e.example A', /^This is not a domain name: /],
  ] as const;
  for (const [name, words] of rows) {
    const read = readWritten({ name, type: 'TXT' });
    t.match(read.kind === 'question' ? read.hint : read.why, words, name);
  }
  t.match(readWritten({ name: 'dig +vc +dnssec shop.example', type: 'A' }), {
    choices: { transport: 'tcp' },
  });
});

t.test('a question that cannot be asked, and why', async (t) => {
  const rows = [
    ['', 'A', 'name', 'Type a name.'],
    [
      'a..b',
      'A',
      'name',
      'This is not a domain name: a label is empty (two dots in a row, or a leading dot).',
    ],
    [
      `${'a'.repeat(64)}.example`,
      'A',
      'name',
      'This is not a domain name: a label is longer than 63 octets.',
    ],
    ['999.1.1.1', 'A', 'name', /^This looks like an address, but .* 0 to 255/],
    ['javascript:alert(1)', 'A', 'name', /^This looks like a URL without a host name /],
    ['dig a..b', 'A', 'name', /^This is not a domain name: a label is empty/],
    ['\u202eexample', 'A', 'name', /^This is not a domain name: /],
    ['x'.repeat(2_000), 'A', 'name', 'This is too long for a name.'],
    ['example.com', 'AXFR', 'type', /^This is no type/],
    ['example.com', '<b>', 'type', /^This is no type/],
  ] as const;
  for (const [name, type, field, why] of rows) {
    t.match(readWritten({ name, type }), { kind: 'wrong', field, why }, name.slice(0, 30));
  }
});

t.test('choices become options of a request, and none if all is as usual', async (t) => {
  const rows: readonly (readonly [RequestChoices, RequestOptions | undefined])[] = [
    [{}, undefined],
    [{ check: 'off' }, { check: false }],
    [
      { views: 'quick', families: '4' },
      { views: QUICK_VIEWS, families: [4] },
    ],
    [
      { check: 'on', views: 'all', families: '6', transport: 'tcp', edns: 'off' },
      { check: true, views: CHOSEN_VIEWS, families: [6], transport: 'tcp', edns: 'off' },
    ],
  ];
  for (const [choices, options] of rows) t.strictSame(requestOptionsFor(choices), options);
});

t.test('the form offers the default of the service, and what differs from it', async (t) => {
  const all: PageFacts['usual'] = { ...DEFAULT_OPTIONS, views: CHOSEN_VIEWS };
  const other: PageFacts['usual'] = {
    ...DEFAULT_OPTIONS,
    views: QUICK_VIEWS,
    families: [6],
    transport: 'tcp',
  };
  const rows = [
    ['views', all, ['=Default: All views', 'quick=Cold resolvers only (quick)']],
    ['views', other, ['=Default: Cold resolvers only (quick)', 'all=All views']],
    ['families', all, ['=Default: IPv4 and IPv6', '4=IPv4 only', '6=IPv6 only']],
    ['families', other, ['=Default: IPv6 only']],
    ['transport', other, ['=Default: TCP only', 'udp=UDP, then TCP']],
    ['edns', other, ['=Default: On', 'off=Off']],
  ] as const;
  for (const [name, usual, offered] of rows)
    t.same(
      offeredValues(name, usual).map(([value, words]) => `${value}=${words}`),
      offered,
    );
});

t.test('a choice is changed, or taken back', async (t) => {
  const rows = [
    [{ edns: 'off' }, ['check', 'on'], { edns: 'off', check: 'on' }],
    [{ edns: 'off' }, ['edns', ''], {}],
    [{}, ['edns', 'perhaps'], {}],
  ] as const;
  for (const [before, [name, value], choices] of rows)
    t.strictSame(withChoice(before, name, value), choices, `${name} ${value}`);
});

t.test('a refusal in plain words, with the wait where it is known', async (t) => {
  const rows: readonly (readonly [RunFailure, RegExp, number | undefined])[] = [
    [
      { kind: 'rate-limited', detail: 'Rate limit: 30 requests per 1h0m0s.', retryAfterMs: 42_000 },
      /allows you 30 traversals per 1h\./,
      42_000,
    ],
    [{ kind: 'rate-limited', detail: '1 request per 10s' }, /1 traversal per 10s\./, undefined],
    [{ kind: 'rate-limited', detail: 'Slow down.' }, /no more for now/, undefined],
    [{ kind: 'busy', detail: 'The queue is full.', retryAfterMs: 5_000 }, /busy.*queue is full/, 5_000],
    [{ kind: 'unreachable', reason: 'x' }, /cannot be reached.*What you typed is kept/, undefined],
    [
      { kind: 'refused', detail: '', errors: [{ pointer: '/options/families', detail: 'must be 4' }] },
      /refuses this.*options\.families must be 4/,
      undefined,
    ],
    [{ kind: 'refused', detail: 'No.', errors: [] }, /refuses this.*No\./, undefined],
    [{ kind: 'fault', detail: 'HTTP status 500' }, /went wrong/, undefined],
    [{ kind: 'no-such-job' }, /strangely/, undefined],
    [{ kind: 'not-a-service', detail: '' }, /strangely/, undefined],
    [{ kind: 'stopped' }, /Stopped/, undefined],
    [{ kind: 'busy', detail: 'a\u202eb\u0007' }, /a\\u\{202e\}b\\u\{7\}/, undefined],
  ];
  for (const [failure, words, waitMs] of rows) {
    const said = failureWords(failure);
    t.match(`${said.title} ${said.advice}`, words);
    t.equal(said.waitMs, waitMs);
  }
});

t.test('views and their addresses', async (t) => {
  const question = { name: 'www.example.com', type: 'AAAA', choices: {} };
  const proven = {
    ...question,
    choices: { check: 'off', views: 'quick', families: '6' },
  } as const;
  const off = {
    mode: 'without',
    off: [
      { kind: 'server', name: parseName('ns1.example') },
      { kind: 'address', address: '2001:db8::1' },
    ],
  } as const;
  const rows: readonly (readonly [PageView, string])[] = [
    [{ kind: 'start', question: undefined }, '/'],
    [{ kind: 'start', question }, '/?name=www.example.com&type=AAAA'],
    [{ kind: 'job', id: ID, question: undefined, imagined: NOTHING_OFF }, `/t/${ID}`],
    [{ kind: 'job', id: ID, question, imagined: NOTHING_OFF }, `/t/${ID}?name=www.example.com&type=AAAA`],
    [
      { kind: 'job', id: ID, question: proven, imagined: off },
      `/t/${ID}?name=www.example.com&type=AAAA&check=off&views=quick&families=6&without=ns1.example&without=2001%3Adb8%3A%3A1`,
    ],
    [
      {
        kind: 'job',
        id: ID,
        question: { ...question, name: 'a&b=\\255.x', type: 'A' },
        imagined: NOTHING_OFF,
      },
      `/t/${ID}?name=a%26b%3D%5C255.x&type=A`,
    ],
    [{ kind: 'nowhere', path: '/t/', question: undefined }, '/t/'],
    [{ kind: 'nowhere', path: '/t/nothing', question }, '/t/nothing?name=www.example.com&type=AAAA'],
    [{ kind: 'nowhere', path: '/xyz', question: undefined }, '/xyz'],
    [{ kind: 'nowhere', path: '/t/%zz', question: undefined }, '/t/%zz'],
  ];
  for (const [view, address] of rows) {
    t.equal(addressOf(view), address);
    t.strictSame(viewAt(new URL(address, 'http://localhost')), view, address);
  }
});

t.test('what is nothing in an address is left out', async (t) => {
  const rows: readonly (readonly [address: string, PageView])[] = [
    [`/t/${ID}/`, { kind: 'job', id: ID, question: undefined, imagined: NOTHING_OFF }],
    [
      `/t/${ID}?down=a..b&down=ns.example.&without=192.0.2.1`,
      {
        kind: 'job',
        id: ID,
        question: undefined,
        imagined: { mode: 'down', off: [{ kind: 'server', name: parseName('ns.example') }] },
      },
    ],
    ['/?name=&type=A', { kind: 'start', question: undefined }],
    ['/?name=x.example', { kind: 'start', question: { name: 'x.example', type: 'A', choices: {} } }],
    [
      '/?name=x.example&check=perhaps&edns=off&views=some&transport=tcp',
      {
        kind: 'start',
        question: {
          name: 'x.example',
          type: 'A',
          choices: { transport: 'tcp', edns: 'off' },
        },
      },
    ],
    ['/?name=x.example&type=%3Cscript%3E', { kind: 'start', question: undefined }],
    [`/?name=${'x'.repeat(2_000)}`, { kind: 'start', question: undefined }],
  ];
  for (const [address, view] of rows)
    t.strictSame(viewAt(new URL(address, 'http://localhost')), view, address);
});

t.test('an address at which there is nothing says what is wrong with it', async (t) => {
  const rows = [
    ['/t/', /^This link does not say which traversal it is to\. Perhaps the link was cut off: .*\. $/],
    ['/t/not-an-id', /^not-an-id is not the identifier of a traversal\. Perhaps the link was cut off: /],
    [`/t/${ID}/more`, /^cce6c86a-\S*\/more is not the identifier/],
    ['/xyz', /^This service has nothing at \/xyz\. Start with a name\. $/],
    ['/api/jobs', /^This service has nothing at \/api\/jobs\. What programs /],
    ['/www.example.com', /^This .*\. To look up www\.example\.com, press Traverse\. www\.example\.com$/],
    ['/a..b', /Start with a name\. $/],
    ['/%zz', /nothing at \/%zz\./],
    ['/%E2%80%AEx.example', /nothing at \/\\u\{202e\}x\.example\. Start with a name\. $/],
  ] as const;
  for (const [path, words] of rows) {
    const { why, advice, name } = unknownAddress(path);
    t.match(`${why} ${advice} ${name}`, words, path);
  }
});

t.test('workers run files of the page only', async (t) => {
  t.equal(ownProgram('/assets/draw-worker-AB12CD34.js'), '/assets/draw-worker-AB12CD34.js');
  for (const address of [
    'data:text/javascript,1',
    '//elsewhere.example/a.js',
    '/assets/../x.js',
    '/t/x.js',
    '',
  ])
    t.throws(() => ownProgram(address), TypeError, address);
});
