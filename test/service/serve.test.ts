import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EventSource } from 'eventsource';
import t, { type Test } from 'tap';
import { summaryOf } from '../../src/document/ends.ts';
import { inside } from '../cli/inside.ts';
import { startReceiver } from './http/webhook-receivers.ts';
import { ask, converse, type Place, start } from './http-client.ts';
import { type Spawned, startServe } from './spawned.ts';
import { eventsIn, HELD_NAME, metric, startHeldService, startJob } from './test-service.ts';

// While one process starts, others wait.
t.jobs = 3;

/** All events of a job, to the end. */
async function eventsOf(place: Place, id: string) {
  return eventsIn((await ask(place, 'GET', `/api/traverse/${id}/events`)).text);
}

async function read(place: Place, id: string, rest = '?full') {
  return JSON.parse((await ask(place, 'GET', `/api/traverse/${id}${rest}`)).text);
}

/** Sends a number of empty requests of one client, and gives their replies. */
async function exhaust(place: Place, count: number, headers: Record<string, string>) {
  const answers = [];
  for (let made = 0; made < count; made += 1) answers.push(await start(place, {}, headers));
  return answers;
}

t.test('one service on the demo', async (t) => {
  const receiver = await startReceiver(t, (response) => response.writeHead(204).end());
  const secret = 'sësame';
  const env = {
    SERVICE_RATE_LIMIT: ' 5 / 1h30m ',
    SERVICE_WEBHOOK_URL: new URL('/hook?key=k3y', receiver.url).href,
    SERVICE_WEBHOOK_SECRET: secret,
    EDGE_REGION: 'fra',
  };
  const flags = ['--demo', '--trusted-hops', '2', '--max-queries', '400', '--timeout', '60s'];
  const service = await startServe(t, flags, env);

  await t.test('says in one line where it listens and what holds', async (t) => {
    t.match(service.entries(), [
      {
        level: 'info',
        message: 'listening',
        url: `http://127.0.0.1:${service.port}`,
        limit: '5 requests per 1h30m0s',
        region: 'fra',
        webhooks: 'on',
        version: /^\d+\.\d+\.\d+/,
      },
    ]);
    t.equal(service.lines.length, 1);
  });

  await t.test('a job from its start to its list of servers, as an EventSource sees it', async (t) => {
    const id = await startJob(service, { name: 'www.mixed.example', options: { timeoutMs: 300 } });
    const source = new EventSource(`${service.url}/api/traverse/${id}/events`);
    t.teardown(() => source.close());
    const seen: (readonly [number, string])[] = [];
    for (const name of ['started', 'exchange', 'progress', 'complete', 'servers']) {
      source.addEventListener(name, ({ lastEventId }) => seen.push([Number(lastEventId), name]));
    }
    const [complete] = await once(source, 'complete');
    t.match(JSON.parse(complete.data), { status: 'complete', durationMs: Number });
    const [servers] = await once(source, 'servers');
    source.close();
    t.same(
      seen.map(([number]) => number),
      seen.map((_, index) => index + 1),
    );
    t.equal(seen[0]?.[1], 'started');
    t.same(
      seen.slice(-2).map(([, name]) => name),
      ['complete', 'servers'],
    );
    const job = await read(service, id);
    t.match(job, { id, status: 'complete', query: { name: 'www.mixed.example.', type: 'A', class: 'IN' } });
    t.equal(job.progress.exchanges, seen.filter(([, name]) => name === 'exchange').length);
    t.match(summaryOf(job.result.views['first-tries']), [
      { fraction: '3/4', kind: 'answer', answer: ['198.51.100.110'] },
      { fraction: '1/8', kind: 'answer', answer: ['192.0.2.110'] },
      { fraction: '1/8', kind: 'timeout' },
    ]);
    t.same(JSON.parse(complete.data).verdict, job.result.verdict);
    const list = await read(service, id, '/servers');
    t.same(JSON.parse(servers.data), list);
    const asked = new Set(job.result.exchanges.map((exchange: unknown) => addressIn(exchange)));
    t.same(new Set(list.servers.map(({ address }: { address: string }) => address)), asked);
    for (const server of list.servers) {
      t.match(server, { address: String, names: [/\.$/], zones: [/\.$/], versionBind: { status: String } });
    }
    const { software } = list.servers.find((one: { software?: object }) => one.software !== undefined);
    t.match(software, { product: String });
  });

  await t.test('webhooks tell of the start and the end, signed', async (t) => {
    await receiver.until(2);
    const bodies = receiver.received.map(({ body }) => JSON.parse(body));
    const common = { name: 'www.mixed.example.', type: 'A', client: '127.0.0.1', region: 'fra' };
    t.match(bodies, [
      { event: 'start', ...common },
      { event: 'complete', ...common, status: 'complete', durationMs: Number, exchanges: Number },
    ]);
    t.equal(bodies[0].id, bodies[1].id);
    t.match(bodies[1].verdict, { text: String, severity: 'error', exitStatus: 1 });
    for (const { method, path, headers, body } of receiver.received) {
      t.same([method, path, headers['content-type']], ['POST', '/hook?key=k3y', 'application/json']);
      const hmac = createHmac('sha256', secret).update(body).digest('hex');
      t.equal(headers['webhook-signature'], `sha256=${hmac}`);
    }
  });

  await t.test('a client over its limit is refused, the others are not', async (t) => {
    const headers = { 'X-Forwarded-For': '192.0.2.1, 192.0.2.2, 192.0.2.3' };
    const answers = await exhaust(service, 6, headers);
    t.same(
      answers.map(({ status }) => status),
      [400, 400, 400, 400, 400, 429],
    );
    // There is one more each 18 minutes, of which some have passed by now.
    t.match(answers[5], { headers: { 'content-type': /^text\/plain/, 'retry-after': /^(?:9|10)\d\d$/ } });
    t.match(answers[5]?.text, /^[^\n]*\b5 requests per 1h30m0s\b[^\n]*\n$/);
    const other = { 'X-Forwarded-For': '192.0.2.2, 192.0.2.1, 192.0.2.3' };
    t.equal((await start(service, {}, other)).status, 400);
    for (const again of await exhaust(service, 10, {})) t.equal(again.status, 400, 'from this host itself');
  });

  await t.test('a request may ask for less than the operator allows, not for more', async (t) => {
    const more = await start(service, { name: 'www.shop.example', options: { maxQueries: 401 } });
    t.match(JSON.parse(more.text), { status: 400, errors: [{ pointer: '/options/maxQueries' }] });
    const id = await startJob(service, {
      name: 'www.shop.example',
      options: { maxQueries: 3, families: [4] },
    });
    await eventsOf(service, id);
    const { result } = await read(service, id);
    t.match(result, { complete: false, ending: 'query-limit', options: { maxQueries: 3, families: [4] } });
    t.equal(result.figures.exchanges, 3);
  });

  await t.test('cancelling a job that waits for a silent server', async (t) => {
    const id = await startJob(service, { name: 'www.dead.example' });
    const reader = converse(t, service);
    reader.write(`GET /api/traverse/${id}/events HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    await reader.until(/event: exchange/);
    t.equal((await ask(service, 'DELETE', `/api/traverse/${id}`)).status, 204);
    const job = await read(service, id);
    t.match(job, { status: 'cancelled', result: { ending: 'cancelled', complete: false } });
    const text = await reader.until(/event: servers/);
    t.match(eventsIn(text).at(-2), [Number, 'complete', { status: 'cancelled' }]);
    t.equal((await ask(service, 'DELETE', `/api/traverse/${id}`)).status, 204);
    await receiver.until(6);
    t.match(JSON.parse(receiver.received.at(-1)?.body ?? ''), { event: 'complete', id, status: 'cancelled' });
  });

  await t.test('what a name holds comes out escaped, and the log keeps to its lines', async (t) => {
    const id = await startJob(service, { name: 'a\\010\\009\\255<b>.shop.example', type: 'TXT' });
    await eventsOf(service, id);
    const { query } = await read(service, id);
    t.equal(query.name, 'a\\010\\009\\255<b>.shop.example.');
    const strange = { 'X-Forwarded-For': 'x\t<script>\u00ff', 'User-Agent': '\u00ff' };
    await start(service, { name: 'www.shop.example' }, strange);
    await ask(service, 'GET', '/%0a%ff');
    for (const line of service.lines) {
      t.match(line, /^[ -~]+$/);
      t.match(JSON.parse(line), { time: /^\d{4}-.*Z$/, level: /^(info|warning|error)$/, message: String });
    }
    t.match(
      service.entries().find(({ job }) => job === id),
      { message: 'job started', name: query.name },
    );
  });

  await t.test('neither secret nor client is in the log', async (t) => {
    t.notMatch(service.lines.join('\n'), /same|k3y|192\.0\.2\.[123]\b|script/);
    const { text } = await ask(service, 'GET', '/metrics');
    t.notMatch(text, /k3y|192\.0\.2\.|127\.0\.0\.1/);
  });

  await t.test('the metrics are those of Prometheus', async (t) => {
    const { headers, text } = await ask(service, 'GET', '/metrics');
    t.match(headers['content-type'], 'text/plain; version=0.0.4');
    const LINE =
      /^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[a-z_]+="[^"\n]*"(,[a-z_]+="[^"\n]*")*\})? [-+.e\d]+)$/;
    for (const line of text.trimEnd().split('\n')) t.match(line, LINE);
    const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
    t.equal(new Set(names).size, names.length);
    t.ok((await metric(service, 'traversal_exchanges_total{outcome="NOERROR"}')) > 0);
    t.equal(await metric(service, 'traversal_jobs_ended_total{status="cancelled"}'), 1);
    t.equal(await metric(service, 'traversal_webhooks_total{outcome="failed"}'), 0);
  });
});

t.test('who is who', async (t) => {
  const env = { SERVICE_RATE_LIMIT: '1/1h' };
  const listen = ['--listen', '0.0.0.0:0'];
  const from = (client: string) => ({ 'X-Forwarded-For': client });
  const statuses = async (place: Place, all: readonly Record<string, string>[]) => {
    const answers = [];
    for (const headers of all) answers.push((await start(place, {}, headers)).status);
    return answers;
  };

  await t.test('everybody is believed by default, which is said beyond loopback', async (t) => {
    const { port, entries } = await startServe(t, ['--demo', ...listen], env);
    t.match(entries()[0], { level: 'warning', message: /--trust-proxy/ });
    const place = { host: '127.0.0.1', port };
    t.same(await statuses(place, [from('192.0.2.1'), from('192.0.2.2'), {}, {}]), [400, 400, 400, 400]);
    t.same(await statuses(place, [from('2001:db8::1'), from('2001:db8::2')]), [400, 400], 'each address');
  });

  await t.test('nobody is believed with --trust-proxy none, but such a request is not exempt', async (t) => {
    const { port, entries } = await startServe(t, ['--demo', ...listen, '--trust-proxy', 'none'], env);
    t.equal(entries().length, 1);
    const place = { host: '127.0.0.1', port };
    t.same(await statuses(place, [from('192.0.2.1'), from('192.0.2.2'), {}, {}]), [400, 429, 400, 400]);
  });

  await t.test('a /64 is one client with --client-prefix6 64', async (t) => {
    const trusted = ['--trust-proxy', '10.0.0.0/8', '127.0.0.1', '--trust-proxy', '::1'];
    const service = await startServe(t, ['--demo', ...trusted, '--client-prefix6', '64'], env);
    t.same(
      await statuses(service, [from('2001:db8::1'), from('2001:db8::ffff:2'), from('2001:db8:0:1::1')]),
      [400, 429, 400],
    );
  });

  await t.test('only requests for a --host-name are answered once there is one', async (t) => {
    const names = ['--host-name', 'DNS.example.com.', '--host-name', 'dns2.example.com'];
    const service = await startServe(t, ['--demo', ...names]);
    for (const [Host, expected] of [
      ['dns.example.com', 200],
      ['dns2.example.com:443', 200],
      ['localhost', 200],
      ['attacker.example', 421],
    ] as const) {
      for (const headers of [{ Host }, { Host, ...from('192.0.2.1') }]) {
        t.equal((await ask(service, 'GET', '/api/health', { headers })).status, expected, Host);
      }
    }
  });

  await t.test('what they do not take', async (t) => {
    for (const [words, message] of [
      [['--trust-proxy', '10.0.0.0/33'], /--trust-proxy 10\.0\.0\.0\/33: must be a prefix/],
      [['--trust-proxy', 'none', '10.0.0.0/8'], /none: leave out/],
      [['--host-name', 'a.example:80'], /--host-name a\.example:80: must be a host name/],
      [['--host-name', ''], /--host-name : must be/],
      [['--client-prefix6', '31'], /32 to 128/],
    ] as const) {
      const { status, stderr } = await inside(['serve', ...words]);
      t.equal(status, 2);
      t.match(stderr, message);
    }
  });
});

t.test(
  'what is wrong in the environment is told, the default holds, and SIGHUP reloads nothing',
  async (t) => {
    const env = { SERVICE_RATE_LIMIT: 'bogus', SERVICE_WEBHOOK_URL: 'nowhere', EDGE_REGION: '' };
    const service = await startServe(t, ['--demo', '--quick'], env);
    t.match(service.entries(), [
      { level: 'warning', message: /SERVICE_RATE_LIMIT .*default/ },
      { level: 'warning', message: /SERVICE_WEBHOOK_URL .*off/ },
      { message: 'listening', limit: '30 requests per 1h0m0s', webhooks: 'off', region: 'none' },
    ]);
    const answers = await exhaust(service, 31, { 'Edge-Client-IP': '192.0.2.1' });
    t.same(new Set(answers.slice(0, 30).map(({ status }) => status)), new Set([400]));
    t.match(answers[30], {
      status: 429,
      text: /30 requests per 1h0m0s/,
      headers: { 'retry-after': /^(?:1[012]\d|[5-9]\d)$/ },
    });
    t.equal(JSON.parse((await ask(service, 'GET', '/api/health')).text).region, null);

    service.kill('SIGHUP');
    const told = () => service.entries().find(({ message }) => /^reload ignored/.test(`${message}`));
    while (told() === undefined) await new Promise((resolve) => setTimeout(resolve, 10));
    t.match(told(), { level: 'info', message: 'reload ignored: no deny list' });
    t.match(await read(service, await startJob(service, { name: 'www.shop.example' })), { id: String });
    service.kill('SIGTERM');
    t.same(await service.exit, { code: 0, signal: null });
  },
);

t.test('targets', async (t) => {
  t.test('of special purpose are sent nothing', async (t) => {
    const hints = join(t.testdir({}), 'root.hints');
    writeFileSync(hints, '. 3600 IN NS a.root.\na.root. 3600 IN A 127.0.0.1\n');
    const service = await startServe(t, ['--root-hints', hints, '-4']);
    const id = await startJob(service, { name: 'www.shop.example' });
    const events = await eventsOf(service, id);
    t.same(
      events.map(([, event]) => event),
      ['started', 'complete', 'servers'],
    );
    const { result } = await read(service, id);
    t.match(result.views['first-tries'].outcomes, [
      { kind: 'blocked', reason: 'special-purpose', server: { address: '127.0.0.1' }, fraction: '1' },
    ]);
    t.same(result.unasked, [], 'nothing is listed of what an address says of itself');
    t.match(result.figures, { exchanges: 0, packetsSent: 0 });
    t.same(await read(service, id, '/servers'), { status: 'ready', servers: [], findings: [] });
  });

  t.test('get only the queries per second that --rate allows, from all jobs together', async (t) => {
    const service = await startServe(t, ['--demo', '--quick', '-4', '--rate', '4']);
    const began = performance.now();
    const ids = await Promise.all([1, 2, 3].map(() => startJob(service, { name: 'www.shop.example' })));
    const all = await Promise.all(ids.map((id) => eventsOf(service, id)));
    const elapsedMs = performance.now() - began;
    const counts = new Map<string, number>();
    const count = (address: string, by: number) => counts.set(address, (counts.get(address) ?? 0) + by);
    for (const [, event, data] of all.flat()) {
      if (event === 'exchange') count(addressIn(data), attemptsIn(data));
    }
    // Each server is then asked four things about itself, once for all jobs.
    for (const address of counts.keys()) count(address, 4);
    const most = Math.max(...counts.values());
    t.ok(most > 4);
    t.ok(elapsedMs >= 1_000 * Math.floor((most - 1) / 4), `${most} queries in ${elapsedMs} ms`);
  });
});

function addressIn(data: unknown): string {
  return JSON.parse(JSON.stringify(data)).server.address;
}

function attemptsIn(data: unknown): number {
  return JSON.parse(JSON.stringify(data)).attempts;
}

t.test('a receiver that is dead or hangs delays no job', async (t) => {
  const receiver = await startReceiver(t, () => {});
  const env = { SERVICE_WEBHOOK_URL: receiver.url.href };
  const service = await startServe(t, ['--demo', '--quick', '--max-jobs', '1'], env);
  const ids = [];
  for (let count = 0; count < 3; count += 1) ids.push(await startJob(service, { name: 'www.shop.example' }));
  for (const id of ids) t.equal((await eventsOf(service, id)).at(-2)?.[1], 'complete');
  t.equal(await metric(service, 'traversal_webhooks_pending'), 6);
  t.equal(await metric(service, 'traversal_webhooks_total{outcome="delivered"}'), 0);
});

t.test('the end', async (t) => {
  /** A job that waits for a server that is not to reply before it is released. */
  const running = async (t: Test, service: Spawned) => {
    const id = await startJob(service, { name: HELD_NAME });
    const reader = converse(t, service);
    reader.write(`GET /api/traverse/${id}/events HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    await reader.until(/event: exchange/);
    return { id, reader };
  };

  const shuttingDown = async (service: Spawned) => {
    while (service.entries().at(-1)?.message !== 'shutting down')
      await new Promise((resolve) => setImmediate(resolve));
  };

  await t.test('SIGTERM lets jobs end, delivers their webhooks and closes streams', async (t) => {
    const receiver = await startReceiver(t, (response) => response.writeHead(204).end());
    const { service, held } = await startHeldService(t, [], { SERVICE_WEBHOOK_URL: receiver.url.href });
    const { id, reader } = await running(t, service);
    service.kill('SIGTERM');
    await shuttingDown(service);
    held.release();
    const events = eventsIn(await reader.closed);
    t.match(events.slice(-2), [
      [Number, 'complete', { status: 'complete' }],
      [Number, 'servers', { status: 'ready' }],
    ]);
    t.same(await service.exit, { code: 0, signal: null });
    t.match(JSON.parse(receiver.received.at(-1)?.body ?? ''), { event: 'complete', id, status: 'complete' });
    t.match(service.entries().slice(-3), [
      { message: 'shutting down', signal: 'SIGTERM', graceMs: 30_000 },
      { message: 'job ended', job: id, status: 'complete' },
      { message: 'stopped' },
    ]);
  });

  await t.test('what goes on past the grace is cancelled', async (t) => {
    const { service } = await startHeldService(t, ['--grace', '0s']);
    const { id, reader } = await running(t, service);
    service.kill('SIGINT');
    t.match(eventsIn(await reader.closed).at(-1), [Number, 'complete', { status: 'cancelled' }]);
    t.same(await service.exit, { code: 0, signal: null });
    t.match(
      service.entries().find(({ message }) => message === 'job ended'),
      { job: id, status: 'cancelled' },
    );
  });

  await t.test('after a death the next start names the jobs that were running', async (t) => {
    // A folder of tap's would be removed before the service is stopped, which writes into it until then.
    const folder = mkdtempSync(join(tmpdir(), 'died-'));
    t.teardown(() => rmSync(folder, { recursive: true, force: true }));
    const { service, restart } = await startHeldService(t, ['--state', folder, '--max-jobs', '1']);
    const { id } = await running(t, service);
    // This one waits.
    await startJob(service, { name: HELD_NAME });
    service.kill('SIGKILL');
    await service.exit;
    const next = await restart();
    const died = next.entries().filter(({ message }) => message === 'job was running when the service died');
    t.match(died, [{ level: 'warning', job: id, name: 'www.held.test.', type: 'A', attempts: 1 }]);
    t.equal(died.length, 1);
    next.kill('SIGKILL');
    await next.exit;
  });

  await t.test('a second signal ends it at once', async (t) => {
    const { service } = await startHeldService(t);
    const { reader } = await running(t, service);
    service.kill('SIGTERM');
    await shuttingDown(service);
    service.kill('SIGTERM');
    t.same(await service.exit, { code: null, signal: 'SIGTERM' });
    t.notMatch(await reader.closed, /event: complete/);
  });
});

t.test('the command line', async (t) => {
  t.test('a port in use is one line and status 3', async (t) => {
    const { port, url } = await startServe(t, ['--demo', '--listen', '0']);
    // A port alone is one on loopback.
    t.equal(url, `http://127.0.0.1:${port}`);
    for (const listen of [`127.0.0.1:${port}`, `${port}`]) {
      const { status, stdout, stderr } = await inside(['serve', '--demo', '--listen', listen]);
      t.same([status, stdout], [3, '']);
      t.equal(stderr, `svc: cannot listen on 127.0.0.1:${port}: the port is in use\n`);
    }
  });

  t.test('so is an address that is not ours, or none at all', async (t) => {
    for (const listen of ['192.0.2.1:0', '[2001:db8::1]:0']) {
      const { status, stderr } = await inside(['serve', '--demo', '--listen', listen]);
      t.equal(status, 3);
      t.equal(stderr, `svc: cannot listen on ${listen}: this host does not have that address\n`);
    }
  });

  t.test('it listens on IPv6 too', async (t) => {
    const service = await startServe(t, ['--demo', '--listen', '[::1]:0']);
    t.equal(service.url, `http://[::1]:${service.port}`);
    t.equal((await ask(service, 'GET', '/api/health')).status, 200);
    const answers = await exhaust(service, 31, {});
    t.ok(
      answers.every(({ status }) => status === 400),
      '::1 is exempt',
    );
  });

  t.test('wrong usage is one line and status 2', async (t) => {
    const WRONG = [
      ['--listen', 'nonsense'],
      ['--max-jobs', '0'],
      ['--retain', '60'],
      ['--host', 'x'],
      ['surplus'],
      ['--history', '48h'],
      ['--history-gib', '3'],
      ['--retain', '1h', '--store', 'postgres://svc@localhost/svc'],
      ['--state', '/nowhere', '--store', 'postgres://svc@localhost/svc'],
    ];
    for (const args of WRONG) {
      const { status, stdout, stderr } = await inside(['serve', ...args]);
      t.same([status, stdout], [2, '']);
      t.match(stderr, /^svc: [^\n]+\n$/);
    }
  });
});

t.test('whom a deny list names is left alone, from SIGHUP on by its new text', async (t) => {
  const list = join(t.testdir({}), 'deny.txt');
  writeFileSync(list, '# nobody yet\n');
  const service = await startServe(t, ['--demo', '--quick', '--deny', list, '-4']);
  const traverse = async () => {
    const id = await startJob(service, { name: 'www.stale.example' });
    await eventsOf(service, id);
    return { id, ...(await read(service, id)) };
  };
  const summary = async () => {
    const { result } = await traverse();
    return summaryOf(result.views['first-tries']).map(({ kind, fraction }) => `${fraction} ${kind}`);
  };
  /** Resolves when the log has one more entry. */
  const reload = async (text: string) => {
    const before = service.lines.length;
    writeFileSync(list, text);
    service.kill('SIGHUP');
    for (;;) {
      const entry = service
        .entries()
        .slice(before)
        .find(({ message }) => /^deny list/.test(`${message}`));
      if (entry !== undefined) return entry;
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  t.same(await summary(), ['1/2 answer', '1/2 answer']);
  t.match(await reload('stale.example\n'), { level: 'info', prefixes: 0, names: 1 });
  t.same(await summary(), ['1 blocked']);
  t.match(await reload('stale.example\n192.0.2.0/99\n'), {
    level: 'warn',
    message: 'deny list not reloaded; the previous list stays in effect',
    error: /deny list .*deny\.txt: line 2: 192\.0\.2\.0\/99 is neither a prefix/,
  });
  t.same(await summary(), ['1 blocked']);
  t.match(await reload('0.0.0.0/0\n'), { level: 'info', prefixes: 1 });
  t.same(await summary(), ['1 blocked']);
  // The demo's servers have special-purpose addresses, which is not why these were not asked.
  const { id, result } = await traverse();
  t.match(result.views['first-tries'].outcomes[0], { kind: 'blocked', reason: 'denied' });
  t.match(result.unasked[0], { kind: 'blocked', reason: 'denied' });
  t.match(result.findings.at(-1), {
    code: 'UNEXPLORED',
    message: /\(blocked\)\.$/,
    advice: /^Ask from elsewhere/,
  });
  const { text } = await ask(service, 'GET', `/api/traverse/${id}?format=text`);
  t.match(text, /blocked: not asked, on the deny list/);
  t.notMatch(text, /special-purpose/);
  t.match(await reload(''), { level: 'info', prefixes: 0, names: 0 });
  t.same(await summary(), ['1/2 answer', '1/2 answer']);
});

t.test('a deny list that is no good ends it at once, with status 3', async (t) => {
  const dir = t.testdir({ 'deny.txt': 'example.com\n10/8\n' });
  for (const [file, reason] of [
    [
      'deny.txt',
      /^svc: deny list .*: line 2: 10\/8 is neither a prefix, such as 192\.0\.2\.0\/24, nor a name\n$/,
    ],
    ['missing.txt', /^svc: cannot read .*missing\.txt: /],
  ] as const) {
    const { status, stderr } = await inside(['serve', '--listen', '0', '--demo', '--deny', join(dir, file)]);
    t.equal(status, 3);
    t.match(stderr, reason);
  }
});

t.test('a job sends no more packets than it may', async (t) => {
  const service = await startServe(t, ['--demo', '--quick', '--max-packets', '12']);
  const id = await startJob(service, { name: 'www.shop.example' });
  await eventsOf(service, id);
  const { result } = await read(service, id);
  t.match(result, { complete: false, ending: 'query-limit', options: { maxPackets: 12 } });
  t.match(result.unasked[0], { kind: 'query-limit', limit: 12, unit: 'packets' });
  t.ok(result.figures.packetsSent <= 12);
});
