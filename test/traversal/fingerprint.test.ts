import t from 'tap';
import { createFairClock } from '../../src/base/clock.ts';
import { type Name, parseName, ROOT } from '../../src/dns/name.ts';
import type { ExchangeEvent, TraversalEvent } from '../../src/document/events.ts';
import { DEFAULT_OPTIONS, type TraversalOptions } from '../../src/document/options.ts';
import type { ListedServer } from '../../src/document/servers.ts';
import type { SpecialQuery } from '../../src/exchange/compose.ts';
import { createExchange, type SpecialExchange } from '../../src/exchange/exchange.ts';
import type { Exchanged, Failure, Reply } from '../../src/exchange/exchanged.ts';
import { parseRootHints } from '../../src/explore/root-hints.ts';
import { readyList } from '../../src/findings/server-list.ts';
import { startLab } from '../../src/lab/lab.ts';
import { zoneText } from '../../src/lab/zone-text.ts';
import { fingerprint } from '../../src/traversal/fingerprint.ts';
import { type MetServer, ServersMet, serverIn, serversMet } from '../../src/traversal/servers-met.ts';
import { traverse } from '../../src/traversal/traverse.ts';

const NEVER = new AbortController().signal;
const EXAMPLE = parseName('example');

function met(address: string, zones: readonly Name[] = [ROOT]): MetServer {
  return { address, names: [parseName('ns.example')], zones, reaction: 'replied' };
}

/** What a server says that is nowhere: the outcome of a query. */
function saying(outcome: (query: SpecialQuery) => Reply | Failure): SpecialExchange {
  return async (query): Promise<Exchanged> => ({
    address: query.address,
    question: query.question,
    outcome: outcome(query),
    transport: 'udp',
    tries: [],
    elapsedMs: 1,
    traffic: { packetsSent: 1, packetsReceived: 1, bytesSent: 30, bytesReceived: 60 },
  });
}

function reply(rcode: string, data: readonly string[] = [], nsid?: string): Reply {
  const answer = data.map((text) => ({
    name: parseName('version.bind'),
    type: 'TXT',
    class: 'CH',
    ttl: 0,
    data: text,
  }));
  const options = nsid === undefined ? [] : [{ code: 3, data: nsid }];
  const edns = { version: 0, payloadSize: 1_232, do: false, options };
  return {
    kind: 'reply',
    rcode,
    flags: ['qr'],
    rttMs: 1,
    bytes: 60,
    edns,
    answer,
    authority: [],
    additional: [],
  };
}

const TOLD: readonly (readonly [what: string, Reply | Failure, chaos: object, nsid: object])[] = [
  ['a text', reply('NOERROR', ['"9.18.49"']), { status: 'answer', text: '9.18.49' }, { status: 'empty' }],
  [
    'several texts',
    reply('NOERROR', ['"a" "b"', '"c"']),
    { status: 'answer', text: 'ab' },
    { status: 'empty' },
  ],
  ['an empty text', reply('NOERROR', ['""']), { status: 'empty' }, { status: 'empty' }],
  ['nothing', reply('NOERROR'), { status: 'empty' }, { status: 'empty' }],
  ['an identifier', reply('NOERROR', [], '6131'), { status: 'empty' }, { status: 'answer', text: 'a1' }],
  ['an empty identifier', reply('NOERROR', [], ''), { status: 'empty' }, { status: 'empty' }],
  [
    'a binary identifier',
    reply('NOERROR', [], '00ff225c1b'),
    { status: 'empty' },
    { status: 'answer', text: '\\000\\255"\\\\\\027' },
  ],
  [
    'a refusal',
    reply('REFUSED'),
    { status: 'refused', rcode: 'REFUSED' },
    { status: 'refused', rcode: 'REFUSED' },
  ],
  [
    'a refusal with an identifier',
    reply('REFUSED', [], '6131'),
    { status: 'refused', rcode: 'REFUSED' },
    { status: 'answer', text: 'a1' },
  ],
  ['an error', reply('NOTIMP'), { status: 'error', rcode: 'NOTIMP' }, { status: 'error', rcode: 'NOTIMP' }],
  [
    'an error with a text',
    reply('SERVFAIL', ['"x"']),
    { status: 'error', rcode: 'SERVFAIL' },
    { status: 'error', rcode: 'SERVFAIL' },
  ],
  ['silence', { kind: 'timeout' }, { status: 'timeout' }, { status: 'timeout' }],
  [
    'a closed port',
    { kind: 'unreachable', detail: 'ECONNREFUSED' },
    { status: 'error', failure: 'unreachable' },
    { status: 'error', failure: 'unreachable' },
  ],
  [
    'garbage',
    { kind: 'malformed', detail: 'name runs past the message' },
    { status: 'error', failure: 'malformed' },
    { status: 'error', failure: 'malformed' },
  ],
];

t.test('what servers tell', async (t) => {
  for (const [what, outcome, chaos, nsid] of TOLD) {
    const ask = saying(() => outcome);
    const { versionBind, hostnameBind, idServer, ...rest } = await fingerprint(met('192.0.2.1'), ask, NEVER);
    t.same({ chaos: versionBind, nsid: rest.nsid }, { chaos, nsid }, what);
    t.same([hostnameBind, idServer], [chaos, chaos]);
  }
});

t.test('an address is asked each question once', async (t) => {
  const asked: string[] = [];
  const ask = saying(({ address, question, class: qclass = 'IN', ednsOptions = [] }) => {
    const options = ednsOptions.map(({ code, data }) => `${code}:${data}`);
    asked.push([address, question.name, question.type, qclass, ...options].join(' '));
    return reply('REFUSED');
  });
  await fingerprint(met('192.0.2.1', [EXAMPLE, parseName('a.example')]), ask, NEVER);
  await fingerprint(met('2001:db8::1', []), ask, NEVER);
  t.same(asked.sort(), [
    '192.0.2.1 example. SOA IN 3:',
    '192.0.2.1 hostname.bind. TXT CH',
    '192.0.2.1 id.server. TXT CH',
    '192.0.2.1 version.bind. TXT CH',
    '2001:db8::1 . SOA IN 3:',
    '2001:db8::1 hostname.bind. TXT CH',
    '2001:db8::1 id.server. TXT CH',
    '2001:db8::1 version.bind. TXT CH',
  ]);
});

t.test('real servers, over real sockets', async (t) => {
  const lab = await startLab({
    servers: [
      { name: 'a.root', addresses: ['192.0.2.1'], zones: [zoneText('.', '@ NS a.root')], version: '9.18.49' },
      {
        name: 'b.root',
        addresses: ['192.0.2.2', '2001:db8::2'],
        zones: [zoneText('.', '@ NS b.root')],
        version: 'Knot DNS 3.3.4',
        hostname: 'b.example',
        id: 'b-id',
        nsid: 'b-nsid',
      },
      { name: 'ns.example', addresses: ['192.0.2.3'], faults: [{ kind: 'dead' }] },
      { name: 'ns.example', addresses: ['192.0.2.4'], faults: [{ kind: 'closed-port' }] },
    ],
  });
  t.teardown(lab.close);
  const ask = createExchange({
    clock: createFairClock(),
    route: lab.route,
    nameCase: 'lower',
    timeoutMs: 500,
    retries: 0,
  });
  const addresses = ['192.0.2.1', '192.0.2.2', '2001:db8::2', '192.0.2.3', '192.0.2.4'];
  const prints = await Promise.all(addresses.map((address) => fingerprint(met(address), ask, NEVER)));
  const refused = { status: 'refused', rcode: 'REFUSED' };
  const silent = { status: 'timeout' };
  const closed = { status: 'error', failure: 'unreachable' };
  const b = {
    versionBind: { status: 'answer', text: 'Knot DNS 3.3.4' },
    hostnameBind: { status: 'answer', text: 'b.example' },
    idServer: { status: 'answer', text: 'b-id' },
    nsid: { status: 'answer', text: 'b-nsid' },
    software: { product: 'Knot DNS', version: '3.3.4' },
  };
  t.strictSame(prints, [
    {
      versionBind: { status: 'answer', text: '9.18.49' },
      hostnameBind: refused,
      idServer: refused,
      nsid: { status: 'empty' },
      software: { product: 'BIND', version: '9.18.49' },
    },
    b,
    b,
    { versionBind: silent, hostnameBind: silent, idServer: silent, nsid: silent },
    { versionBind: closed, hostnameBind: closed, idServer: closed, nsid: closed },
  ]);
  t.equal(lab.asked({ server: 'b.root.', name: 'version.bind.' }), 2, 'once for each address');
});

t.test('it is stopped by its signal', async (t) => {
  const stop = new AbortController();
  const ask: SpecialExchange = (_query, signal) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  const running = fingerprint(met('192.0.2.1'), ask, stop.signal);
  stop.abort(new Error('enough'));
  await t.rejects(running, { message: 'enough' });
});

t.test('a server has replied if anything came back from it, ever', async (t) => {
  const replied = { rcode: 'NOERROR' } as const;
  const rows: readonly (readonly [
    what: string,
    heard: readonly Partial<ExchangeEvent>[],
    MetServer['reaction'],
  ])[] = [
    ['a reply', [replied], 'replied'],
    ['an error', [{ rcode: 'SERVFAIL' }], 'replied'],
    ['garbage', [{ failure: 'malformed' }], 'replied'],
    ['nothing', [{ failure: 'timeout' }, { failure: 'timeout' }], 'silent'],
    ['a closed port', [{ failure: 'unreachable' }], 'silent'],
    ['a reply among silence', [{ failure: 'timeout' }, replied, { failure: 'timeout' }], 'replied'],
  ];
  for (const [what, heard, reaction] of rows) {
    const met = new ServersMet();
    for (const [index, came] of heard.entries()) {
      const server = { address: '192.0.2.1', names: [parseName(`ns${index}.example`)] };
      met.note(serverIn({ ...SEEN, ...came, server }));
    }
    const names = heard.map((_, index) => `ns${index}.example.`);
    t.strictSame(met.list(), [{ address: '192.0.2.1', names, zones: ['example.'], reaction }], what);
  }
});

t.test('a server has as many names as were seen of it, of which the first are listed', async (t) => {
  const names = Array.from({ length: 20 }, (_, at) => parseName(`ns${at + 10}.example`));
  const met = new ServersMet();
  met.note(serverIn({ ...SEEN, server: { address: '192.0.2.1', names: names.slice(4) } }));
  met.note(
    serverIn({ ...SEEN, server: { address: '192.0.2.1', names: names.slice(0, 16), namesOmitted: 9 } }),
  );
  const shown = { names: names.slice(0, 16), namesOmitted: 9 };
  t.match(met.list(), [{ ...shown, allNames: 'unknown' }]);
  t.match(met.list(new Map([['192.0.2.1', names]])), [{ ...shown, allNames: names }]);
});

const SEEN: ExchangeEvent = {
  event: 'exchange',
  id: 'x1',
  server: { address: '192.0.2.1', names: [] },
  question: { name: EXAMPLE, type: 'A' },
  transport: 'udp',
  attempts: 1,
  elapsedMs: 1,
  zone: EXAMPLE,
  class: 'answer',
};

t.test('the servers met', async (t) => {
  const root = `
    @           NS  a.root
    a.root      A   11.0.0.1
    example     NS  ns.example
    example     NS  ns2.example
    ns.example  A   11.0.0.2
    ns2.example A   11.0.0.3
    ns2.example A   10.0.0.1`;
  const example = `
    @      NS  ns
    @      NS  ns2
    ns     A   11.0.0.2
    ns2    A   11.0.0.3
    sub    NS  ns.sub
    ns.sub A   11.0.0.3`;
  const sub = `
    @   NS  ns
    ns  A   11.0.0.3
    www A   203.0.113.80`;
  const lab = await startLab({
    servers: [
      { name: 'a.root', addresses: ['11.0.0.1'], zones: [zoneText('.', root)] },
      { name: 'ns.example', addresses: ['11.0.0.2'], zones: [zoneText('example.', example)] },
      {
        name: 'ns2.example',
        addresses: ['11.0.0.3'],
        zones: [zoneText('example.', example), zoneText('sub.example.', sub)],
      },
    ],
  });
  t.teardown(lab.close);

  async function metBy(
    options: Partial<TraversalOptions>,
    onEvent = (_: TraversalEvent, __: AbortController) => {},
  ) {
    const cancel = new AbortController();
    const request = {
      question: { name: parseName('www.sub.example'), type: 'A' },
      options: { ...DEFAULT_OPTIONS, families: [4], ...options } as const,
      hints: parseRootHints(lab.hints),
    };
    const emit = (event: TraversalEvent) => onEvent(event, cancel);
    const exchange = createExchange({ clock: createFairClock(), route: lab.route });
    return serversMet(await traverse(request, { exchange, emit, signal: cancel.signal }));
  }

  const aRoot = { address: '11.0.0.1', names: ['a.root.'], zones: ['.'], reaction: 'replied' };
  const ns = { address: '11.0.0.2', names: ['ns.example.'], zones: ['example.'], reaction: 'replied' };
  const ns2 = {
    address: '11.0.0.3',
    names: ['ns.sub.example.', 'ns2.example.'],
    zones: ['example.', 'sub.example.'],
    reaction: 'replied',
  };
  t.strictSame(await metBy({}), [aRoot, ns, ns2], 'each address once, and none that is blocked');
  t.strictSame((await metBy({ maxQueries: 2 })).length, 2, 'none that a limit cut off');
  const afterOne = (event: TraversalEvent, cancel: AbortController) => {
    if (event.event === 'exchange') cancel.abort();
  };
  t.strictSame(await metBy({}, afterOne), [aRoot], 'those met before it was cancelled');
});

function server(address: string, zones: readonly string[], version?: string): ListedServer {
  const row = { address, names: [], zones: zones.map(parseName) };
  if (version === undefined) return { ...row, versionBind: { status: 'refused', rcode: 'REFUSED' } };
  const versionBind = { status: 'answer', text: version } as const;
  return { ...row, versionBind, software: { product: 'BIND', version } };
}

t.test('which zones have servers that tell their version', async (t) => {
  const { findings = [] } = readyList([
    server('192.0.2.1', ['a.example'], '9.18.49'),
    server('192.0.2.2', ['a.example', 'b.example'], '9.16.1'),
    server('192.0.2.3', ['b.example']),
    server('192.0.2.4', ['c.example']),
  ]);
  t.same(
    findings.map(({ id, code, severity, zone, evidence }) => [id, code, severity, zone, evidence]),
    [
      ['f1', 'VERSION_DISCLOSED', 'info', 'a.example.', []],
      ['f2', 'VERSION_DISCLOSED', 'info', 'b.example.', []],
    ],
  );
  t.match(
    findings[0]?.message,
    /^2 addresses tell .*\(BIND 9\.18\.49 and 9\.16\.1\).*known vulnerabilities\. Not all run the same version: update the servers that run an older one\.$/,
  );
  t.match(findings[1]?.message, /^1 address tells .*\(BIND 9\.16\.1\)/);
  t.notMatch(findings[1]?.message, /older/);
});
