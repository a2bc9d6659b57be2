import t, { type Test } from 'tap';
import { systemClock } from '../../src/base/clock.ts';
import { decodeMessage } from '../../src/dns/decode.ts';
import { createExchange, probing } from '../../src/exchange/exchange.ts';
import type { ProbeKind, Probing } from '../../src/exchange/exchanged.ts';
import { momentary, shareProbes } from '../../src/exchange/shared-exchanges.ts';
import { type Case, TCP_CASES, UDP_CASES } from './cases.ts';
import {
  altered,
  GOOD,
  good,
  goodTcp,
  hasEdns,
  hasIpv6Loopback,
  NEVER,
  QUESTION,
  QUIET,
  questionOf,
  replyTo,
  serve,
  short,
  shortOutcome,
  silent,
  truncated,
  type UdpScript,
} from './servers.ts';

t.test('over UDP', async (t) => {
  for (const [name, given] of Object.entries(UDP_CASES)) await t.test(name, (t) => check(t, given));
});

t.test('over TCP', async (t) => {
  for (const [name, given] of Object.entries(TCP_CASES)) await t.test(name, (t) => check(t, given));
});

async function check(t: Test, given: Case): Promise<void> {
  const { ask } = await serve(t, given.udp ?? silent, given.tcp);
  const exchanged = await ask(given.options);
  t.same(exchanged.tries.map(short), given.tries);
  t.equal(shortOutcome(exchanged), given.outcome);
}

t.test('a message that does not count is remembered, and the wait goes on', async (t) => {
  const wrongId = (query: Buffer) => altered(replyTo(query, GOOD), 1, (octet) => octet + 1);
  const wrongQuestion = (query: Buffer) => altered(replyTo(query, GOOD), 13, () => 'x'.charCodeAt(0));
  const garbage = (query: Buffer) => Buffer.concat([replyTo(query, GOOD), Buffer.from('trailing')]);
  const all = (query: Buffer) => [Buffer.of(7), wrongId(query), wrongQuestion(query), garbage(query), query];
  const reasons = ['wrong-id', 'wrong-id', 'wrong-question', 'undecodable', 'not-a-reply'];

  await t.test('the right reply after it counts', async (t) => {
    const { ask, udp } = await serve(t, (query) => [...all(query), ...good(query)]);
    const exchanged = await ask();
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
    ['nothing but another ID', (query) => [wrongId(query), QUIET], /^timeout$/],
    [
      'nothing but another question',
      (query) => [wrongQuestion(query), QUIET],
      /^malformed \(a reply to another question\)$/,
    ],
    ['nothing but garbage', (query) => [garbage(query), QUIET], /^malformed \(.+\)$/],
    ['nothing but our query', (query) => [query, QUIET], /^malformed \(a query came back\)$/],
    [
      'garbage once, then silence',
      (query, n) => (n === 1 ? [garbage(query), QUIET] : [QUIET]),
      /^malformed \(.+\)$/,
    ],
  ];
  for (const [what, script, outcome] of table) {
    await t.test(what, async (t) => {
      const { ask } = await serve(t, script);
      const exchanged = await ask({ retries: 1 });
      t.match(shortOutcome(exchanged), outcome);
      t.equal(exchanged.tries.length, 2, 'it was waited for the whole time, then asked again');
    });
  }

  await t.test('of a flood not everything is remembered, but each reason is', async (t) => {
    const flood = (query: Buffer) =>
      [...Array.from({ length: 40 }, () => wrongId(query)), garbage(query), QUIET] as const;
    const { ask } = await serve(t, flood);
    const exchanged = await ask({ retries: 0 });
    t.match(shortOutcome(exchanged), /^malformed/);
    t.ok((exchanged.tries[0]?.ignored.length ?? 99) < 20);
    t.equal(exchanged.traffic.packetsReceived, 41);
  });
});

t.test('IPv6', { skip: !hasIpv6Loopback() && 'this host has no ::1' }, async (t) => {
  const { ask } = await serve(t, truncated, goodTcp, '::1');
  const exchanged = await ask();
  t.equal(shortOutcome(exchanged), 'NOERROR 192.0.2.1');
  t.equal(exchanged.transport, 'tcp');
  t.equal(exchanged.address, '::1');
});

t.test('routes', async (t) => {
  const { ask, port } = await serve(t, good);
  const route = (address: string) => (address === '192.0.2.53' ? { address: '127.0.0.1', port } : undefined);
  const routed = await ask({ port: 1, route }, { address: '192.0.2.53' });
  t.equal(shortOutcome(routed), 'NOERROR 192.0.2.1');
  t.equal(routed.address, '192.0.2.53', 'the address that was asked for is recorded');
  const unrouted = await ask({ port: 1, route }, { address: '192.0.2.54' });
  t.equal(shortOutcome(unrouted), 'unreachable (no route)');
  t.same(unrouted.tries, []);
  t.equal(unrouted.elapsedMs, 0);
});

t.test('each try has its own ID, case and source port', async (t) => {
  const { ask, udp, ports } = await serve(t, silent);
  await ask({ retries: 9 });
  const names = udp.map((query) => questionOf(query).toString('latin1'));
  t.ok(new Set(names).size > 8);
  t.equal(new Set(names.map((name) => name.toLowerCase())).size, 1);
  t.ok(new Set(udp.map((query) => query.readUInt16BE(0))).size > 8);
  t.ok(new Set(ports).size > 8);
});

t.test('what a query looks like', async (t) => {
  const { ask, udp } = await serve(t, good);
  await ask();
  await ask({ edns: 'off', nameCase: 'lower' });
  const nsid = { ednsOptions: [{ code: 3, data: '' }], class: 'CH', question: { ...QUESTION, type: 'TXT' } };
  await ask({ payloadSize: 4_096 }, nsid);
  const [plain, bare, special] = udp.map((query) => {
    const tail = query.subarray(12 + questionOf(query).length).toString('hex');
    return `${query.readUInt16BE(2)} ${questionOf(query).subarray(-4).toString('hex')} ${tail}`;
  });
  t.equal(plain, '0 00010001 00002904d0000080000000', 'no flags, A IN, EDNS0 with DO and 1232 octets');
  t.equal(bare, '0 00010001 ');
  t.equal(special, '0 00100003 000029100000008000000400030000', 'TXT CH, 4096 octets, an empty NSID option');
});

t.test('what is recorded', async (t) => {
  const { ask, udp, tcp } = await serve(t, truncated, goodTcp);
  const exchanged = await ask();
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
  // Each of the three is rounded to the microsecond.
  t.ok(exchanged.elapsedMs >= second.sentMs + second.elapsedMs - 0.002);
  t.ok(outcome.rttMs > 0 && outcome.rttMs <= second.elapsedMs);
});

t.test('time spent waiting for the pacer does not count', async (t) => {
  const { ask } = await serve(t, (query) => (hasEdns(query) ? [replyTo(query, { rcode: 1 })] : good(query)));
  let now = 0;
  const held: string[] = [];
  const pacer = {
    acquire: async (address: string) => {
      now += 1_000;
      held.push(address);
      return { leave: () => held.push('leaves'), end: () => held.push('ended') };
    },
  };
  const exchanged = await ask({ pacer, clock: { ...systemClock, now: () => now } });
  t.equal(now, 2_000, 'both tries waited');
  t.equal(exchanged.elapsedMs, 0);
  t.same(
    exchanged.tries.map(({ sentMs }) => sentMs),
    [0, 0],
  );
  t.same(held, ['127.0.0.1', 'leaves', 'ended', '127.0.0.1', 'leaves', 'ended']);
});

const ADDRESS = '127.0.0.1';
const probe = (kind: ProbeKind) => ({ probe: kind, address: ADDRESS, question: QUESTION });

/** What a query says beside its question: transport, flags and EDNS. */
function spelled(transport: string, message: Uint8Array): string {
  const { flags, edns, questions } = decodeMessage(message);
  const options = edns?.options.map(({ code }) => ` option ${code}`).join('') ?? '';
  const version = edns === undefined ? 'no EDNS' : `EDNS ${edns.version}${options}`;
  const isLower = questions.every(({ name, nameAsSent }) => name === nameAsSent);
  return [transport, ...flags, version, ...(isLower ? [] : ['mixed'])].join(' ');
}

t.test('each kind goes out in its own way', async (t) => {
  const rows: readonly [kind: ProbeKind, sent: string][] = [
    ['tcp', 'tcp EDNS 0'],
    ['no-edns', 'udp no EDNS'],
    ['edns-version', 'udp EDNS 1'],
    ['edns-option', 'udp EDNS 0 option 65432'],
    ['recursion', 'udp rd EDNS 0'],
    ['other-type', 'udp EDNS 0'],
    ['control', 'udp EDNS 0'],
    ['ancestor', 'udp EDNS 0'],
    ['own-name', 'udp EDNS 0'],
    ['next-name', 'udp EDNS 0'],
  ];
  for (const [kind, sent] of rows) {
    const world = await serve(t, good, goodTcp);
    const probed = await probing(createExchange({ port: world.port }))(probe(kind), NEVER);
    const came = [
      ...world.udp.map((query) => spelled('udp', query)),
      ...world.tcp.map((query) => spelled('tcp', query)),
    ];
    t.same(came, [sent], kind);
    t.match(probed, { probe: kind, address: ADDRESS, question: QUESTION, outcome: { kind: 'reply' } });
  }
});

t.test('a probe never falls back, whatever comes', async (t) => {
  const rows: readonly [shows: string, script: UdpScript, rcode: string][] = [
    ['truncated', truncated, 'NOERROR'],
    ['no EDNS', (query) => [replyTo(query, { rcode: 1 })], 'FORMERR'],
  ];
  for (const [shows, script, rcode] of rows) {
    const world = await serve(t, script, goodTcp);
    const { outcome, tries } = await probing(createExchange({ port: world.port }))(
      probe('other-type'),
      NEVER,
    );
    t.match(outcome, { kind: 'reply', rcode }, shows);
    t.equal(tries.length, 1, shows);
    t.equal(world.tcp.length, 0, shows);
  }
});

t.test('a probe is repeated once at most', async (t) => {
  for (const [retries, tries] of [
    [0, 1],
    [1, 2],
    [5, 2],
  ] as const) {
    const world = await serve(t, silent);
    const exchanged = await world.ask({ retries }, { onlyStage: { nameCase: 'lower' } });
    t.equal(exchanged.tries.length, tries, `${retries} retries`);
    t.equal(exchanged.outcome.kind, 'timeout');
  }
});

t.test('names share probes of one kind', async (t) => {
  const made: string[] = [];
  const world = await serve(t, good);
  const real = probing(createExchange({ port: world.port }));
  const counting: Probing = (one, signal) => {
    made.push(one.probe);
    return real(one, signal);
  };
  const shared = shareProbes(counting, { lifeMs: momentary(60_000), marked: false, maxKept: 10 });
  for (const kind of ['no-edns', 'recursion', 'no-edns'] as const) {
    t.equal((await shared(probe(kind), NEVER)).probe, kind);
  }
  t.same(made, ['no-edns', 'recursion']);
});
