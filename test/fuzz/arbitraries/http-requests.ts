import fc from 'fast-check';
import { mutated } from './octets.ts';

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
export const httpRequests: fc.Arbitrary<Uint8Array> = mutated(
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
