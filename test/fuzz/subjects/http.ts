import { connect } from 'node:net';
import fc from 'fast-check';
import type { FakeClock } from '../../base/fake-clock.ts';
import { ask, type Place } from '../../service/http-client.ts';
import { startTestService } from '../../service/test-service.ts';
import { mutated } from '../octets.ts';
import { must, mustBePrintable, subject } from '../subject.ts';

type Service = Awaited<ReturnType<typeof startTestService>>;

const endings: (() => Promise<void>)[] = [];
let running: Promise<Service> | undefined;

const METHODS = ['GET', 'POST', 'DELETE', 'HEAD', 'OPTIONS', 'PUT', 'CONNECT', 'PRI', 'get', 'G\u0000T', ''];

const PATHS = [
  ...[
    '/api/traverse',
    '/api/traverse',
    '/api/health',
    '/api/openapi.json',
    '/metrics',
    '/',
    '*',
    '//',
    '/%',
    '/%00',
  ],
  ...[
    '/api/traverse/x',
    '/api/traverse/JOB',
    '/api/traverse/JOB/servers',
    '/api/traverse/../health',
    '/api/health?a=b#c',
  ],
  ...[
    '/api/traverse/JOB?format=%',
    'http://[',
    'http://a@b:99999/api/health',
    'a'.repeat(9_000),
    '/\u00e9',
    '/ b',
  ],
];

const VERSIONS = [
  'HTTP/1.1',
  'HTTP/1.1',
  'HTTP/1.1',
  'HTTP/1.0',
  'HTTP/0.9',
  'HTTP/2.0',
  'HTTP/9',
  'http/1.1',
  '',
];

const HEADERS = [
  ...[
    'Host: localhost',
    'Host: [',
    'Host: evil.example',
    'Host:',
    'Connection: close',
    'Connection: upgrade',
  ],
  ...[
    'Upgrade: h2c',
    'Expect: 100-continue',
    'Expect: tea',
    'Transfer-Encoding: chunked',
    'Transfer-Encoding: x',
  ],
  ...[
    'Content-Length: 5',
    'Content-Length: -1',
    'Content-Length: 99999999999999999999',
    'Content-Length: 20000',
  ],
  ...[
    'Content-Type: application/json',
    'Content-Encoding: gzip',
    'Origin: http://evil.example',
    'Origin: null',
  ],
  ...[
    'Last-Event-ID: 99999999999999999999',
    'Last-Event-ID: x',
    'Accept: text/html',
    'Accept: */*;q=x',
    'Range: bytes=0-',
  ],
  ...[
    'X-Forwarded-For: 1.2.3.4, ::1',
    'X-Forwarded-For: ,,,',
    'Edge-Client-IP: x',
    'Edge-Client-IP: 192.0.2.1',
  ],
  ...[
    `X: ${'x'.repeat(9_000)}`,
    ' folded: x',
    'no colon',
    ': no name',
    'X: \u0000',
    'X: \u001b[31m',
    'Cookie: \u00ff',
  ],
];

const BODIES = [
  ...[
    '',
    '{}',
    '[]',
    'null',
    '{"name":"www.example"}',
    '{"name":"www.example","type":"AAAA"}',
    '{"name":',
    '\ufeff{}',
  ],
  ...[
    '{"name":"a..b"}',
    '{"name":"\\u0000"}',
    '{"name":"\\ud800"}',
    '{"name":"xn--a"}',
    '{"name":"www.example","type":"\\u202e"}',
  ],
  ...[
    '{"name":"www.example","options":{"maxDepth":-1}}',
    '{"name":"www.example","options":{"families":[4,4,9]}}',
  ],
  ...[
    '{"name":"www.example","options":{"check":true}}',
    '{"__proto__":{"name":"a"}}',
    '['.repeat(5_000),
    'x'.repeat(17_000),
  ],
  ...[
    '{"name":"www.example","name":"b"}',
    '{"name":1e999}',
    '5\r\nhello\r\n0\r\n\r\n',
    'fffffffffffffffff\r\n',
    '-1\r\n',
  ],
];

/** What a client writes on one connection: requests, most of them odd, some with octets changed. */
const httpRequests: fc.Arbitrary<Uint8Array> = mutated(
  fc
    .array(
      fc
        .record({
          method: fc.constantFrom('GET', 'POST', 'POST', ...METHODS),
          path: fc.constantFrom(...PATHS),
          version: fc.constantFrom(...VERSIONS),
          host: fc.constantFrom(['Host: localhost'], ['Host: localhost'], ['Host: localhost'], []),
          headers: fc.array(fc.constantFrom(...HEADERS), { maxLength: 3 }),
          body: fc.oneof(fc.constantFrom(...BODIES), fc.json()),
          length: fc.constantFrom('right', 'right', 'right', 'none'),
        })
        .map(({ method, path, version, host, headers, body, length }) => {
          const stated = length === 'right' ? [`Content-Length: ${Buffer.byteLength(body)}`] : [];
          const lines = [`${method} ${path} ${version}`, ...host, ...stated, ...headers];
          return `${lines.join('\r\n')}\r\n\r\n${body}`;
        }),
      { minLength: 1, maxLength: 2 },
    )
    .map((requests) => Buffer.from(requests.join(''))),
);

/** Whatever is written to the service, it replies as it should or hangs up, and goes on. */
export const http = subject(
  'http',
  500,
  httpRequests,
  async (octets) => {
    running ??= startTestService({ teardown: (end: () => Promise<void>) => endings.push(end) }, {}, 'prompt');
    const { service, clock, lines } = await running;
    const place = { host: service.host, port: service.port };
    lines.length = 0;
    const replies = await converse(place, octets, clock);
    mustBeProper(replies);
    const { status } = await ask(place, 'GET', '/api/health');
    must(status === 200, `health is ${status}`);
    for (const line of lines) {
      must(/^[ -~]*\n$/.test(line) && !line.includes('"level":"error"'), `logs ${line}`);
    }
  },
  async () => void (await Promise.all(endings.map((end) => end()))),
);

/** Longer than any head or body may take. */
const TOO_LONG_MS = 60_000;

/** Writes octets and nothing after them, and resolves with all that came back once the service hung up. */
async function converse({ host, port }: Place, octets: Uint8Array, clock: FakeClock): Promise<string> {
  let text = '';
  let open = true;
  const socket = connect({ host, port, allowHalfOpen: true });
  socket.setEncoding('latin1').on('data', (more) => {
    text += more;
  });
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    open = false;
  });
  socket.end(octets);
  for (let turn = 0; open && turn < MOST_TURNS; turn += 1) await clock.advance(TOO_LONG_MS);
  must(!open, `the service does not hang up after ${JSON.stringify(text)}`);
  return text;
}

const MOST_TURNS = 5_000;

/** No reply blames the service, and those that refuse say why. */
function mustBeProper(text: string): void {
  for (const reply of text.split(/(?=HTTP\/1\.1 \d{3} )/).filter((one) => one !== '')) {
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(reply)?.[1]);
    must(status >= 100 && (status < 500 || status === 501 || status === 503), `replies ${reply}`);
    const type = /^content-type: (\S+?);?(?:\s|$)/im.exec(reply)?.[1];
    const saysWhy = type === 'application/problem+json' || (status === 429 && type === 'text/plain');
    must(status < 400 || saysWhy, `replies ${status} with ${type}`);
    mustBePrintable(reply.replaceAll('\r\n', '\n'));
  }
}
