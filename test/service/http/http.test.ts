import t, { type Test } from 'tap';
import type { Issue } from '../../../src/base/shape.ts';
import { DEFAULT_OPTIONS } from '../../../src/document/options.ts';
import { parseRateLimit } from '../../../src/service/rate-limit.ts';
import { settled } from '../../base/fake-clock.ts';
import { type Answer, type Asked, ask, converse, start } from '../http-client.ts';
import { metric, startJob, startTestService } from '../test-service.ts';

/** Says that a reply is a problem document of this status, and gives it. */
function problem(t: Test, { status, headers, text }: Answer, expected: number) {
  t.equal(status, expected);
  t.equal(headers['content-type'], 'application/problem+json');
  const document = JSON.parse(text);
  t.match(document, { type: 'about:blank', title: String, status: expected, detail: String });
  t.notMatch(text, /[<>&]|[^ -~]/, 'nothing in it passes for markup');
  return document;
}

t.test('paths and methods', async (t) => {
  const { service } = await startTestService(t, { region: 'fra' });
  const id = await startJob(service);
  await settled();
  const self = `/api/traverse/${id}`;

  t.test('each path takes its methods and no other', async (t) => {
    const RESOURCES = [
      ['/api/traverse', 'POST, OPTIONS'],
      [self, 'GET, HEAD, DELETE, OPTIONS'],
      [`${self}/servers`, 'GET, HEAD, OPTIONS'],
      [`${self}/events`, 'GET, HEAD, OPTIONS'],
      ['/api/health', 'GET, HEAD, OPTIONS'],
      ['/api/openapi.json', 'GET, HEAD, OPTIONS'],
      ['/metrics', 'GET, HEAD, OPTIONS'],
    ] as const;
    for (const [path, allow] of RESOURCES) {
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE']) {
        if (allow.includes(method)) continue;
        const answer = await ask(service, method, path);
        t.equal(answer.headers.allow, allow, `${method} ${path}`);
        if (method !== 'HEAD') problem(t, answer, 405);
        else t.match(answer, { status: 405, text: '' });
      }
      t.match(await ask(service, 'OPTIONS', path), { status: 204, headers: { allow }, text: '' });
    }
  });

  t.test('HEAD says what GET would, without the body', async (t) => {
    for (const path of [self, `${self}/servers`, '/api/health', '/api/openapi.json', `${self}/events`]) {
      const head = await ask(service, 'HEAD', path);
      t.equal(head.text, '');
      t.equal(head.status, path.endsWith('/servers') ? 202 : 200);
      if (path.endsWith('/events')) {
        t.equal(head.headers['content-type'], 'text/event-stream');
        continue;
      }
      const get = await ask(service, 'GET', path);
      const same = ({ headers: { date, ...others } }: Answer) => others;
      if (path !== '/api/health') t.same(same(head), same(get), path);
    }
  });

  t.test('what is not there is 404, and nothing of it comes back', async (t) => {
    const script = '<script>alert(1)</script>';
    for (const path of ['/', '/api', '/api/traversal', `/${script}`, '//api/health', `${self}/nothing`]) {
      const { detail } = problem(t, await ask(service, 'GET', path), 404);
      t.match(
        detail,
        /^Nothing exists at this path\. The service has \/api\/traverse, .* and \/api\/openapi\.json\.$/,
      );
    }
    for (const id of [
      '00000000-0000-4000-8000-000000000000',
      'q7',
      '..%2fhealth',
      encodeURIComponent(script),
    ]) {
      for (const rest of ['', '/servers', '/events']) {
        const { detail } = problem(t, await ask(service, 'GET', `/api/traverse/${id}${rest}`), 404);
        t.notMatch(detail, id);
      }
      problem(t, await ask(service, 'DELETE', `/api/traverse/${id}`), 404);
    }
  });

  t.test('a path may be written in more than one way', async (t) => {
    for (const path of [
      '/api/health/',
      '/api/health?x=1#y',
      '/%61pi/h%65alth',
      'http://localhost/api/health',
    ]) {
      t.match(await ask(service, 'GET', path), { status: 200 }, path);
    }
    problem(t, await ask(service, 'GET', '/api/health%zz'), 400);
    t.match(await ask(service, 'OPTIONS', '*'), { status: 204, headers: { allow: /DELETE/ } });
    problem(t, await ask(service, 'GET', '*'), 405);
  });

  t.test('health', async (t) => {
    const { status, text } = await ask(service, 'GET', '/api/health');
    t.equal(status, 200);
    t.same(JSON.parse(text), {
      status: 'ok',
      store: 'memory',
      region: 'fra',
      version: '1.2.3',
      uptimeMs: 0,
      jobs: { queued: 0, running: 1, retained: 0 },
    });
  });

  t.test('nothing is cached or guessed at, and pages elsewhere may read but not act', async (t) => {
    const { headers } = await ask(service, 'GET', '/api/health');
    t.match(headers, { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    t.equal(headers['access-control-allow-origin'], '*');
    const preflight = await ask(service, 'OPTIONS', '/api/traverse', {
      headers: { Origin: 'http://elsewhere.example', 'Access-Control-Request-Method': 'POST' },
    });
    t.equal(preflight.headers['access-control-allow-methods'], 'GET, HEAD');
    const body = '{"name":"www.example"}';
    const page = { Origin: 'http://elsewhere.example', 'Content-Type': 'application/json' };
    problem(t, await ask(service, 'POST', '/api/traverse', { headers: page, body }), 403);
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    t.equal(
      (await ask(service, 'POST', '/api/traverse', { headers: form, body })).status,
      202,
      'as curl -d sends it',
    );
  });
});

t.test('the request to traverse', async (t) => {
  const options = { ...DEFAULT_OPTIONS, families: [4] as const, maxQueries: 100 };
  const { service, engine } = await startTestService(t, { options, maxJobs: 100 });
  const post = (asked: Asked) => ask(service, 'POST', '/api/traverse', asked);

  t.test('is answered with where the job is', async (t) => {
    const { status, headers, text } = await start(service, { name: 'WWW.Example' });
    t.equal(status, 202);
    const { id, cancel, ...more } = JSON.parse(text);
    t.type(cancel, 'string');
    const self = `/api/traverse/${id}`;
    t.equal(headers.location, self);
    t.same(more, { status: 'queued', links: { self, events: `${self}/events`, servers: `${self}/servers` } });
    await settled();
    t.match(engine.runs.at(-1)?.request, { question: { name: 'www.example.', type: 'A' }, options });
  });

  t.test('may name a type, lower the budgets and choose how to ask', async (t) => {
    const lower = { maxDepth: 0, maxQueries: 1, maxTimeMs: 1, maxWork: 1, timeoutMs: 10, retries: 0 };
    const how = { payloadSize: 512, edns: 'off', nameCase: 'lower', transport: 'tcp', families: [4] };
    await start(service, { name: 'xn--bcher-kva.example.', type: 'mx', options: { ...lower, ...how } });
    await settled();
    t.match(engine.runs.at(-1)?.request, {
      question: { name: 'xn--bcher-kva.example.', type: 'MX' },
      options: { ...lower, ...how, rate: options.rate, port: 53, specialTargets: 'blocked' },
    });
    await start(service, { name: 'bücher.example', type: 'TYPE65280' });
    await settled();
    t.match(engine.runs.at(-1)?.request.question, { name: 'xn--bcher-kva.example.', type: 'TYPE65280' });
  });

  t.test('is refused with what is wrong and where', async (t) => {
    const WRONG: readonly (readonly [body: string | Buffer, pointer: string, detail: RegExp])[] = [
      ['', '', /not JSON/],
      ['{', '', /not JSON/],
      ['{"name":"a"}{}', '', /not JSON/],
      [Buffer.from('{"name":"\xff"}', 'latin1'), '', /not UTF-8/],
      ['null', '', /object/],
      ['[]', '', /object/],
      ['"www.example"', '', /object/],
      ['{}', '/name', /missing/],
      ['{"name":null}', '/name', /./],
      ['{"name":1}', '/name', /./],
      ['{"name":""}', '/name', /./],
      ['{"name":"a..b"}', '/name', /^is not a domain name: a label is empty/],
      ['{"name":"a b.example"}', '/name', /^is not a domain name: a label contains a blank, .* as \\032$/],
      [`{"name":"${'a'.repeat(64)}"}`, '/name', /./],
      [`{"name":"${'a.'.repeat(2_000)}"}`, '/name', /too long/],
      ['{"name":"192.0.2.1"}', '/name', /^is an address: .* look up PTR of 1\.2\.0\.192\.in-addr\.arpa$/],
      [
        '{"name":"https://www.shop.example/"}',
        '/name',
        /^is a URL: write its host name, www\.shop\.example$/,
      ],
      ['{"name":"www.shop.example:443"}', '/name', /^has a port: write the host name, www\.shop\.example$/],
      ['{"name":"someone@shop.example"}', '/name', /^is an e-mail address: write its domain, shop\.example /],
      ['{"name":"shop.example@"}', '/name', /^has nothing after the @: leave the @ out /],
      ['{"name":"<someone@shop.example>"}', '/name', /^is an e-mail address: /],
      [
        '{"name":"0f8fad5b-d9cb-469f-a165-70867728950e"}',
        '/name',
        /^is the identifier of a job, not a name$/,
      ],
      ['{"name":"a","type":"NOPE"}', '/type', /type/],
      ['{"name":"a","type":"OPT"}', '/type', /type/],
      ['{"name":"a","type":7}', '/type', /./],
      ['{"name":"a","nmae":"b"}', '/nmae', /unknown/],
      ['{"name":"a","options":{"maxQuerys":1}}', '/options/maxQuerys', /unknown/],
      ['{"name":"a","options":{"a/b~c":1}}', '/options/a~1b~0c', /unknown/],
      ['{"name":"a","options":{"specialTargets":"allowed"}}', '/options/specialTargets', /unknown/],
      ['{"name":"a","options":{"rate":0}}', '/options/rate', /unknown/],
      ['{"name":"a","options":{"port":5353}}', '/options/port', /unknown/],
      ['{"name":"a","options":[]}', '/options', /object/],
      ['{"name":"a","options":{"maxQueries":101}}', '/options/maxQueries', /100/],
      ['{"name":"a","options":{"maxQueries":0}}', '/options/maxQueries', /./],
      ['{"name":"a","options":{"maxQueries":1.5}}', '/options/maxQueries', /./],
      ['{"name":"a","options":{"maxQueries":"1"}}', '/options/maxQueries', /./],
      ['{"name":"a","options":{"maxDepth":31}}', '/options/maxDepth', /30/],
      ['{"name":"a","options":{"maxTimeMs":120001}}', '/options/maxTimeMs', /120000/],
      ['{"name":"a","options":{"maxWork":1e9}}', '/options/maxWork', /./],
      ['{"name":"a","options":{"timeoutMs":2001}}', '/options/timeoutMs', /2000/],
      ['{"name":"a","options":{"retries":3}}', '/options/retries', /2/],
      ['{"name":"a","options":{"payloadSize":4096}}', '/options/payloadSize', /1232/],
      ['{"name":"a","options":{"families":[6]}}', '/options/families/0', /./],
      ['{"name":"a","options":{"families":[]}}', '/options/families', /./],
      ['{"name":"a","options":{"ignore":["NS_FOO"]}}', '/options/ignore/0', /not the code of a finding/],
      ['{"name":"a","options":{"expect":["x","192.0.2.0/33"]}}', '/options/expect/1', /prefix/],
      ['{"name":"a","__proto__":{"type":"A"}}', '/__proto__', /unknown/],
      ['{"name":"a","<script>":1}', '/<script>', /unknown/],
    ];
    for (const [body, pointer, detail] of WRONG) {
      const { errors } = problem(t, await post({ body }), 400);
      t.match(errors, [{ pointer, detail }], String(body).slice(0, 60));
    }
    const several = { type: 7, options: { families: [], maxDepth: -1, edns: 'on', strange: 1 }, nmae: 'a' };
    t.same(
      problem(t, await start(service, several), 400).errors.map(({ pointer }: Issue) => pointer),
      ['/name', '/type', '/options/families', '/options/maxDepth', '/options/strange', '/nmae'],
      'all that is wrong is told at once',
    );
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, key) => [`x${key}`, 1]));
    const { errors } = problem(t, await start(service, { name: 'a', ...many }), 400);
    t.ok(errors.length <= 20, 'not an error for each of a thousand');
    await settled();
    t.equal(engine.runs.length, 3, 'nothing of all this was started');
  });

  t.test('is at most 16 KiB', async (t) => {
    const padded = (size: number) => '{"name":"a"}'.padEnd(size);
    t.equal((await post({ body: padded(16_384) })).status, 202);
    problem(t, await post({ body: padded(16_385) }), 413);
    const headers = { 'Transfer-Encoding': 'chunked' };
    problem(t, await post({ headers, body: padded(100_000) }), 413);
    const announced = converse(t, service);
    announced.write('POST /api/traverse HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n');
    t.match(await announced.until(/\}$/), /^HTTP\/1\.1 413 /, 'told before it is sent');
    announced.end();
  });

  t.test('waits for leave to send its body only where it would be read', async (t) => {
    const head =
      'POST /api/traverse HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nConnection: close\r\n';
    const polite = converse(t, service);
    polite.write(`${head}Content-Length: 12\r\n\r\n`);
    await polite.until(/^HTTP\/1\.1 100 Continue\r\n\r\n$/);
    polite.write('{"name":"a"}');
    t.match(await polite.closed, /HTTP\/1\.1 202 /);
    const large = converse(t, service);
    large.write(`${head}Content-Length: 20000\r\n\r\n`);
    t.match(await large.closed, /^HTTP\/1\.1 413 .*\r\nConnection: close\r\n/s);
    const elsewhere = converse(t, service);
    elsewhere.write(`${head.replace('traverse', 'nowhere')}Content-Length: 2\r\n\r\n{}`);
    t.match(await elsewhere.closed, /^HTTP\/1\.1 404 .*\r\nConnection: close\r\n/s);
  });
});

t.test('what is hardly HTTP', async (t) => {
  const { service } = await startTestService(t);
  const SAID: readonly (readonly [text: string, status: number])[] = [
    ['GET /api/health HTTP/1.1\r\n\r\n', 400],
    ['GET /api/health HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n', 400],
    ['GET /api/health HTTP/1.0\r\n\r\n', 200],
    ['hello\r\n\r\n', 400],
    ['\x16\x03\x01\r\n\r\n', 400],
    ['GET /api/health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
    [
      'POST /api/traverse HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
    ],
    [`GET /api/health HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(9_000)}\r\n\r\n`, 431],
    [`GET /${'x'.repeat(9_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`, 431],
    ['POST /api/traverse HTTP/1.1\r\nHost: localhost\r\nExpect: miracles\r\n\r\n', 417],
    ['CONNECT x:443 HTTP/1.1\r\nHost: localhost\r\n\r\n', 501],
    ['GET /api/health HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n', 200],
  ];
  for (const [text, status] of SAID) {
    const said = converse(t, service);
    said.write(text);
    const heard = await said.until(/\}$/);
    t.match(heard, new RegExp(`^HTTP/1\\.1 ${status} `), text.slice(0, 60));
    if (status >= 400) t.match(heard, /\r\nContent-Type: application\/problem\+json\r\n/);
    said.end();
  }
});

t.test('what Node cannot read as HTTP is told why', async (t) => {
  const { service } = await startTestService(t);
  const head = 'POST /api/traverse HTTP/1.1\r\nHost: localhost\r\n';
  const SAID: readonly (readonly [text: string, why: string])[] = [
    ['FOO / HTTP/1.1\r\nHost: localhost\r\n\r\n', 'it does not begin with a known method'],
    ['\x16\x03\x01\r\n\r\n', 'it does not begin with a known method'],
    ['GET nowhere HTTP/1.1\r\n\r\n', 'there is something wrong with its target'],
    ['GET / HTTP/1.7\r\n\r\n', 'its first line does not end with HTTP/1.1'],
    ['GET / FTP/1.1\r\n\r\n', 'its first line does not end with HTTP/1.1'],
    ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'it is HTTP/2, not HTTP/1.1'],
    [`${head}Bad Header: x\r\n\r\n`, 'a header has a character that it may not have'],
    ['GET / HTTP/1.1\r\n Host: localhost\r\n\r\n', 'there is a space before its first header'],
    [`${head}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`, 'it has more than one Content-Length'],
    [`${head}Content-Length: -1\r\n\r\n`, 'its Content-Length is not a number of octets'],
    [
      `${head}Transfer-Encoding: miracles\r\n\r\n`,
      'its Transfer-Encoding is not supported, or beside a Content-Length',
    ],
    [`${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 'a chunk has no valid size'],
    [`${head}Transfer-Encoding: chunked\r\n\r\n2\r\n{}}\r\n`, 'it is malformed'],
  ];
  for (const [text, why] of SAID) {
    const said = converse(t, service);
    said.write(text);
    const heard = await said.until(/\}$/);
    t.match(heard, /^HTTP\/1\.1 400 /, why);
    const { detail } = JSON.parse(heard.slice(heard.indexOf('{')));
    t.equal(detail, `The request could not be read as HTTP: ${why}.`);
    said.end();
  }
});

t.test('a request is answered once, also if what follows its head is not HTTP', async (t) => {
  const { service } = await startTestService(t);
  const said = converse(t, service);
  said.write('POST /api/health HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n');
  await said.until(/^HTTP\/1\.1 405 .*\}$/s);
  said.write('nonsense\r\n');
  t.equal((await said.closed).match(/HTTP\/1\.1/g)?.length, 1);
  const next = converse(t, service);
  next.write('GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await next.until(/\}\}$/);
  next.write('nonsense\r\n');
  t.match(await next.closed, /^HTTP\/1\.1 200 .*HTTP\/1\.1 400 /s, 'the next request is one of its own');
});

t.test('several requests at once on one connection', async (t) => {
  const { service, engine } = await startTestService(t);
  const id = await startJob(service);
  await settled();
  const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`;

  t.test('are answered in their order', async (t) => {
    const said = converse(t, service);
    const bad = 'POST /api/traverse HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}';
    said.write(get('/nowhere') + bad + get('/api/health') + get('/metrics', 'Connection: close\r\n'));
    const statuses = [...(await said.closed).matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status);
    t.same(statuses, ['404', '400', '200', '200']);
  });

  t.test('are limited, so that their replies cannot fill the memory', async (t) => {
    const said = converse(t, service);
    const count = async () => await metric(service, 'traversal_event_streams');
    said.write(get(`/api/traverse/${id}/events`) + get('/api/openapi.json').repeat(15));
    await said.until(/event: started/);
    t.equal(await count(), 1, 'as many as may wait for the first');
    said.write(get('/api/openapi.json').repeat(1_000));
    t.notMatch(await said.closed, /openapi/, 'one more, and the connection is closed');
    while ((await count()) > 0) await settled();
    const next = converse(t, service);
    for (let time = 1; time <= 3; time += 1) {
      next.write(get('/api/health').repeat(10));
      await next.until(new RegExp(`^(?:[^}]*\\}\\}){${time * 10}}$`));
    }
    next.end();
  });

  t.test('streams that nobody waits for any more are forgotten', async (t) => {
    const said = converse(t, service);
    said.write(get(`/api/traverse/${id}/events`).repeat(3));
    await said.until(/event: started/);
    t.equal(await metric(service, 'traversal_event_streams'), 1, 'the others wait for their turn');
    said.end();
    await said.closed;
    while ((await metric(service, 'traversal_event_streams')) > 0) await settled();
  });

  t.test('a stream that is next starts when the one before is over', async (t) => {
    const said = converse(t, service);
    said.write(
      get(`/api/traverse/${id}/events`) + get(`/api/traverse/${id}/events`, 'Connection: close\r\n'),
    );
    await said.until(/event: started/);
    engine.runs[0]?.finish();
    await said.until(/event: complete/);
    engine.fingerprintings[0]?.finish();
    const all = await said.closed;
    t.equal(all.match(/event: servers/g)?.length, 2);
  });
});

t.test('the rate limit', async (t) => {
  const rateLimit = parseRateLimit('2/1m30s').limit;
  const { service, clock, engine } = await startTestService(t, { rateLimit, trustedHops: 2 });
  const from = (client: string) => ({ 'X-Forwarded-For': `198.51.100.1, ${client}, 10.0.0.1` });
  const refused = (t: Test, { status, headers, text }: Answer, seconds: string) => {
    t.equal(status, 429);
    t.equal(text, 'rate limit exceeded: 2 requests per 1m30s\n');
    t.match(headers['content-type'], /^text\/plain\b/);
    t.equal(headers['retry-after'], seconds);
  };

  t.test('comes before everything else, and what is wrong uses a token', async (t) => {
    const headers = from('192.0.2.1');
    problem(t, await ask(service, 'POST', '/api/traverse', { headers, body: '{}' }), 400);
    problem(t, await ask(service, 'POST', '/api/traverse', { headers, body: 'x'.repeat(20_000) }), 413);
    refused(t, await ask(service, 'POST', '/api/traverse', { headers, body: 'not json' }), '45');
    refused(t, await ask(service, 'POST', '/api/traverse', { headers, body: 'x'.repeat(20_000) }), '45');
    t.equal(engine.runs.length, 0);
    t.equal(await metric(service, 'traversal_rate_limited_total'), 2);
  });

  t.test('lets tokens come back evenly', async (t) => {
    const headers = from('192.0.2.1');
    const body = '{}';
    await clock.advance(44_000);
    refused(t, await ask(service, 'POST', '/api/traverse', { headers, body }), '1');
    await clock.advance(1_000);
    t.equal((await ask(service, 'POST', '/api/traverse', { headers, body })).status, 400);
    refused(t, await ask(service, 'POST', '/api/traverse', { headers, body }), '45');
  });

  t.test('holds for each client by itself, and for no other path', async (t) => {
    const headers = from('192.0.2.1');
    t.equal((await start(service, {}, from('192.0.2.2'))).status, 400);
    t.equal((await start(service, {}, { 'Edge-Client-IP': '192.0.2.3', ...headers })).status, 400);
    t.equal((await start(service, {}, headers)).status, 429);
    for (const path of ['/api/health', '/api/openapi.json', '/metrics']) {
      t.equal((await ask(service, 'GET', path, { headers })).status, 200);
    }
  });

  t.test('does not apply to this host itself, but to the clients it is a proxy for', async (t) => {
    for (let count = 0; count < 5; count += 1) t.equal((await start(service, {})).status, 400);
    const proxied = { 'X-Forwarded-For': '127.0.0.1' };
    const statuses: number[] = [];
    for (let count = 0; count < 3; count += 1) statuses.push((await start(service, {}, proxied)).status);
    t.same(statuses, [400, 400, 429]);
    const empty = { 'X-Forwarded-For': '', 'Edge-Client-IP': '' };
    for (let count = 0; count < 3; count += 1) t.equal((await start(service, {}, empty)).status, 400);
  });

  t.test('takes several headers of a name for one list', async (t) => {
    const headers = { 'X-Forwarded-For': ['192.0.2.9', '192.0.2.8, 10.0.0.1'] };
    const statuses: number[] = [];
    for (let count = 0; count < 3; count += 1) statuses.push((await start(service, {}, headers)).status);
    t.same(statuses, [400, 400, 429]);
    t.equal((await start(service, {}, from('192.0.2.8'))).status, 429, 'it was counted for this one');
  });
});
