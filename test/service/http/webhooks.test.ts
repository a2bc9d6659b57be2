import { createHmac } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import t from 'tap';
import { parseName } from '../../../src/dns/name.ts';
import type { WebhookEvent } from '../../../src/document/api/jobs.ts';
import { parseWebhookUrl } from '../../../src/service/webhook-request.ts';
import { createWebhooks, NO_WEBHOOKS, type Undelivered } from '../../../src/service/webhooks.ts';
import { createFakeClock, settled } from '../../base/fake-clock.ts';
import { deadUrl, startReceiver, startTcpReceiver } from './webhook-receivers.ts';

const SEEN = {
  id: 'j1',
  name: parseName('www.example.com'),
  type: 'A',
  client: '192.0.2.1',
  region: 'fra',
  at: '2026-01-02T03:04:05.678Z',
} as const;
const START: WebhookEvent = { event: 'start', ...SEEN };
const COMPLETE: WebhookEvent = {
  event: 'complete',
  ...SEEN,
  status: 'complete',
  durationMs: 12.5,
  exchanges: 7,
  verdict: { status: 'ok', text: 'all users get the answer', severity: 'info', exitStatus: 0 },
};

const A_LONG_TIME = 3_600_000;

type Settings = Partial<Parameters<typeof createWebhooks>[0]>;

/** Webhooks whose time only a test moves on, and what they complain of. */
function webhooksTo(url: URL, settings: Settings = {}) {
  const clock = createFakeClock();
  const undelivered: Undelivered[] = [];
  const onUndelivered = (one: Undelivered) => undelivered.push(one);
  const webhooks = createWebhooks({ url, clock, onUndelivered, ...settings });
  return { webhooks, clock, undelivered, over: () => webhooks.drain(A_LONG_TIME) };
}

function started(id: string): WebhookEvent {
  return { ...START, id };
}

const IDLE = { delivered: 0, failed: 0, dropped: 0, attempts: 0, waiting: 0, inFlight: 0 };

t.test('a delivery', async (t) => {
  t.test('is a POST of the event as JSON', async (t) => {
    const receiver = await startReceiver(t, (response) => response.end());
    const { webhooks, undelivered, over } = webhooksTo(receiver.url);
    webhooks.deliver(START);
    webhooks.deliver(COMPLETE);
    await over();
    t.same(
      receiver.received.map(({ body }) => JSON.parse(body)),
      [START, COMPLETE],
    );
    const [first] = receiver.received;
    t.equal(first?.method, 'POST');
    t.equal(first?.path, '/hook?kind=usage');
    t.equal(first?.headers['content-type'], 'application/json');
    t.equal(first?.headers['content-length'], `${Buffer.byteLength(JSON.stringify(START))}`);
    t.equal(first?.headers['webhook-signature'], undefined);
    t.equal(first?.headers.authorization, undefined);
    t.same(webhooks.counts(), { ...IDLE, delivered: 2, attempts: 2 });
    t.same(undelivered, []);
  });

  t.test('is signed where there is a secret', async (t) => {
    const receiver = await startReceiver(t, (response) => response.end());
    const { webhooks, over } = webhooksTo(receiver.url, { secret: 'hunter2' });
    webhooks.deliver(COMPLETE);
    await over();
    const [received] = receiver.received;
    const expected = createHmac('sha256', 'hunter2')
      .update(received?.body ?? '')
      .digest('hex');
    t.equal(received?.headers['webhook-signature'], `sha256=${expected}`);
  });

  t.test('carries the credentials of the URL as basic authentication, and in no other way', async (t) => {
    const receiver = await startReceiver(t, (response) => response.end());
    const url = new URL(receiver.url);
    url.username = 'us:er';
    url.password = 'p@ss w\u00f6rd';
    const { webhooks, over } = webhooksTo(url);
    webhooks.deliver(START);
    await over();
    const [first] = receiver.received;
    t.equal(first?.path, '/hook?kind=usage');
    t.equal(first?.headers.host, url.host);
    const credentials = Buffer.from('us:er:p@ss w\u00f6rd').toString('base64');
    t.equal(first?.headers.authorization, `Basic ${credentials}`);
  });

  t.test('goes over TLS to an https URL', async (t) => {
    let first: Buffer = Buffer.alloc(0);
    const receiver = await startTcpReceiver(t, 'https', (socket, _n, data) => {
      first = data;
      socket.destroy();
    });
    const { webhooks, undelivered, over } = webhooksTo(receiver.url);
    webhooks.deliver(START);
    await over();
    t.equal(first[0], 22, 'a handshake record');
    t.same(undelivered, [{ event: 'start', id: 'j1', reason: 'ECONNRESET' }]);
  });
});

t.test('the status decides', async (t) => {
  for (const status of [200, 201, 202, 204, 299]) {
    const receiver = await startReceiver(t, (response) => response.writeHead(status).end());
    const { webhooks, over } = webhooksTo(receiver.url);
    webhooks.deliver(START);
    await over();
    t.same(webhooks.counts(), { ...IDLE, delivered: 1, attempts: 1 }, `${status} is success`);
  }
  for (const status of [300, 301, 302, 303, 304, 307, 308, 400, 401, 404, 410, 429, 500, 503]) {
    const elsewhere = { Location: '/elsewhere', 'Retry-After': '1' };
    const receiver = await startReceiver(t, (response) => response.writeHead(status, elsewhere).end());
    const { webhooks, undelivered, over } = webhooksTo(receiver.url);
    webhooks.deliver(START);
    await over();
    t.same(webhooks.counts(), { ...IDLE, failed: 1, attempts: 2 }, `${status} is a failure, tried once more`);
    t.same(undelivered, [{ event: 'start', id: 'j1', reason: `status ${status}` }]);
    t.same(
      receiver.received.map(({ path }) => path),
      ['/hook?kind=usage', '/hook?kind=usage'],
      'and no redirect is followed',
    );
  }
  const recovering = await startReceiver(t, (response, n) => response.writeHead(n === 1 ? 500 : 200).end());
  const { webhooks, undelivered, over } = webhooksTo(recovering.url);
  webhooks.deliver(START);
  await over();
  t.same(webhooks.counts(), { ...IDLE, delivered: 1, attempts: 2 }, '500, then 200');
  t.same(undelivered, []);
  t.same(recovering.received[0], recovering.received[1], 'the retry is the same request');
});

t.test('a receiver that', async (t) => {
  t.test('is dead', async (t) => {
    const { webhooks, undelivered, over } = webhooksTo(await deadUrl());
    webhooks.deliver(START);
    t.same(webhooks.counts(), { ...IDLE, attempts: 1, inFlight: 1 }, 'holds nobody up');
    await over();
    t.same(webhooks.counts(), { ...IDLE, failed: 1, attempts: 2 });
    t.same(undelivered, [{ event: 'start', id: 'j1', reason: 'ECONNREFUSED' }]);
  });

  t.test('resets', async (t) => {
    const receiver = await startTcpReceiver(t, 'http', (socket) => socket.resetAndDestroy());
    const { webhooks, undelivered, over } = webhooksTo(receiver.url);
    webhooks.deliver(START);
    await over();
    t.same(webhooks.counts(), { ...IDLE, failed: 1, attempts: 2 });
    t.same(undelivered, [{ event: 'start', id: 'j1', reason: 'ECONNRESET' }]);
  });

  t.test('talks nonsense', async (t) => {
    const nonsense = [
      'SSH-2.0-x\r\n',
      'HTTP/1.1 abc\r\n\r\n',
      'HTTP/1.1 101 Go\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
    ];
    for (const text of nonsense) {
      const receiver = await startTcpReceiver(t, 'http', (socket) => socket.end(text));
      const { webhooks, undelivered, over } = webhooksTo(receiver.url);
      webhooks.deliver(START);
      await over();
      t.same(webhooks.counts(), { ...IDLE, failed: 1, attempts: 2 }, JSON.stringify(text));
      t.match(undelivered, [{ reason: /^[A-Z_]+$|^closed$/ }]);
    }
  });

  t.test('hangs gets five seconds for each attempt', async (t) => {
    const beginnings = ['', 'HTTP/1.1 200 OK\r\nContent-', 'HTTP/1.1 100 Continue\r\n\r\n'];
    for (const beginning of beginnings) {
      const receiver = await startTcpReceiver(t, 'http', (socket) => socket.write(beginning));
      const { webhooks, clock, undelivered, over } = webhooksTo(receiver.url);
      webhooks.deliver(START);
      await receiver.until(1);
      await clock.advance(4_999);
      t.same(webhooks.counts(), { ...IDLE, attempts: 1, inFlight: 1 }, JSON.stringify(beginning));
      await clock.advance(1);
      await receiver.until(2);
      await clock.advance(4_999);
      t.same(webhooks.counts(), { ...IDLE, attempts: 2, inFlight: 1 });
      const idle = over();
      await clock.advance(1);
      await idle;
      t.same(webhooks.counts(), { ...IDLE, failed: 1, attempts: 2 });
      t.same(undelivered, [{ event: 'start', id: 'j1', reason: 'time-out' }]);
    }
  });

  t.test('never finishes the handshake', async (t) => {
    const receiver = await startTcpReceiver(t, 'https', () => {});
    const { webhooks, clock, undelivered, over } = webhooksTo(receiver.url, { timeoutMs: 70 });
    webhooks.deliver(START);
    await receiver.until(1);
    await clock.advance(70);
    await receiver.until(2);
    const idle = over();
    await clock.advance(70);
    await idle;
    t.same(undelivered, [{ event: 'start', id: 'j1', reason: 'time-out' }]);
  });

  t.test('answers after the time-out is asked once more, and its late answer does not count', async (t) => {
    let answerLate = () => {};
    const receiver = await startReceiver(t, (response, n) => {
      if (n === 1) answerLate = () => response.end();
      else response.end();
    });
    const { webhooks, clock, over } = webhooksTo(receiver.url);
    webhooks.deliver(START);
    await receiver.until(1);
    await clock.advance(5_000);
    answerLate();
    await over();
    t.same(webhooks.counts(), { ...IDLE, delivered: 1, attempts: 2 });
    t.equal(receiver.received.length, 2);
  });

  t.test('says 200 and hangs has taken the event', async (t) => {
    const receiver = await startReceiver(t, (response) => response.writeHead(200).write('a'));
    const { webhooks, clock, over } = webhooksTo(receiver.url);
    const statusSeen = new Promise<void>((resolve) => {
      const seen = () => {
        unsubscribe('http.client.response.finish', seen);
        resolve();
      };
      subscribe('http.client.response.finish', seen);
    });
    webhooks.deliver(START);
    await statusSeen;
    const idle = over();
    await clock.advance(5_000);
    await idle;
    t.same(webhooks.counts(), { ...IDLE, delivered: 1, attempts: 1 });
  });

  t.test('never stops talking is not listened to for long', async (t) => {
    for (const [status, counts] of [
      [200, { ...IDLE, delivered: 1, attempts: 1 }],
      [500, { ...IDLE, failed: 1, attempts: 2 }],
    ] as const) {
      const receiver = await startReceiver(t, (response) => {
        response.writeHead(status);
        const talk = () => {
          while (!response.destroyed && response.write(Buffer.alloc(16_384)));
        };
        response.on('drain', talk);
        talk();
      });
      const { webhooks, over } = webhooksTo(receiver.url);
      webhooks.deliver(START);
      await over();
      t.same(webhooks.counts(), counts);
    }
  });

  t.test('breaks off after 200 has taken the event', async (t) => {
    const receiver = await startTcpReceiver(t, 'http', (socket) => {
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc');
    });
    const { webhooks, over } = webhooksTo(receiver.url);
    webhooks.deliver(START);
    await over();
    t.same(webhooks.counts(), { ...IDLE, delivered: 1, attempts: 1 });
  });
});

t.test('the queue', async (t) => {
  t.test('is bounded: the oldest give way', async (t) => {
    const held: (() => void)[] = [];
    const receiver = await startReceiver(t, (response) => held.push(() => response.end()));
    const { webhooks, undelivered, over } = webhooksTo(receiver.url, { mostInFlight: 2, mostWaiting: 3 });
    for (let job = 1; job <= 9; job += 1) webhooks.deliver(started(`j${job}`));
    t.same(webhooks.counts(), { ...IDLE, dropped: 4, attempts: 2, waiting: 3, inFlight: 2 });
    t.same(
      undelivered.map(({ id, reason }) => `${id} ${reason}`),
      ['j3 queue full', 'j4 queue full', 'j5 queue full', 'j6 queue full'],
    );
    await receiver.until(2);
    for (let count = 3; held.length > 0; count += 1) {
      held.shift()?.();
      if (count <= 5) await receiver.until(count);
    }
    await over();
    t.same(webhooks.counts(), { ...IDLE, delivered: 5, dropped: 4, attempts: 5 });
    t.same(receiver.received.map(({ body }) => JSON.parse(body).id).sort(), ['j1', 'j2', 'j7', 'j8', 'j9']);
  });

  t.test('is bounded in octets too', async (t) => {
    const size = Buffer.byteLength(JSON.stringify(started('j1')));
    const receiver = await startReceiver(t, (response) => response.end());
    const bounds = { mostInFlight: 1, mostWaitingBytes: 2 * size };
    const { webhooks, undelivered, over } = webhooksTo(receiver.url, bounds);
    for (let job = 1; job <= 5; job += 1) webhooks.deliver(started(`j${job}`));
    t.equal(webhooks.counts().waiting, 2);
    webhooks.deliver({ ...START, id: 'j6', client: 'x'.repeat(3 * size) });
    t.equal(webhooks.counts().waiting, 0, 'what is too big alone is not kept either');
    t.same(
      undelivered.map(({ id }) => id),
      ['j2', 'j3', 'j4', 'j5', 'j6'],
    );
    await over();
    t.same(webhooks.counts(), { ...IDLE, delivered: 1, dropped: 5, attempts: 1 });
  });

  t.test('keeps the order of a job, and lets others pass', async (t) => {
    let goOn = () => {};
    const receiver = await startReceiver(t, (response, n) => {
      if (n === 1) goOn = () => response.end();
      else response.end();
    });
    const { webhooks, over } = webhooksTo(receiver.url);
    webhooks.deliver(START);
    webhooks.deliver(COMPLETE);
    webhooks.deliver(started('j2'));
    await receiver.until(2);
    goOn();
    await over();
    t.same(
      receiver.received.map(({ body }) => JSON.parse(body)).map(({ id, event }) => `${id} ${event}`),
      ['j1 start', 'j2 start', 'j1 complete'],
    );
  });
});

t.test('draining', async (t) => {
  t.test('is over at once when there is nothing to do, and ends the taking of events', async (t) => {
    const { webhooks, clock, undelivered, over } = webhooksTo(await deadUrl());
    await over();
    t.equal(clock.timers, 0);
    webhooks.deliver(START);
    t.same(webhooks.counts(), { ...IDLE, dropped: 1 });
    t.same(undelivered, [{ event: 'start', id: 'j1', reason: 'shutdown' }]);
  });

  t.test('waits for events and retries, also those that come meanwhile', async (t) => {
    const receiver = await startReceiver(t, (response, n) => response.writeHead(n === 1 ? 500 : 200).end());
    const { webhooks, clock, over } = webhooksTo(receiver.url);
    webhooks.deliver(START);
    const idle = over();
    webhooks.deliver(COMPLETE);
    await idle;
    t.same(webhooks.counts(), { ...IDLE, delivered: 2, attempts: 3 });
    t.equal(clock.timers, 0);
  });

  t.test('gives up when its time is over, without a retry', async (t) => {
    const receiver = await startReceiver(t, () => {});
    const { webhooks, clock, undelivered } = webhooksTo(receiver.url, { mostInFlight: 1 });
    webhooks.deliver(START);
    webhooks.deliver(started('j2'));
    await receiver.until(1);
    const idle = webhooks.drain(3_000);
    await clock.advance(2_999);
    t.same(webhooks.counts(), { ...IDLE, attempts: 1, inFlight: 1, waiting: 1 });
    await clock.advance(1);
    await idle;
    t.same(webhooks.counts(), { ...IDLE, dropped: 2, attempts: 1 });
    t.same(undelivered.map(({ id, reason }) => `${id} ${reason}`).sort(), ['j1 shutdown', 'j2 shutdown']);
    t.equal(clock.timers, 0);
    await settled();
    t.equal(receiver.received.length, 1);
  });
});

t.test('what is said of failures holds neither address nor secret', async (t) => {
  const closing = await startTcpReceiver(t, 'http', (socket) => socket.resetAndDestroy());
  const failing = await startReceiver(t, (response) => response.writeHead(500).end('hunter2'));
  const urls = [await deadUrl(), closing.url, failing.url];
  const said: Undelivered[] = [];
  for (const plain of urls) {
    const url = new URL(`/token-hunter2?key=hunter2`, plain);
    url.username = 'hunter2';
    url.password = 'hunter2';
    const { webhooks, undelivered, over } = webhooksTo(url, { secret: 'hunter2' });
    webhooks.deliver(START);
    await over();
    said.push(...undelivered);
  }
  t.equal(said.length, urls.length);
  t.notMatch(JSON.stringify(said), /hunter2|127\.0\.0\.1/);
});

t.test('the receiver\u2019s address', async (t) => {
  for (const text of [
    'http://example.com',
    'https://user:pa%20ss@example.com:8443/hook?a=b',
    'http://[::1]:1/',
  ]) {
    t.equal(parseWebhookUrl(text)?.href, new URL(text).href, text);
  }
  for (const text of [
    '',
    'example.com',
    '/hook',
    'ftp://example.com',
    'file:///etc',
    'http://',
    'http://a%zz@b',
  ]) {
    t.equal(parseWebhookUrl(text), undefined, JSON.stringify(text));
  }
});

t.test('without a receiver nothing happens', async (t) => {
  NO_WEBHOOKS.deliver(START);
  await NO_WEBHOOKS.drain(A_LONG_TIME);
  t.same(NO_WEBHOOKS.counts(), IDLE);
});
