import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import t, { type Test } from 'tap';

import { createExchange, type SpecialQuery } from '../../src/exchange/ask.ts';
import { attempt, type Transport } from '../../src/exchange/attempt.ts';
import { systemClock } from '../../src/exchange/clock.ts';
import type { Exchanged, Try } from '../../src/exchange/exchanged.ts';
import { hostFamilies } from '../../src/exchange/families.ts';
import { createDeframer, frame } from '../../src/exchange/frame.ts';
import type { ExchangeOptions } from '../../src/exchange/options.ts';
import { createPacer } from '../../src/exchange/pace.ts';
import { randomSourcePort } from '../../src/exchange/source-port.ts';
import { encodeQuery } from '../../src/wire/encode.ts';
import { parseName } from '../../src/wire/name.ts';
import { createFakeClock } from './fake-clock.ts';
import {
  altered,
  closedPort,
  framed,
  hasEdns,
  questionOf,
  replyTo,
  startServer,
  type TcpScript,
  type UdpScript,
} from './servers.ts';

const QUESTION = { name: parseName('www.some-longer-name.example'), type: 'A' };
const NEVER = new AbortController().signal;

/** For tests whose meaning is that nothing ever comes. */
const SHORT = { timeoutMs: 50 };
/** For all others: far more than a loaded machine needs. */
const LONG = { timeoutMs: 20_000 };

type Options = Partial<ExchangeOptions>;

function ask(port: number, options: Options = {}, query: Partial<SpecialQuery> = {}): Promise<Exchanged> {
  const exchange = createExchange({ ...LONG, port, ...options });
  return exchange({ address: '127.0.0.1', question: QUESTION, ...query }, NEVER);
}

/** A try in short: "udp edns mixed reply NOERROR". */
function short({ transport, edns, nameCase, outcome }: Try): string {
  const how = `${transport} ${edns ? 'edns' : 'plain'} ${nameCase} ${outcome.kind}`;
  if (outcome.kind === 'reply') return `${how} ${outcome.rcode}${outcome.truncated ? ' tc' : ''}`;
  return outcome.kind === 'unreachable' ? `${how} ${outcome.code}` : how;
}

/** The outcome in short: "NOERROR 192.0.2.1", "timeout", "unreachable (ECONNREFUSED)". */
function shortOutcome({ outcome }: Exchanged): string {
  if (outcome.kind === 'reply') return [outcome.rcode, ...outcome.answer.map(({ data }) => data)].join(' ');
  return outcome.detail === undefined ? outcome.kind : `${outcome.kind} (${outcome.detail})`;
}

const GOOD = { addresses: ['192.0.2.1'] };
const good: UdpScript = (query) => [replyTo(query, GOOD)];
const silent: UdpScript = () => [];
const truncated: UdpScript = (query) => [replyTo(query, { truncated: true })];
const goodTcp: TcpScript = { asked: (socket, query) => socket.write(framed(replyTo(query, GOOD))) };

interface Case {
  readonly udp?: UdpScript;
  readonly tcp?: TcpScript;
  readonly options?: Options;
  readonly tries: readonly string[];
  readonly outcome: string;
}

async function check(t: Test, given: Case): Promise<void> {
  const { port } = await startServer(t, given.udp ?? silent, given.tcp);
  const exchanged = await ask(port, given.options);
  t.same(exchanged.tries.map(short), given.tries);
  t.equal(shortOutcome(exchanged), given.outcome);
}

const UDP_CASES: Readonly<Record<string, Case>> = {
  'a plain reply': { udp: good, tries: ['udp edns mixed reply NOERROR'], outcome: 'NOERROR 192.0.2.1' },
  'a reply to the second try': {
    udp: (query, n) => (n === 1 ? [] : good(query, n)),
    options: SHORT,
    tries: ['udp edns mixed timeout', 'udp edns mixed reply NOERROR'],
    outcome: 'NOERROR 192.0.2.1',
  },
  silence: {
    options: SHORT,
    tries: ['udp edns mixed timeout', 'udp edns mixed timeout', 'udp edns mixed timeout'],
    outcome: 'timeout',
  },
  'silence without retries': {
    options: { ...SHORT, retries: 0 },
    tries: ['udp edns mixed timeout'],
    outcome: 'timeout',
  },
  'an error without a question': {
    udp: (query) => [replyTo(query, { rcode: 5, question: 'left-out' })],
    tries: ['udp edns mixed reply REFUSED'],
    outcome: 'REFUSED',
  },
  'FORMERR to EDNS, without a question': {
    udp: (query, n) =>
      hasEdns(query) ? [replyTo(query, { rcode: 1, question: 'left-out' })] : good(query, n),
    tries: ['udp edns mixed reply FORMERR', 'udp plain mixed reply NOERROR'],
    outcome: 'NOERROR 192.0.2.1',
  },
  'NOTIMP to everything': {
    udp: (query) => [replyTo(query, { rcode: 4 })],
    tries: ['udp edns mixed reply NOTIMP', 'udp plain mixed reply NOTIMP'],
    outcome: 'NOTIMP',
  },
  'FORMERR to EDNS, then silence': {
    udp: (query) => (hasEdns(query) ? [replyTo(query, { rcode: 1 })] : []),
    options: { ...SHORT, retries: 1 },
    tries: ['udp edns mixed reply FORMERR', 'udp plain mixed timeout', 'udp plain mixed timeout'],
    outcome: 'timeout',
  },
  'FORMERR without EDNS asked for': {
    udp: (query) => [replyTo(query, { rcode: 1 })],
    options: { edns: 'off' },
    tries: ['udp plain mixed reply FORMERR'],
    outcome: 'FORMERR',
  },
  'a server that changes the case': {
    udp: (query) => [replyTo(query, { ...GOOD, question: 'lower-case' })],
    tries: ['udp edns mixed case-mismatch', 'udp edns lower reply NOERROR'],
    outcome: 'NOERROR 192.0.2.1',
  },
  'a changed case goes before what the reply says': {
    udp: (query) => [replyTo(query, { rcode: 1, question: 'lower-case' })],
    tries: ['udp edns mixed case-mismatch', 'udp edns lower reply FORMERR', 'udp plain lower reply FORMERR'],
    outcome: 'FORMERR',
  },
  'lower case from the start': {
    udp: (query) => [replyTo(query, { ...GOOD, question: 'lower-case' })],
    options: { nameCase: 'lower' },
    tries: ['udp edns lower reply NOERROR'],
    outcome: 'NOERROR 192.0.2.1',
  },
  'every fallback after the other': {
    udp: (query) => [
      replyTo(query, { truncated: !hasEdns(query), rcode: hasEdns(query) ? 1 : 0, question: 'lower-case' }),
    ],
    tcp: goodTcp,
    tries: [
      'udp edns mixed case-mismatch',
      'udp edns lower reply FORMERR',
      'udp plain lower reply NOERROR tc',
      'tcp plain lower reply NOERROR',
    ],
    outcome: 'NOERROR 192.0.2.1',
  },
};

const TCP_CASES: Readonly<Record<string, Case>> = {
  'truncated over UDP': {
    udp: truncated,
    tcp: goodTcp,
    tries: ['udp edns mixed reply NOERROR tc', 'tcp edns mixed reply NOERROR'],
    outcome: 'NOERROR 192.0.2.1',
  },
  'a reply split into single octets': {
    udp: truncated,
    tcp: {
      asked: (socket, query) => {
        socket.setNoDelay(true);
        for (const octet of framed(replyTo(query, GOOD))) socket.write(Uint8Array.of(octet));
      },
    },
    tries: ['udp edns mixed reply NOERROR tc', 'tcp edns mixed reply NOERROR'],
    outcome: 'NOERROR 192.0.2.1',
  },
  'truncated over TCP too': {
    udp: truncated,
    tcp: { asked: (socket, query) => socket.write(framed(replyTo(query, { truncated: true }))) },
    tries: ['udp edns mixed reply NOERROR tc', 'tcp edns mixed reply NOERROR tc'],
    outcome: 'malformed (truncated over TCP)',
  },
  'TCP refused': {
    udp: truncated,
    tries: ['udp edns mixed reply NOERROR tc', 'tcp edns mixed unreachable ECONNREFUSED'],
    outcome: 'unreachable (ECONNREFUSED)',
  },
  'TCP reset': {
    udp: truncated,
    tcp: { asked: (socket) => socket.resetAndDestroy() },
    tries: ['udp edns mixed reply NOERROR tc', 'tcp edns mixed unreachable ECONNRESET'],
    outcome: 'unreachable (ECONNRESET)',
  },
  'TCP closed in the middle of the reply': {
    udp: truncated,
    tcp: { asked: (socket, query) => socket.end(framed(replyTo(query, GOOD)).subarray(0, 20)) },
    tries: ['udp edns mixed reply NOERROR tc', 'tcp edns mixed closed'],
    outcome: 'timeout (closed before a whole reply)',
  },
  'TCP accepted and silent: one try': {
    udp: truncated,
    tcp: {},
    options: SHORT,
    tries: ['udp edns mixed reply NOERROR tc', 'tcp edns mixed timeout'],
    outcome: 'timeout',
  },
  'TCP silent in the middle of the reply': {
    udp: truncated,
    tcp: { asked: (socket, query) => socket.write(framed(replyTo(query, GOOD)).subarray(0, 20)) },
    options: SHORT,
    tries: ['udp edns mixed reply NOERROR tc', 'tcp edns mixed timeout'],
    outcome: 'timeout',
  },
  'a message to somebody else first': {
    udp: truncated,
    tcp: {
      asked: (socket, query) => {
        const reply = replyTo(query, GOOD);
        socket.write(Buffer.concat([framed(altered(reply, 0, (octet) => octet + 1)), framed(reply)]));
      },
    },
    tries: ['udp edns mixed reply NOERROR tc', 'tcp edns mixed reply NOERROR'],
    outcome: 'NOERROR 192.0.2.1',
  },
  'a flood of empty messages': {
    udp: truncated,
    tcp: { asked: (socket) => socket.write(Buffer.alloc(1_000_000)) },
    tries: ['udp edns mixed reply NOERROR tc', 'tcp edns mixed closed'],
    outcome: 'timeout (closed before a whole reply)',
  },
  'TCP from the start': {
    tcp: goodTcp,
    options: { transport: 'tcp' },
    tries: ['tcp edns mixed reply NOERROR'],
    outcome: 'NOERROR 192.0.2.1',
  },
  'TCP from the start, closed without a word twice': {
    tcp: {
      asked: (socket, query, n) => (n < 3 ? socket.end() : socket.write(framed(replyTo(query, GOOD)))),
    },
    options: { transport: 'tcp' },
    tries: ['tcp edns mixed closed', 'tcp edns mixed closed', 'tcp edns mixed reply NOERROR'],
    outcome: 'NOERROR 192.0.2.1',
  },
  'TCP from the start, every fallback': {
    tcp: {
      asked: (socket, query) =>
        socket.write(
          framed(replyTo(query, { ...GOOD, rcode: hasEdns(query) ? 1 : 0, question: 'lower-case' })),
        ),
    },
    options: { transport: 'tcp' },
    tries: ['tcp edns mixed case-mismatch', 'tcp edns lower reply FORMERR', 'tcp plain lower reply NOERROR'],
    outcome: 'NOERROR 192.0.2.1',
  },
};

t.test('over UDP', async (t) => {
  for (const [name, given] of Object.entries(UDP_CASES)) await t.test(name, (t) => check(t, given));
});

t.test('over TCP', async (t) => {
  for (const [name, given] of Object.entries(TCP_CASES)) await t.test(name, (t) => check(t, given));
});

t.test('what does not count is waited past, and remembered', async (t) => {
  const wrongId = (query: Buffer) => altered(replyTo(query, GOOD), 1, (octet) => octet + 1);
  const wrongQuestion = (query: Buffer) => altered(replyTo(query, GOOD), 13, () => 'x'.charCodeAt(0));
  const garbage = (query: Buffer) => Buffer.concat([replyTo(query, GOOD), Buffer.from('trailing')]);
  const all = (query: Buffer) => [Buffer.of(7), wrongId(query), wrongQuestion(query), garbage(query), query];
  const reasons = ['wrong-id', 'wrong-id', 'wrong-question', 'undecodable', 'not-a-reply'];

  await t.test('the right reply after it counts', async (t) => {
    const { port, udp } = await startServer(t, (query, n) => [...all(query), ...good(query, n)]);
    const exchanged = await ask(port);
    t.equal(shortOutcome(exchanged), 'NOERROR 192.0.2.1');
    t.same(
      exchanged.tries[0]?.ignored.map(({ reason }) => reason),
      reasons,
    );
    t.equal(exchanged.tries[0]?.ignored[0]?.head, '07');
    t.equal(exchanged.tries[0]?.ignored[4]?.head, udp[0]?.subarray(0, 64).toString('hex'));
    t.equal(exchanged.traffic.packetsReceived, 6);
  });
  const table: readonly (readonly [what: string, UdpScript, outcome: RegExp])[] = [
    ['nothing but another ID', (query) => [wrongId(query)], /^timeout$/],
    [
      'nothing but another question',
      (query) => [wrongQuestion(query)],
      /^malformed \(a reply to another question\)$/,
    ],
    ['nothing but garbage', (query) => [garbage(query)], /^malformed \(.+\)$/],
    ['nothing but our query', (query) => [query], /^malformed \(a query came back\)$/],
    ['garbage once, then silence', (query, n) => (n === 1 ? [garbage(query)] : []), /^malformed \(.+\)$/],
  ];
  for (const [what, script, outcome] of table) {
    await t.test(what, async (t) => {
      const { port } = await startServer(t, script);
      const exchanged = await ask(port, { ...SHORT, retries: 1 });
      t.match(shortOutcome(exchanged), outcome);
      t.equal(exchanged.tries.length, 2, 'it was waited for the whole time, then asked again');
    });
  }

  await t.test('a flood is not all remembered, but each reason is', async (t) => {
    const flood = (query: Buffer) => [...new Array(40).fill(wrongId(query)), garbage(query)];
    const { port } = await startServer(t, flood);
    const exchanged = await ask(port, { timeoutMs: 80, retries: 0 });
    t.match(shortOutcome(exchanged), /^malformed/);
    t.ok((exchanged.tries[0]?.ignored.length ?? 99) < 20);
    t.equal(exchanged.traffic.packetsReceived, 41);
  });
});

t.test('a refused port is known at once, in both families and both transports', async (t) => {
  const port = await closedPort();
  for (const address of ['127.0.0.1', '::1']) {
    for (const transport of ['udp-then-tcp', 'tcp'] as const) {
      const exchanged = await ask(port, { transport }, { address });
      t.equal(shortOutcome(exchanged), 'unreachable (ECONNREFUSED)', `${address} ${transport}`);
      t.equal(exchanged.tries.length, 3, 'each try ends, the next follows at once');
      t.ok(exchanged.elapsedMs < LONG.timeoutMs);
    }
  }
});

t.test('IPv6', async (t) => {
  const { port } = await startServer(t, truncated, goodTcp, '::1');
  const exchanged = await ask(port, {}, { address: '::1' });
  t.equal(shortOutcome(exchanged), 'NOERROR 192.0.2.1');
  t.equal(exchanged.transport, 'tcp');
  t.equal(exchanged.address, '::1');
});

t.test('addresses that cannot be asked', async (t) => {
  const mapped = await ask(53, {}, { address: '::ffff:127.0.0.1' });
  t.match(shortOutcome(mapped), /^unreachable \(E[A-Z]+\)$/, 'an IPv4 address in IPv6 clothes');
  const broadcast = await ask(53, {}, { address: '255.255.255.255' });
  t.equal(shortOutcome(broadcast), 'unreachable (EACCES)');
  t.equal(broadcast.traffic.packetsSent, 0);
});

t.test('routes', async (t) => {
  const { port } = await startServer(t, good);
  const route = (address: string) => (address === '192.0.2.53' ? { address: '127.0.0.1', port } : undefined);
  const routed = await ask(1, { route }, { address: '192.0.2.53' });
  t.equal(shortOutcome(routed), 'NOERROR 192.0.2.1');
  t.equal(routed.address, '192.0.2.53', 'the address that was asked for is recorded');
  const unrouted = await ask(1, { route }, { address: '192.0.2.54' });
  t.equal(shortOutcome(unrouted), 'unreachable (no route)');
  t.same(unrouted.tries, []);
  t.equal(unrouted.elapsedMs, 0);
});

t.test('each try has an ID, a case and a source port of its own', async (t) => {
  const { port, udp, ports } = await startServer(t, silent);
  await ask(port, { timeoutMs: 10, retries: 9 });
  const names = udp.map((query) => questionOf(query).toString('latin1'));
  t.ok(new Set(names).size > 8);
  t.equal(new Set(names.map((name) => name.toLowerCase())).size, 1);
  t.ok(new Set(udp.map((query) => query.readUInt16BE(0))).size > 8);
  t.ok(new Set(ports).size > 8);
});

t.test('source ports', async (t) => {
  t.equal(
    randomSourcePort(() => 0, 53),
    1_024,
  );
  t.equal(
    randomSourcePort((below) => below - 1, 53),
    65_535,
  );
  t.equal(
    randomSourcePort(() => 0, 1_024),
    1_025,
    'never the port asked',
  );
  t.equal(
    randomSourcePort((below) => below - 1, 1_024),
    65_535,
  );
  t.equal(
    randomSourcePort((below) => below - 1, 65_535),
    65_534,
  );

  const taken = createSocket('udp4').bind(0);
  t.teardown(() => taken.close());
  await once(taken, 'listening');
  const { port, ports } = await startServer(t, good);
  const drawn = taken.address().port - 1_024 - (taken.address().port > port ? 1 : 0);
  const exchanged = await ask(port, { random: (below) => Math.min(drawn, below - 1) });
  t.equal(
    shortOutcome(exchanged),
    'NOERROR 192.0.2.1',
    'where all that was drawn is taken, the kernel knows one',
  );
  t.not(ports[0], taken.address().port);
});

t.test('a host short of descriptors waits for one', async (t) => {
  const clock = createFakeClock();
  const asked = { id: 1, ...QUESTION, nameAsSent: QUESTION.name, class: 'IN', accept: 'any-case' } as const;
  const endpoint = { address: '192.0.2.1', port: 53 };
  const sending = { endpoint, query: encodeQuery(asked), asked, timeoutMs: 1_000, clock, random: () => 0 };
  const opened: number[] = [];
  const shortUntil = (when: number): Transport => {
    opened.length = 0;
    return ({ query }, listener) => {
      opened.push(clock.now());
      const isShort = clock.now() < when;
      setImmediate(() => {
        if (isShort) return listener.failed('EMFILE');
        listener.leaving();
        listener.wrote();
        listener.came(replyTo(Buffer.from(query)));
      });
      return () => {};
    };
  };
  const passing = attempt(shortUntil(200), sending, NEVER);
  for (let ms = 0; ms < 400; ms += 10) await clock.advance(10);
  t.match(await passing, { ending: { kind: 'reply', rttMs: 0 }, sentAt: opened.at(-1) });
  const lasting = attempt(shortUntil(Number.POSITIVE_INFINITY), sending, NEVER);
  for (let ms = 0; ms < 1_200; ms += 10) await clock.advance(10);
  t.match(await lasting, { ending: { kind: 'unreachable', code: 'EMFILE' }, traffic: { packetsSent: 0 } });
  t.equal(clock.timers, 0);
});

t.test('a TCP stream gives the same messages however it is cut', async (t) => {
  const messages = ['one', '', 'three'].map((text) => Buffer.from(text));
  const stream = Buffer.concat(messages.map((message) => Buffer.from(frame(message))));
  for (let size = 1; size <= stream.length; size += 1) {
    const deframe = createDeframer();
    const seen: Buffer[] = [];
    for (let at = 0; at < stream.length; at += size) {
      for (const message of deframe(stream.subarray(at, at + size))) seen.push(Buffer.from(message));
    }
    t.same(seen, messages, `in pieces of ${size}`);
  }
  t.equal(Buffer.from(frame(Buffer.alloc(65_535))).readUInt16BE(), 65_535);
});

t.test('the families of this host', async (t) => {
  t.same(await hostFamilies(async (family) => family === 6), [6]);
  t.same(await hostFamilies(async () => true), [4, 6]);
  t.same(await hostFamilies(async () => false), []);
  const here = await hostFamilies();
  t.ok(here.every((family) => family === 4 || family === 6));
});

t.test('what a query looks like', async (t) => {
  const { port, udp } = await startServer(t, good);
  await ask(port);
  await ask(port, { edns: 'off', nameCase: 'lower' });
  const nsid = { ednsOptions: [{ code: 3, data: '' }], class: 'CH', question: { ...QUESTION, type: 'TXT' } };
  await ask(port, { payloadSize: 4_096 }, nsid);
  const [plain, bare, special] = udp.map((query) => {
    const tail = query.subarray(12 + questionOf(query).length).toString('hex');
    return `${query.readUInt16BE(2)} ${questionOf(query).subarray(-4).toString('hex')} ${tail}`;
  });
  t.equal(plain, '0 00010001 00002904d0000000000000', 'no flags, A IN, EDNS0 with 1232 octets');
  t.equal(bare, '0 00010001 ');
  t.equal(special, '0 00100003 000029100000000000000400030000', 'TXT CH, 4096 octets, an empty NSID option');
});

t.test('what is recorded', async (t) => {
  const { port, udp, tcp } = await startServer(t, truncated, goodTcp);
  const exchanged = await ask(port);
  const [first, second] = exchanged.tries;
  const sent = [...udp, ...tcp].reduce((sum, { length }) => sum + length, 0);
  const { outcome, traffic } = exchanged;
  t.match(outcome, { kind: 'reply', flags: ['qr', 'aa'], authority: [], additional: [] });
  t.same(traffic.packetsSent, 2);
  t.same(traffic.packetsReceived, 2);
  t.equal(traffic.bytesSent, sent);
  t.equal(traffic.bytesReceived, 2 * (udp[0] === undefined ? 0 : 12 + questionOf(udp[0]).length) + 16);
  if (first === undefined || second === undefined || outcome.kind !== 'reply')
    throw new Error('not two tries');
  t.equal(first.sentMs, 0);
  t.ok(second.sentMs >= first.elapsedMs);
  t.ok(exchanged.elapsedMs >= second.sentMs + second.elapsedMs - 0.001);
  t.ok(outcome.rttMs > 0 && outcome.rttMs <= second.elapsedMs);
});

t.test('waiting for the pacer does not count', async (t) => {
  const { port } = await startServer(t, (query, n) =>
    hasEdns(query) ? [replyTo(query, { rcode: 1 })] : good(query, n),
  );
  let now = 0;
  const held: string[] = [];
  const pacer = {
    acquire: async (address: string) => {
      now += 1_000;
      held.push(address);
      return () => held.push('given back');
    },
  };
  const exchanged = await ask(port, { pacer, clock: { ...systemClock, now: () => now } });
  t.equal(now, 2_000, 'both tries waited');
  t.equal(exchanged.elapsedMs, 0);
  t.same(
    exchanged.tries.map(({ sentMs }) => sentMs),
    [0, 0],
  );
  t.same(held, ['127.0.0.1', 'given back', '127.0.0.1', 'given back']);
});

t.test('aborted', async (t) => {
  const scripts = {
    'waiting for UDP': { udp: silent, transport: 'udp-then-tcp' },
    'waiting for TCP': { udp: silent, transport: 'tcp' },
  } as const;
  for (const [what, { udp, transport }] of Object.entries(scripts)) {
    await t.test(what, async (t) => {
      const abort = new AbortController();
      const stop = () => abort.abort(new Error('enough'));
      const { port } = await startServer(
        t,
        (query, n) => {
          stop();
          return udp(query, n);
        },
        { asked: stop },
      );
      const before = handles();
      const exchange = createExchange({ ...LONG, port, transport });
      const pacer = createPacer({ ratePerAddress: 0, perAddressInFlight: 1, totalInFlight: 1 });
      const paced = createExchange({ ...LONG, port, transport, pacer });
      const query = { address: '127.0.0.1', question: QUESTION };
      const asked = [exchange(query, abort.signal), paced(query, abort.signal), paced(query, abort.signal)];
      for (const one of asked) await t.rejects(one, { message: 'enough' });
      await t.rejects(exchange(query, abort.signal), { message: 'enough' }, 'aborted before it began');
      (await pacer.acquire('127.0.0.1', NEVER))();
      t.same(handles(), before, 'no socket and no timer is left');
    });
  }
});

/** What keeps the process alive on our side. */
function handles(): readonly string[] {
  const ours = new Set(['UDPWRAP', 'UDPSendWrap', 'TCPConnectWrap', 'Timeout']);
  return process.getActiveResourcesInfo().filter((resource) => ours.has(resource));
}
