import { once } from 'node:events';
import { connect } from 'node:net';
import { EventSource, type FetchLike } from 'eventsource';
import t, { type Test } from 'tap';
import { ROOT } from '../../../src/dns/name.ts';
import { DEFAULT_SETTINGS } from '../../../src/service/settings.ts';
import { settled } from '../../base/fake-clock.ts';
import { ask, converse, type Place } from '../http-client.ts';
import { eventsIn, metric, startJob, startTestService } from '../test-service.ts';

const get = (id: string, more = '') =>
  `GET /api/traverse/${id}/events HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${more}\r\n`;

/** A service with a job that runs. */
async function startWithJob(t: Test, settings = {}) {
  const started = await startTestService(t, settings);
  const id = await startJob(started.service);
  await settled();
  const [run] = started.engine.runs;
  if (run === undefined) throw new Error('the job does not run');
  return { ...started, id, run };
}

t.test('replay', async (t) => {
  const { service, engine, id, run } = await startWithJob(t);
  const early = converse(t, service);
  early.write(get(id));
  await early.until(/event: started/);
  run.exchange('192.0.2.1');
  run.exchange('192.0.2.2');
  run.emit({ event: 'progress', exchanges: 2, pending: 1, elapsedMs: 1 });
  await early.until(/event: progress/);
  run.finish();
  await early.until(/event: complete/);
  const late = converse(t, service);
  late.write(get(id));
  const resumed = converse(t, service);
  resumed.write(get(id, 'Last-Event-ID: 3\r\n'));
  await Promise.all([late.until(/event: complete/), resumed.until(/event: complete/)]);
  engine.fingerprintings[0]?.finish();
  const all = eventsIn(await early.closed);

  t.test('a reader sees every event, numbered from 1, and the end', async (t) => {
    t.same(
      all.map(([number, event]) => [number, event]),
      [
        [1, 'started'],
        [2, 'exchange'],
        [3, 'exchange'],
        [4, 'progress'],
        [5, 'complete'],
        [6, 'servers'],
      ],
    );
    t.match(all[0]?.[2], { query: { name: 'www.example.', type: 'A', class: 'IN' }, options: { rate: 20 } });
    t.match(all[1]?.[2], { id: 'x1', server: { address: '192.0.2.1' }, zone: '.', class: 'answer' });
    t.same(all[3]?.[2], { exchanges: 2, pending: 1, elapsedMs: 1 });
    t.match(all[4]?.[2], { status: 'complete', verdict: { status: 'ok' }, durationMs: 5 });
    const { text } = await ask(service, 'GET', `/api/traverse/${id}/servers`);
    t.same(all[5]?.[2], JSON.parse(text), 'the last event is the list of servers');
  });

  t.test('a late reader gets the same, and one that comes back what is new to it', async (t) => {
    t.same(eventsIn(await late.closed), all);
    t.same(eventsIn(await resumed.closed), all.slice(3));
    const path = `/api/traverse/${id}/events`;
    const after = async (last: string) => ask(service, 'GET', path, { headers: { 'Last-Event-ID': last } });
    t.same(eventsIn((await after('5')).text), all.slice(5));
    for (const strange of ['', '0', '-1', '1.5', 'x', '1e0', ' ', '1, 2', '9'.repeat(30)]) {
      t.same(eventsIn((await after(strange)).text), all, `"${strange}" was never an id of ours`);
    }
  });

  t.test('a reader that has everything is told to stay away', async (t) => {
    for (const last of ['6', '7', '999999']) {
      const headers = { 'Last-Event-ID': last };
      const answer = await ask(service, 'GET', `/api/traverse/${id}/events`, { headers });
      t.match(answer, { status: 204, text: '' });
    }
  });

  t.test('the head says what it is', async (t) => {
    const { status, headers } = await ask(service, 'GET', `/api/traverse/${id}/events`);
    t.match(
      { status, ...headers },
      {
        status: 200,
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      },
    );
  });
});

t.test('an EventSource sees each event once, also across a broken connection', async (t) => {
  const { service, engine, id, run } = await startWithJob(t);
  run.exchange('192.0.2.1');
  run.exchange('192.0.2.2');
  const asked: (string | undefined)[] = [];
  const statuses: number[] = [];
  const fetch: FetchLike = async (url, init) => {
    asked.push(init.headers['Last-Event-ID']);
    const response = await globalThis.fetch(url, init);
    statuses.push(response.status);
    return asked.length === 1 ? { ...plain(response), body: brokenAfter(response, /id: 2\n/) } : response;
  };
  const source = new EventSource(`http://127.0.0.1:${service.port}/api/traverse/${id}/events`, { fetch });
  t.teardown(() => source.close());
  const seen: (readonly [string, string])[] = [];
  for (const name of ['started', 'exchange', 'progress', 'complete', 'servers']) {
    source.addEventListener(name, ({ lastEventId }) => seen.push([lastEventId, name]));
  }
  const [third] = await once(source, 'exchange').then(() => once(source, 'exchange'));
  t.equal(third.lastEventId, '3');
  run.finish();
  await once(source, 'complete');
  engine.fingerprintings[0]?.finish();
  await once(source, 'servers');
  t.same(seen, [
    ['1', 'started'],
    ['2', 'exchange'],
    ['3', 'exchange'],
    ['4', 'complete'],
    ['5', 'servers'],
  ]);
  // After a clean end it comes back, and is told that there is nothing left.
  while (source.readyState !== EventSource.CLOSED) await once(source, 'error');
  t.same(asked, [undefined, '2', '5']);
  t.same(statuses, [200, 200, 204]);
});

/** What an EventSource looks at, but for the body. */
function plain({ url, status, redirected, headers }: Response) {
  return { url, status, redirected, headers };
}

/** A body that tells its reader to come back soon and breaks once the pattern has come. */
function brokenAfter(response: Response, pattern: RegExp): ReadableStream<Uint8Array> {
  const reader = response.body?.getReader();
  let text = '';
  return new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode('retry: 10\n\n')),
    pull: async (controller) => {
      const { value } = (await reader?.read()) ?? {};
      text += new TextDecoder().decode(value);
      const [whole = ''] = /^.*?id: 2\n.*?\n\n/s.exec(text) ?? [];
      if (!pattern.test(whole)) return;
      controller.enqueue(new TextEncoder().encode(whole));
      await reader?.cancel();
      controller.error(new Error('the connection broke'));
    },
  });
}

t.test('a comment goes out every 15 seconds', async (t) => {
  const { service, clock, id } = await startWithJob(t);
  const reader = converse(t, service);
  reader.write(get(id));
  await reader.until(/event: started/);
  await clock.advance(14_999);
  t.notMatch(await reader.until(/./), /still here/);
  await clock.advance(1);
  await reader.until(/\n\n\r\n[0-9a-f]+\r\n: still here\n\n/);
  await clock.advance(15_000);
  await reader.until(/still here.*still here/s);
  reader.end();
  while ((await metric(service, 'traversal_event_streams')) > 0) await settled();
});

t.test('a reader that stalls is dropped, and nobody waits for it', async (t) => {
  // Before the time is up that asking the servers what they are may take.
  const timeouts = { ...DEFAULT_SETTINGS.timeouts, stallMs: 10_000 };
  const { service, engine, clock, id, run } = await startWithJob(t, { timeouts });
  const stalled = connect(service.port, service.host);
  stalled.on('error', () => stalled.destroy());
  t.teardown(() => stalled.destroy());
  stalled.write(get(id));
  const quick = countingReader(await fetch(`http://127.0.0.1:${service.port}/api/traverse/${id}/events`));
  await quick.until('started');
  const failureDetail = 'x'.repeat(100_000);
  for (let count = 0; count < 300; count += 1) {
    run.emit({ ...EXCHANGE, failureDetail });
  }
  run.finish();
  await quick.until('complete');
  t.equal(await metric(service, 'traversal_event_streams_dropped_total'), 0);
  t.equal(await metric(service, 'traversal_event_streams'), 2);
  while ((await metric(service, 'traversal_event_streams_dropped_total')) === 0) await clock.advance(15_000);
  t.equal(await metric(service, 'traversal_event_streams'), 1);
  engine.fingerprintings[0]?.finish();
  t.equal(await quick.until('servers'), 303);
  // What lay in the connection still comes, and then its end: but fewer octets than the whole.
  stalled.resume();
  await once(stalled, 'close');
  t.ok(stalled.bytesRead < 300 * 100_000, `${stalled.bytesRead} octets`);
});

/** Reads events and keeps none of them. */
function countingReader({ body }: Response) {
  const reader = body?.getReader();
  let count = 0;
  let tail = '';
  /** Resolves with the number of events so far. */
  const until = async (event: string) => {
    for (;;) {
      const names = [...tail.matchAll(/^event: (.*)\n/gm)];
      count += names.length;
      tail = tail.slice(tail.lastIndexOf('\n') + 1);
      if (names.some(([, name]) => name === event)) return count;
      const { value, done } = (await reader?.read()) ?? { done: true };
      if (done) throw new Error(`the stream ended before "${event}"`);
      tail += Buffer.from(value ?? []).toString('latin1');
    }
  };
  return { until };
}

const EXCHANGE = {
  event: 'exchange',
  id: 'x1',
  server: { address: '192.0.2.1', names: [] },
  question: { name: ROOT, type: 'A' },
  transport: 'udp',
  attempts: 1,
  elapsedMs: 1,
  failure: 'timeout',
  zone: ROOT,
  class: 'timeout',
} as const;

t.test('the streams of one client are limited', async (t) => {
  const { service, id } = await startWithJob(t, { maxStreamsPerClient: 2 });
  const from = (client: string) => `X-Forwarded-For: ${client}\r\n`;
  const open = async (place: Place, client: string) => {
    const stream = converse(t, place);
    stream.write(get(id, client));
    await stream.until(/event: started|\}$/);
    return stream;
  };
  const [first] = [await open(service, from('192.0.2.1')), await open(service, from('192.0.2.1'))];
  const third = await open(service, from('192.0.2.1'));
  t.match(await third.closed, /^HTTP\/1\.1 503 .*application\/problem\+json\r\nRetry-After: 5\r\n/s);
  t.match(await (await open(service, from('192.0.2.2'))).until(/./), /^HTTP\/1\.1 200 /);
  for (let count = 0; count < 3; count += 1) {
    t.match(await (await open(service, '')).until(/./), /^HTTP\/1\.1 200 /, 'this host itself may');
  }
  first.end();
  while ((await metric(service, 'traversal_event_streams')) > 5) await settled();
  t.match(
    await (await open(service, from('192.0.2.1'))).until(/./),
    /^HTTP\/1\.1 200 /,
    'a place is free again',
  );
});
