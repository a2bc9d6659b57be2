import { execFileSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { encodeQuery } from '../../src/dns/encode.ts';
import { attempt, type Carrier } from '../../src/exchange/attempt.ts';
import { randomSourcePort } from '../../src/exchange/compose.ts';
import { createExchange } from '../../src/exchange/exchange.ts';
import { createPacer } from '../../src/exchange/pacing/pacer.ts';
import { createDeframer, withLength } from '../../src/exchange/tcp.ts';
import { hostFamilies } from '../../src/exchange/udp.ts';
import { createFakeClock } from '../base/fake-clock.ts';
import {
  closedPort,
  GOOD,
  good,
  hasIpv6Loopback,
  NEVER,
  QUESTION,
  QUIET,
  replyTo,
  serve,
  shortOutcome,
  startServer,
  type UdpScript,
} from './servers.ts';

const QUERY = { address: '127.0.0.1', question: QUESTION };

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
  const { ask, port, ports } = await serve(t, good);
  const drawn = taken.address().port - 1_024 - (taken.address().port > port ? 1 : 0);
  const exchanged = await ask({ random: (below) => Math.min(drawn, below - 1) });
  t.equal(
    shortOutcome(exchanged),
    'NOERROR 192.0.2.1',
    'where all that was drawn is taken, the kernel knows one',
  );
  t.not(ports[0], taken.address().port);
});

t.test('only the address and port asked can answer', async (t) => {
  const forger = createSocket('udp4').bind(0, '127.0.0.1');
  t.teardown(() => forger.close());
  await once(forger, 'listening');
  const forged = (query: Buffer) => replyTo(query, { addresses: ['192.0.2.66'] });
  const { ask, ports } = await serve(t, (query, n) => {
    forger.send(forged(query), ports[n - 1] ?? 0, '127.0.0.1');
    return n === 1 ? [QUIET] : good(query);
  });
  const exchanged = await ask();
  t.same(
    exchanged.tries.map(({ outcome, ignored }) => [outcome.kind, ignored.length]),
    [
      ['timeout', 0],
      ['reply', 0],
    ],
  );
  t.equal(shortOutcome(exchanged), 'NOERROR 192.0.2.1');
});

t.test(
  'what this host is short of is waited for, and what never comes is no fault of the server',
  async (t) => {
    const clock = createFakeClock();
    const sent = encodeQuery({ id: 1, nameAsSent: QUESTION.name, type: QUESTION.type });
    const expected = { id: 1, sent, ...QUESTION, class: 'IN', accept: 'any-case' } as const;
    const endpoint = { address: '192.0.2.1', port: 53 };
    const sending = {
      endpoint,
      expected,
      timeoutMs: 1_000,
      clock,
      random: () => 0,
    };
    let opened: number[] = [];
    /** Fails so many times: before anything is sent, or on sending. */
    const shortOf = (code: string, times: number, when: 'opening' | 'sending'): Carrier => {
      opened = [];
      return ({ expected: { sent } }, listener) => {
        const isShort = opened.push(clock.now()) <= times;
        setImmediate(() => {
          if (isShort && when === 'opening') return listener.failed(code);
          listener.leaving();
          if (isShort) return listener.failed(code);
          listener.wrote();
          listener.came(replyTo(Buffer.from(sent)));
        });
        return () => {};
      };
    };
    const run = async (carrier: Carrier) => {
      let state: 'waits' | 'ended' = 'waits';
      const trying = attempt(carrier, sending, NEVER).finally(() => {
        state = 'ended';
      });
      while (state === 'waits') await clock.advance(10);
      return await trying;
    };
    for (const [code, mostMs] of [
      ['EMFILE', 30_000],
      ['ENFILE', 30_000],
      ['EADDRINUSE', 30_000],
      ['EAGAIN', 30_000],
      ['ENOBUFS', 30_000],
      ['ENOMEM', 30_000],
      ['EADDRNOTAVAIL', 1_000],
      ['ENETUNREACH', 0],
      ['EHOSTUNREACH', 0],
      ['EPERM', 0],
    ] as const) {
      for (const when of ['opening', 'sending'] as const) {
        if (mostMs > 0) {
          const passing = await run(shortOf(code, 30, when));
          t.match(
            passing,
            { ending: { kind: 'reply', rttMs: 0 }, sentAt: opened.at(-1) },
            `${code} on ${when}`,
          );
          t.equal(opened.length, 31);
        }
        const begunAt = clock.now();
        const lasting = await run(shortOf(code, Number.POSITIVE_INFINITY, when));
        t.match(lasting, { ending: { kind: 'unreachable', code }, traffic: { packetsSent: 0 } });
        t.equal(lasting.endedAt - begunAt, mostMs, `${code} that lasts`);
        t.equal(clock.timers, 0);
      }
    }
  },
);

t.test('a TCP stream yields the same messages however it is cut', async (t) => {
  const messages = ['one', '', 'three'].map((text) => Buffer.from(text));
  const stream = Buffer.concat(messages.map((message) => Buffer.from(withLength(message))));
  for (let size = 1; size <= stream.length; size += 1) {
    const deframe = createDeframer();
    const seen: Buffer[] = [];
    for (let at = 0; at < stream.length; at += size) {
      for (const message of deframe(stream.subarray(at, at + size))) seen.push(Buffer.from(message));
    }
    t.same(seen, messages, `in pieces of ${size}`);
  }
  t.equal(Buffer.from(withLength(Buffer.alloc(65_535))).readUInt16BE(), 65_535);
});

t.test('a refused port is known at once, in both families and both transports', async (t) => {
  const port = await closedPort();
  for (const address of hasIpv6Loopback() ? ['127.0.0.1', '::1'] : ['127.0.0.1']) {
    for (const transport of ['udp-then-tcp', 'tcp'] as const) {
      // Time stands still here, so whatever waited for it would never end.
      const exchange = createExchange({ clock: createFakeClock(), port, transport });
      const exchanged = await exchange({ ...QUERY, address }, NEVER);
      t.equal(shortOutcome(exchanged), 'unreachable (ECONNREFUSED)', `${address} ${transport}`);
      t.equal(exchanged.tries.length, 3, 'each try ends, the next follows at once');
    }
  }
});

t.test('addresses that cannot be asked', async (t) => {
  const mapped = await createExchange()({ ...QUERY, address: '::ffff:127.0.0.1' }, NEVER);
  t.match(shortOutcome(mapped), /^unreachable \(E[A-Z]+\)$/, 'an IPv4 address in IPv6 clothes');
  const broadcast = await createExchange()({ ...QUERY, address: '255.255.255.255' }, NEVER);
  t.equal(shortOutcome(broadcast), 'unreachable (EACCES)');
  t.equal(broadcast.traffic.packetsSent, 0);
});

t.test('the families of this host', async (t) => {
  t.same(await hostFamilies(async (family) => family === 6), [6]);
  t.same(await hostFamilies(async () => true), [4, 6]);
  t.same(await hostFamilies(async () => false), []);
  const here = await hostFamilies();
  t.ok(here.every((family) => family === 4 || family === 6));
});

t.test('silence lasts until the time-out', async (t) => {
  const { port } = await startServer(
    t,
    () => {},
    () => [],
  );
  const exchange = createExchange({ port, timeoutMs: 50, retries: 1 });
  const exchanged = await exchange(QUERY, NEVER);
  t.same(exchanged.outcome, { kind: 'timeout' });
  // Node's timers strike up to a millisecond early.
  t.ok(exchanged.tries.every(({ elapsedMs }) => elapsedMs >= 49));
  t.ok(exchanged.elapsedMs >= 98);
});

t.test('a reply that arrived while this process was busy past the time-out counts', async (t) => {
  const timeoutMs = 40;
  const replyThenWork: UdpScript = function* (query) {
    yield replyTo(query, GOOD);
    const until = performance.now() + 2 * timeoutMs;
    while (performance.now() < until);
  };
  const { port } = await startServer(t, () => {}, replyThenWork);
  const exchanged = await createExchange({ port, timeoutMs, retries: 0 })(QUERY, NEVER);
  t.equal(shortOutcome(exchanged), 'NOERROR 192.0.2.1');
});

t.test('an aborted attempt leaves neither socket nor timer', async (t) => {
  for (const transport of ['udp-then-tcp', 'tcp'] as const) {
    await t.test(transport, async (t) => {
      const abort = new AbortController();
      const stop = () => abort.abort(new Error('enough'));
      const silentThenStop: UdpScript = () => [QUIET];
      const { port } = await startServer(t, stop, silentThenStop, () => QUIET);
      const before = handles();
      const pacer = createPacer({ ratePerAddress: 0, totalInFlight: 1 });
      const exchange = createExchange({ port, transport });
      const paced = createExchange({ port, transport, pacer });
      const asked = [exchange, paced, paced].map((one) => one(QUERY, abort.signal));
      for (const one of asked) await t.rejects(one, { message: 'enough' });
      await t.rejects(exchange(QUERY, abort.signal), { message: 'enough' }, 'aborted before it began');
      (await pacer.acquire(QUERY.address, NEVER)).end();
      t.same(handles(), before);
    });
  }
});

/** What of ours keeps the process alive. */
function handles(): readonly string[] {
  const ours = new Set(['UDPWRAP', 'UDPSendWrap', 'TCPConnectWrap', 'Timeout']);
  return process.getActiveResourcesInfo().filter((resource) => ours.has(resource));
}

const ASKING = fileURLToPath(new URL('few-descriptors.js', import.meta.url));

t.test(
  'where no descriptor is left for a socket, the attempt ends with that, and nothing breaks',
  async (t) => {
    const script = 'ulimit -n 40 && exec "$0" "$@"';
    const said = execFileSync('sh', ['-c', script, process.execPath, ASKING], { encoding: 'utf8' });
    const ends = said.split(',');
    t.ok(ends.includes('EMFILE'), said);
    t.same(
      ends.filter((end) => !['EMFILE', 'ECONNREFUSED', 'timeout'].includes(end)),
      [],
      said,
    );
  },
);
