import t from 'tap';
import { createExchange } from '../../src/exchange/ask.ts';
import { probing } from '../../src/exchange/probe.ts';
import type { ProbeKind, Probing } from '../../src/exchange/probed.ts';
import { shareProbes } from '../../src/exchange/shared.ts';
import { decodeMessage } from '../../src/wire/decode.ts';
import { good, goodTcp, NEVER, QUESTION, serve, silent, truncated } from './asking.ts';
import { replyTo, type UdpScript } from './servers.ts';

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
    ['ancestor', 'udp EDNS 0'],
    ['own-name', 'udp EDNS 0'],
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
  const shared = shareProbes(counting, { maxAgeMs: 60_000, maxKept: 10 });
  for (const kind of ['no-edns', 'recursion', 'no-edns'] as const) {
    t.equal((await shared(probe(kind), NEVER)).probe, kind);
  }
  t.same(made, ['no-edns', 'recursion']);
});
