import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { IncomingMessage } from 'node:http';
import { connect, Socket } from 'node:net';
import { Duplex } from 'node:stream';
import t, { type Test } from 'tap';
import { packed } from '../../../src/base/packing.ts';
import { parsePrefix } from '../../../src/dns/address.ts';
import { withoutResult } from '../../../src/report/views/conclusion.ts';
import type { TrustedProxies } from '../../../src/service/client.ts';
import { Connections, PeerLimit } from '../../../src/service/connections.ts';
import { readBody } from '../../../src/service/request.ts';
import { serialisedConclusion } from '../../../src/traversal/threads/evaluation.ts';
import { createFakeClock, settled } from '../../base/fake-clock.ts';
import { ask, type Conversation, converse, type Place } from '../http-client.ts';
import { metric, startJob, startTestService } from '../test-service.ts';

const GET = 'GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n';
const POST = 'POST /api/traverse HTTP/1.1\r\nHost: localhost\r\n';

type Started = Awaited<ReturnType<typeof startTestService>>;

/** Lets the time pass until the other end has closed, and gives all that came and the seconds it took at least. */
async function closing({ clock }: Started, said: Conversation) {
  let over = false;
  const closed = said.closed.then((text) => {
    over = true;
    return text;
  });
  const start = clock.now();
  while (!over) await clock.advance(250);
  return { text: await closed, ms: clock.now() - start };
}

t.test('nobody is waited for too long', async (t) => {
  const started = await startTestService(t);
  const SLOW: readonly (readonly [what: string, text: string, expected: RegExp])[] = [
    ['silence', '', /^HTTP\/1\.1 408 /],
    ['half a line', 'GET /api/he', /^HTTP\/1\.1 408 .*application\/problem\+json.*took too long/s],
    ['half a head', POST, /^HTTP\/1\.1 408 /],
    ['no body', `${POST}Content-Length: 12\r\n\r\n`, /^HTTP\/1\.1 408 /],
    ['half a body', `${POST}Content-Length: 12\r\n\r\n{"name"`, /^HTTP\/1\.1 408 /],
    ['half a chunk', `${POST}Transfer-Encoding: chunked\r\n\r\n5\r\n{"n`, /^HTTP\/1\.1 408 /],
    ['leave not used', `${POST}Expect: 100-continue\r\nContent-Length: 9\r\n\r\n`, /100 Continue.*408 /s],
    ['a second request that does not come', GET, /^HTTP\/1\.1 200 .*\}$/s],
    [
      'a body that nobody asked for',
      'POST /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: 12\r\n\r\n{',
      /^HTTP\/1\.1 404 (?!.*408)/s,
    ],
  ];
  await Promise.all(
    SLOW.map(async ([what, text, expected]) => {
      const said = converse(t, started.service);
      said.write(text);
      t.match((await closing(started, said)).text, expected, what);
    }),
  );

  for (const [what, head, drop] of [
    ['a head', POST, 'X'],
    ['a body', `${POST}Content-Length: 16000\r\n\r\n`, ' '],
    ['a chunked body', `${POST}Transfer-Encoding: chunked\r\n\r\n`, '1\r\n \r\n'],
  ] as const) {
    t.test(`not even one from whom ${what} drips in`, async (t) => {
      const started = await startTestService(t);
      const said = converse(t, started.service);
      said.write(head);
      const timer = setInterval(() => said.write(drop), 1);
      const { text } = await closing(started, said);
      clearInterval(timer);
      t.match(text, /^HTTP\/1\.1 408 /);
    });
  }
});

t.test('a client that neither reads nor closes loses its connection', async (t) => {
  const { service, clock } = await startTestService(t);
  const socket = connect({ port: service.port, host: service.host, allowHalfOpen: true });
  t.teardown(() => socket.destroy());
  socket.on('error', () => {});
  socket.write('nonsense\r\n\r\n');
  socket.pause();
  const open = () => metric(service, 'traversal_connections');
  while ((await open()) < 2) await settled();
  // The one that asks is another.
  while ((await open()) > 1) await clock.advance(250);
});

const LARGE = 16 * 1_024 * 1_024;

/** A job with a result that is too large for any connection to take at once. */
async function largeJob({ service, engine }: Started) {
  const id = await startJob(service);
  await settled();
  const result = Buffer.alloc(LARGE, ' ');
  const conclusion = { ...serialisedConclusion(withoutResult('cancelled', 0)), status: 'cancelled' } as const;
  engine.runs[0]?.end({ kind: 'evaluated', conclusion, result: [packed(result)], met: [], packets: 0 });
  await settled();
  return { path: `/api/traverse/${id}`, result };
}

t.test('a reply that nobody takes is not offered for ever', async (t) => {
  const started = await startTestService(t);
  const { service, clock } = started;
  const { path, result } = await largeJob(started);
  const stalled = connect(service.port, service.host);
  t.teardown(() => stalled.destroy());
  stalled.on('error', () => stalled.destroy());
  stalled.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  const whole = await ask(service, 'GET', path);
  t.equal(whole.text.length, Number(whole.headers['content-length']), 'one who reads gets it all');
  t.ok(whole.text.includes(`${result}`), 'as it was before it was packed');
  const open = () => metric(service, 'traversal_connections');
  while ((await open()) < 2) await settled();
  while ((await open()) > 1) await clock.advance(5_000);
});

t.test('requests that follow each other unasked', async (t) => {
  t.test('are answered one by one: nothing is fetched for one before its turn', async (t) => {
    const started = await startTestService(t);
    const { service } = started;
    const { path } = await largeJob(started);
    const socket = connect(service.port, service.host);
    t.teardown(() => socket.destroy());
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(4));
    const answered = () =>
      metric(service, 'traversal_http_requests_total{resource="traversal",method="GET",status="200"}');
    await once(socket, 'readable');
    for (let count = 0; count < 10; count += 1) await settled();
    t.equal(await answered(), 1, 'of four, while the first is not read');
    let octets = 0;
    socket.on('data', ({ length }) => {
      octets += length;
    });
    while ((await answered()) < 4) await settled();
    while (octets < 4 * LARGE) await settled();
  });

  t.test('are carried out in their order', async (t) => {
    const { service } = await startTestService(t);
    const id = await startJob(service);
    const said = converse(t, service);
    const request = (method: string) => `${method} /api/traverse/${id} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
    said.write(`${request('GET')}${request('DELETE')}${request('GET')}`);
    await said.until(/"running".*HTTP\/1\.1 204 .*"cancelled"/s);
  });

  t.test('end with what is not HTTP, which is not said in the middle of a reply', async (t) => {
    const { service } = await startTestService(t);
    const id = await startJob(service);
    const said = converse(t, service);
    said.write(`GET /api/traverse/${id}/events HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    await said.until(/event: started/);
    said.write(`${GET}nonsense\r\n\r\n`);
    t.notMatch(await said.closed, /HTTP\/1\.1 400/);
  });
});

t.test('a full house', async (t) => {
  t.test('has room for whoever comes: the longest idle goes', async (t) => {
    const started = await startTestService(t, { maxConnections: 3 });
    const kept = [];
    for (let count = 0; count < 3; count += 1) {
      const said = converse(t, started.service);
      said.write(GET);
      await said.until(/\}$/);
      kept.push(said);
    }
    const [first, second, third] = kept;
    first?.write(GET);
    await first?.until(/\}.*\}\}$/s);
    const next = converse(t, started.service);
    next.write(GET);
    await next.until(/\}\}$/);
    t.match(await second?.closed, /^HTTP\/1\.1 200 .*\}$/s, 'without a word');
    third?.write(GET);
    await third?.until(/200 OK.*200 OK.*\}\}$/s);
    const metrics = await ask(started.service, 'GET', '/metrics');
    t.match(metrics.text, /^traversal_connections_refused_total 2$/m);
  });

  t.test('keeps the readers of jobs that go on, and sends away those who only drip', async (t) => {
    const started = await startTestService(t, { maxConnections: 3 });
    const id = await startJob(started.service);
    const stream = `GET /api/traverse/${id}/events HTTP/1.1\r\nHost: localhost\r\n\r\n`;
    const readers = [converse(t, started.service), converse(t, started.service)];
    for (const reader of readers) {
      reader.write(stream);
      await reader.until(/event: started/);
    }
    const dripping = converse(t, started.service);
    dripping.write(`${POST}Content-Length: 12\r\n\r\n{`);
    await settled();
    for (let count = 0; count < 5; count += 1) {
      t.equal((await ask(started.service, 'GET', '/api/health')).status, 200);
    }
    t.equal(await dripping.closed, '');
    started.engine.runs[0]?.exchange('192.0.2.1');
    for (const reader of readers) await reader.until(/event: exchange/);
  });

  t.test('of nothing but such readers takes nobody in', async (t) => {
    const started = await startTestService(t, { maxConnections: 2 });
    const id = await startJob(started.service);
    const stream = `GET /api/traverse/${id}/events HTTP/1.1\r\nHost: localhost\r\n\r\n`;
    for (let count = 0; count < 2; count += 1) {
      const reader = converse(t, started.service);
      reader.write(stream);
      await reader.until(/event: started/);
    }
    t.equal(await converse(t, started.service).closed, '', 'closed without a word');
    started.engine.runs[0]?.finish();
    await settled();
    started.engine.fingerprintings[0]?.finish();
    while ((await trying(started.service)) === '') await settled();
  });
});

/** What comes of a request on a connection that may be closed at once. */
async function trying({ host, port }: Place): Promise<string> {
  return await new Promise((resolve) => {
    let text = '';
    const socket = connect(port, host);
    socket.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', () => {}).on('close', () => resolve(text));
    socket.write(GET.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
  });
}

t.test('connections from one client', async (t) => {
  const TIMEOUTS = { headMs: 10, bodyMs: 10, stallMs: 10, heartbeatMs: 10 };
  const rules = { maxConnections: 100, maxConnectionsPerClient: 2, timeouts: TIMEOUTS };
  const setUp = (trustedProxies: TrustedProxies = 'all') => {
    let refused = 0;
    const connections = new Connections({ ...rules, trustedProxies }, createFakeClock(), () => {
      refused += 1;
    });
    const from = (peer: string | undefined) => {
      const socket = new Duplex({ read: () => {}, write: (_chunk, _encoding, done) => done() });
      connections.admit(socket, peer);
      return socket;
    };
    return { connections, from, refused: () => refused };
  };
  const stay = (peers: readonly string[], { from }: ReturnType<typeof setUp>) =>
    peers.map((peer) => !from(peer).destroyed);

  t.test('are limited in number, and a /64 is one client', async (t) => {
    const four = ['192.0.2.1', '192.0.2.1', '::ffff:192.0.2.1', '192.0.2.2'];
    t.same(stay(four, setUp()), [true, true, false, true]);
    const six = ['2001:db8::1', '2001:db8::2', '2001:db8::ffff:3', '2001:db8:0:1::1'];
    t.same(stay(six, setUp()), [true, true, false, true]);
  });

  t.test('are not limited from this host and from named proxies', async (t) => {
    const here = ['::1', '::1', '::1', '127.0.0.1', '127.0.0.1', '127.0.0.1', '::ffff:127.0.0.1'];
    t.notOk(stay(here, setUp()).includes(false));
    const prefix = parsePrefix('10.0.0.0/8');
    const named = setUp(prefix === undefined ? [] : [prefix]);
    t.same(stay(['10.0.0.1', '10.0.0.1', '10.0.0.1'], named), [true, true, true]);
    t.same(stay(['192.0.2.1', '192.0.2.1', '192.0.2.1'], named), [true, true, false]);
  });

  t.test('are counted until they are closed', async (t) => {
    const house = setUp();
    const [first] = [house.from('192.0.2.1'), house.from('192.0.2.1')];
    t.ok(house.from('192.0.2.1').destroyed);
    t.equal(house.connections.count, 2);
    first.destroy();
    await settled();
    t.equal(house.connections.count, 1);
    t.notOk(house.from('192.0.2.1').destroyed, 'a place is free again');
    t.equal(house.refused(), 1);
  });

  t.test('leave nothing behind', async (t) => {
    const limit = new PeerLimit(1, 'all');
    const gone: (() => void)[] = [];
    const take = (peer?: string) => limit.take(peer, (run) => gone.push(run));
    t.same(
      [take('192.0.2.1'), take('192.0.2.1'), take('2001:db8::1'), take(undefined)],
      [true, false, true, true],
    );
    for (const run of gone) run();
    t.equal(limit.peers, 0);
    const none = new PeerLimit(0, 'all');
    t.same([none.take('192.0.2.1', () => {}), none.take('192.0.2.1', () => {})], [true, true]);
  });
});

t.test('nothing is awaited of a client that has left before', async (t) => {
  const message = new IncomingMessage(new Socket());
  message.destroy();
  await new Promise((resolve) => message.once('close', resolve));
  t.strictSame(await readBody(message, () => t.fail('it is not read')), { kind: 'cut-off' });
});

/** Says each of its arguments after the first on a connection of its own, and one line for each first reply. */
const CLIENT = `
  const [port, ...texts] = process.argv.slice(1);
  for (const text of texts) {
    const socket = require('node:net').connect(port, '127.0.0.1', () => socket.write(text));
    socket.once('data', () => process.stdout.write('heard\\n'));
  }
  setInterval(() => {}, 1_000);
`;

/** A client in a process of its own, once it has been told something on so many of its connections. */
async function startClient(t: Test, { port }: Place, replies: number, texts: readonly string[]) {
  const child = spawn(process.execPath, ['-e', CLIENT, `${port}`, ...texts], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  for (let heard = 0; heard < replies; ) {
    const [text] = await once(child.stdout, 'data');
    heard += String(text).split('\n').length - 1;
  }
  return child;
}

t.test('of a client that is killed nothing is left, and its job goes on', async (t) => {
  const { service, engine, clock } = await startTestService(t);
  const id = await startJob(service);
  const connections = () => metric(service, 'traversal_connections');
  const before = { connections: await connections(), timers: clock.timers };
  const head = 'HTTP/1.1\r\nHost: localhost\r\n';
  const client = await startClient(t, service, 3, [
    `GET /api/traverse/${id}/events ${head}\r\n`,
    `GET /api/traverse/${id}/events ${head}\r\n`,
    `GET /api/traverse/${id} ${head}\r\n`,
    `GET /api/traverse/${id} ${head}`,
    `POST /api/traverse ${head}Content-Length: 100\r\n\r\n{"name":`,
    '',
  ]);
  while ((await connections()) < before.connections + 6) await settled();
  t.equal(await metric(service, 'traversal_event_streams'), 2);
  client.kill('SIGKILL');
  while ((await connections()) > before.connections) await settled();
  t.equal(await metric(service, 'traversal_event_streams'), 0);
  engine.runs[0]?.exchange('192.0.2.1');
  t.equal(clock.timers, before.timers, 'no deadline and no heartbeat is left');
  t.match(JSON.parse((await ask(service, 'GET', `/api/traverse/${id}`)).text), {
    status: 'running',
    progress: { exchanges: 1 },
  });
});
