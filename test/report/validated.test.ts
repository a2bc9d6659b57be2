import t from 'tap';
import { parseName } from '../../src/dns/name.ts';
import type { ExchangeSecurity } from '../../src/document/exchanges.ts';
import type { TraversalResult } from '../../src/document/result.ts';
import { changesText } from '../../src/report/changes-text.ts';
import { renderDot } from '../../src/report/dot.ts';
import { renderMarkdown } from '../../src/report/markdown.ts';
import { renderMermaid } from '../../src/report/mermaid.ts';
import { nagiosCheck } from '../../src/report/nagios.ts';
import { prometheusText } from '../../src/report/prometheus.ts';
import { type Look, renderText } from '../../src/report/result-text.ts';
import { shortText } from '../../src/report/short-text.ts';
import { changeLine, changesBetween } from '../../src/report/views/changes.ts';
import { verdictRow } from '../../src/report/views/conclusion.ts';
import { validatedResult, withSecurity } from './validated-results.ts';

const LOOK: Look = { colour: 'off', detail: 'terse', width: 200 };
const FINE = validatedResult('1 secure');
const HALF = validatedResult('1/2 secure, 1/2 expired');
const LOST = validatedResult('1 no-matching-ds');
/** Spaces that only align are one. */
function text(result: TraversalResult, look: Partial<Look> = {}): string {
  return renderText(result, { ...LOOK, ...look }).replace(/ +/g, ' ');
}

t.test(
  'the text says what validating resolvers get, and more of it where others get something else',
  async (t) => {
    const fine = text(FINE);
    t.match(fine, '\nNo fault in the root, example and shop.example (secure)\n');
    const rows = ' 198.51.100.80 50 % 100 %\n SERVFAIL 50 % 0 %\n';
    t.match(text(HALF), `\nUsers get validating others\n${rows}`);
  },
);

t.test('what a server said is secure, insecure or bogus, in words', async (t) => {
  const rows: readonly (readonly [security: ExchangeSecurity, words: string | undefined])[] = [
    [{ status: 'secure' }, 'secure'],
    [{ status: 'insecure' }, 'insecure'],
    [{ status: 'bogus', reason: 'expired' }, 'bogus: the signature has expired'],
    [
      { status: 'bogus', reason: 'wrong-key', otherwise: 'secure' },
      'secure or bogus: signed with a key that is not among those fetched',
    ],
    [{ status: 'unknown' }, undefined],
  ];
  for (const [security, words] of rows) {
    const result = withSecurity(FINE, security);
    const said = words === undefined ? '198.51.100.80 ' : `198.51.100.80 (${words}) `;
    t.match(
      text(result, { detail: 'full' }),
      `ns1.harbour.example. 198.51.100.1 29 ms ${said}`,
      security.status,
    );
    for (const drawn of [renderDot(result), renderMermaid(result)]) {
      const shown = drawn.replace(/(?:\\n|<br\/>)/g, ' ');
      t.equal(shown.includes(`(${words})`), words !== undefined, security.status);
    }
  }
});

const PROVER = { name: parseName('ns1.nic.example'), address: '192.0.2.53' };
const ZONE = parseName('shop.example');

const INSECURE: readonly (readonly [
  security: Extract<ExchangeSecurity, { status: 'insecure' }>,
  words: string,
  /** In rows of text with -v, where that is something else: without the server, and with the code. */
  details?: string,
])[] = [
  [
    { status: 'insecure', reason: 'no-ds', zone: ZONE, server: PROVER },
    'no DS for shop.example., as ns1.nic.example. proves',
    'no DS for shop.example.',
  ],
  [
    { status: 'insecure', reason: 'opt-out', zone: ZONE, server: PROVER },
    'no DS for shop.example. by NSEC3 opt-out, as ns1.nic.example. proves',
    'no DS for shop.example. by NSEC3 opt-out',
  ],
  [{ status: 'insecure', reason: 'opt-out' }, 'the denial rests on NSEC3 opt-out'],
  [
    { status: 'insecure', reason: 'iterations', ede: 27 },
    'the denial has too many NSEC3 iterations',
    'the denial has too many NSEC3 iterations, EDE 27, Unsupported NSEC3 Iterations Value',
  ],
  [
    { status: 'insecure', reason: 'iterations', zone: ZONE },
    'the denial of a DS for shop.example. has too many NSEC3 iterations',
  ],
  [
    { status: 'insecure', reason: 'unsupported-ds', zone: ZONE, algorithms: [12], digests: [3, 5], ede: 1 },
    'no supported DS for shop.example. (algorithm 12, digest type 3 and 5)',
    'no supported DS for shop.example. (algorithm 12, digest type 3 and 5), EDE 1, Unsupported DNSKEY Algorithm',
  ],
  [{ status: 'insecure', reason: 'unsigned-parent', zone: ZONE }, 'shop.example. is insecure'],
];

t.test('each form says once why what users get is insecure', async (t) => {
  const result = validatedResult('1 insecure');
  for (const [security, words, details = words] of INSECURE) {
    const insecure = withSecurity(result, security);
    const said = `DNSSEC: insecure (${words})`;
    t.match(text(insecure, { detail: 'full' }), `alike; ${said}\n`);
    t.match(text(insecure, { detail: 'full' }), /29 ms 198\.51\.100\.80 \(insecure\)\s/, 'not in each row');
    t.match(text(insecure, { detail: 'full' }), `, ${details}\n`, '-v');
    for (const [form, shown] of [
      ['dot', renderDot(insecure)],
      ['mermaid', renderMermaid(insecure)],
      ['md', renderMarkdown(insecure).replace(/\\/g, '')],
    ])
      t.ok(shown?.replace(/(?:\\n|<br\/>)/g, ' ').includes(said), `${form}: ${said}`);
  }
});

t.test('codes tell the reasons of bogus replies, and the errors that servers send', async (t) => {
  const bogus = withSecurity(FINE, { status: 'bogus', reason: 'expired', ede: 7 });
  t.match(text(bogus, { detail: 'full' }), ', EDE 7, Signature Expired\n');
  const options = [{ code: 15, data: `0012${Buffer.from('not for you').toString('hex')}` }];
  const edns = { version: 0, payloadSize: 1232, do: true, options };
  const refusing = { ...FINE, exchanges: FINE.exchanges.map((row) => ({ ...row, edns })) };
  t.match(text(refusing, { detail: 'full' }), ', EDE 18, Prohibited: "not for you"\n');
  t.notMatch(text(refusing), 'EDE');
  const [first] = FINE.exchanges;
  if (first === undefined) throw new Error('there is an exchange');
  const resolver = {
    server: { address: '127.0.0.53', port: 53 },
    says: { kind: 'error', rcode: 'SERVFAIL' },
    outcomes: [],
    ttl: null,
    reply: { ...first, edns },
  } as const;
  t.match(
    text({ ...FINE, resolvers: [resolver] }),
    /127\.0\.0\.53 +SERVFAIL, EDE 18, Prohibited: "not for you" +although no first try fails\n/,
    'of a resolver in any detail',
  );
});

t.test(
  'where keys do not verify, servers are marked whose other replies nobody gets to effectOf',
  async (t) => {
    const result = withBogusKeys(LOST, '198.51.100.1');
    const words = 'bogus: no key fits the DS records of the parent';
    t.match(
      text(result, { detail: 'full' }),
      `ns1.harbour.example. 198.51.100.1 29 ms 198.51.100.80 (${words})`,
    );
    t.match(text(result, { detail: 'full' }), 'ns2.harbour.example. 198.51.100.2 44 ms 198.51.100.80 ');
  },
);

/** With a bogus reply to the question for the keys of its last zone from a server. */
function withBogusKeys(result: TraversalResult, address: string): TraversalResult {
  const asked = result.exchanges.find(({ server }) => server.address === address);
  const zone = result.steps.at(-1)?.zone;
  if (asked === undefined || zone === undefined) throw new Error('the result has that server');
  const question = { name: zone, type: 'DNSKEY' };
  const security = { status: 'bogus', reason: 'no-matching-ds' } as const;
  return { ...result, exchanges: [...result.exchanges, { ...asked, id: 'x999', question, security }] };
}

t.test('what a server would say that is imagined to be down proves nothing', async (t) => {
  const result = withSecurity(FINE, { status: 'bogus', reason: 'expired' });
  const steps = result.steps.map((step) => ({
    ...step,
    nameservers: step.nameservers.map((one) => ({
      ...one,
      addresses: one.addresses.map((row) => ({ ...row, class: 'timeout' as const })),
    })),
  }));
  t.notMatch(text({ ...result, steps }), 'bogus');
});

t.test('the servers whose replies are bogus stand out in a picture', async (t) => {
  const bogus = withSecurity(FINE, { status: 'bogus', reason: 'expired' });
  t.match(renderDot(bogus), /penwidth=2, label="zone shop\.example\./);
  t.match(renderMermaid(bogus), /zone shop\.example\..*:::fails/);
  t.match(renderMermaid(FINE), /zone shop\.example\..*:::endsWell/);
  const depends = withSecurity(FINE, { status: 'bogus', reason: 'wrong-key', otherwise: 'secure' });
  t.match(renderMermaid(depends), /zone shop\.example\..*:::differs/);
});

t.test('--short, and what monitoring reads', async (t) => {
  t.equal(shortText(FINE), '198.51.100.80\n');
  t.equal(shortText(HALF), ['50 %  198.51.100.80', '50 %  SERVFAIL', ''].join('\n'));
  const { status, line } = nagiosCheck(HALF, []);
  t.equal(status, 2);
  t.match(line, 'validated=50%;;;0;100');
  t.equal(nagiosCheck(FINE, []).status, 0);
  const metrics = prometheusText(HALF);
  t.match(metrics, 'view="validating",kind="servfail",ends_in="SERVFAIL"} 0.5\n');
});

t.test('a report in Markdown', async (t) => {
  t.match(renderMarkdown(FINE), '|  | users |\n');
  const half = renderMarkdown(HALF);
  t.match(half, '|  | users cold | users validating |\n');
  t.match(half, '| `SERVFAIL` | 0 % | 50 % (1/2) |\n');
});

t.test('what changed', async (t) => {
  const rows: readonly (readonly [before: TraversalResult, after: TraversalResult, line: string])[] = [
    [FINE, FINE, 'nothing changed'],
    [
      FINE,
      HALF,
      'validating resolvers get 50 % 198.51.100.80 and 50 % SERVFAIL (answers secure), was 100 % 198.51.100.80 (secure)',
    ],
    [FINE, LOST, 'validating resolvers get 100 % SERVFAIL, was 100 % 198.51.100.80 (secure)'],
    [
      FINE,
      validatedResult('1 insecure'),
      'validating resolvers get 100 % 198.51.100.80 (insecure), was 100 % 198.51.100.80 (secure)',
    ],
  ];
  for (const [before, after, line] of rows)
    t.equal(changeLine(changesBetween(before, after), before, after), line);
  const changed = changesText(changesBetween(FINE, HALF), [FINE, HALF], LOOK);
  t.match(changed, 'Validating resolvers end in\n');
  t.match(changed, /- {2}50 % {2}SERVFAIL at shop\.example\. \(bogus: the signature has expired\)/);
  const { validating: _, ...views } = FINE.views;
  const without = { ...FINE, views };
  t.equal(
    changesBetween(without, HALF).views.validating,
    undefined,
    'a result that does not tell is not compared',
  );
  const later = changesText(changesBetween(without, HALF), [without, HALF], LOOK);
  t.match(
    later,
    '\nOnly the later result has the answers of validating resolvers\n50 % 198.51.100.80 and 50 % SERVFAIL (answers secure)\n',
  );
  const earlier = changesText(changesBetween(FINE, without), [FINE, without], LOOK);
  t.match(
    earlier,
    '\nOnly the earlier result has the answers of validating resolvers\n100 % 198.51.100.80 (secure)\n',
  );
});

t.test('an imagined world is compared with the recorded one', async (t) => {
  const whatIf = { down: ['ns1.harbour.example.'], without: [], only: [], delegate: [] };
  const changed = { ...LOST, whatIf, recorded: { views: FINE.views, users: FINE.users } };
  const imagined = { ...changed, verdict: verdictRow(changed) };
  const shown = text(imagined);
  t.match(
    shown,
    '\nUsers get now then, cold then, validating\n 198.51.100.80 100 % 100 % 0 %\n SERVFAIL 0 % 0 % 100 %\n',
  );
  t.match(renderMarkdown(imagined), '|  | users now | users then, cold | users then, validating |');
  t.match(
    shown,
    /^www\.shop\.example\. A if ns1\.harbour\.example is down: users behind validating resolvers get SERVFAIL/,
  );
  const title =
    'www.shop.example. A: if ns1.harbour.example is down: users behind validating resolvers get SERVFAIL';
  for (const drawn of [renderDot(imagined), renderMermaid(imagined)]) t.match(drawn, title);
});
