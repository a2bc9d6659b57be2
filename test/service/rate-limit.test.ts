import t from 'tap';
import {
  DEFAULT_RATE_LIMIT,
  describeRateLimit,
  parseRateLimit,
  type RateLimit,
  RateLimiter,
  type Taken,
} from '../../src/service/rate-limit.ts';
import { readEnvironment } from '../../src/service/settings.ts';

const NS = 1n;
const MS = 1_000_000n;
const S = 1_000n * MS;
const M = 60n * S;
const H = 60n * M;
const MOST = 2n ** 63n - 1n;

const DEFAULTS: readonly (readonly [what: string, setting: string | undefined, 'default' | 'invalid'])[] = [
  ['unset', undefined, 'default'],
  ['an empty value', '', 'default'],
  ['only white space', '  ', 'invalid'],
  ['no slash', 'bogus', 'invalid'],
  ['a number alone', '30', 'invalid'],
  ['a duration alone', '1h', 'invalid'],
  ['no N', '/1h', 'invalid'],
  ['a blank N', ' /1h', 'invalid'],
  ['N that is no number', 'many/1h', 'invalid'],
  ['N with a fraction', '1.5/1h', 'invalid'],
  ['N with an exponent', '1e3/1h', 'invalid'],
  ['N in hexadecimal', '0x10/1h', 'invalid'],
  ['N with an underscore', '1_000/1h', 'invalid'],
  ['N with a space inside', '1 0/1h', 'invalid'],
  ['N in other digits', '\u0665/1h', 'invalid'],
  ['two signs', '+-5/1h', 'invalid'],
  ['a sign alone', '+/1h', 'invalid'],
  ['N of 0', '0/1h', 'invalid'],
  ['N of -0', '-0/1h', 'invalid'],
  ['N below 0', '-3/1h', 'invalid'],
  ['N over 64 bits', '9223372036854775808/1h', 'invalid'],
  ['N far over 64 bits', `${'9'.repeat(10_000)}/1h`, 'invalid'],
  ['no duration', '10/', 'invalid'],
  ['a blank duration', '10/ ', 'invalid'],
  ['a duration that is none', '10/soon', 'invalid'],
  ['a duration below 0', '10/-1h', 'invalid'],
  ['a duration of 0', '10/0', 'invalid'],
  ['a duration of 0s', '10/0s', 'invalid'],
  ['a duration that vanishes', '10/0.1ns', 'invalid'],
  ['a duration without unit', '10/60', 'invalid'],
  ['a day', '10/1d', 'invalid'],
  ['a duration over 64 bits', '10/2562048h', 'invalid'],
  ['a second slash', '10/1h/2', 'invalid'],
  ['a slash too many', '10//1h', 'invalid'],
];

const CONFIGURED: readonly (readonly [setting: string, requests: bigint, window: bigint, text: string])[] = [
  ['30/1h', 30n, H, '30 requests per 1h0m0s'],
  ['10/10m', 10n, 10n * M, '10 requests per 10m0s'],
  ['5/30s', 5n, 30n * S, '5 requests per 30s'],
  ['5 / 30s', 5n, 30n * S, '5 requests per 30s'],
  ['\t5\t/\n30s ', 5n, 30n * S, '5 requests per 30s'],
  ['+5/+30s', 5n, 30n * S, '5 requests per 30s'],
  ['007/1h', 7n, H, '7 requests per 1h0m0s'],
  [`${'0'.repeat(30)}7/1h`, 7n, H, '7 requests per 1h0m0s'],
  ['1/90s', 1n, 90n * S, '1 requests per 1m30s'],
  ['2/1h30m', 2n, 90n * M, '2 requests per 1h30m0s'],
  ['2/1.5s', 2n, 1_500n * MS, '2 requests per 1.5s'],
  ['2/100ms', 2n, 100n * MS, '2 requests per 100ms'],
  ['2/1us', 2n, 1_000n, '2 requests per 1\u00b5s'],
  ['1/1ns', 1n, NS, '1 requests per 1ns'],
  ['9223372036854775807/24h', MOST, 24n * H, '9223372036854775807 requests per 24h0m0s'],
];

const RATE: RateLimit = { requests: 3n, window: 30n * S };

/** A limiter whose time only a test moves on. */
function limiter(limit: RateLimit, mostClients?: number) {
  let now = 5n * S + 7n;
  const clock = { now: () => now };
  const limiter = new RateLimiter(limit, mostClients === undefined ? clock : { ...clock, mostClients });
  const pass = (nanoseconds: bigint): void => {
    now += nanoseconds;
  };
  const allowed = (client: string, attempts: number): number =>
    Array.from({ length: attempts }, () => limiter.take(client)).filter(({ kind }) => kind === 'allowed')
      .length;
  return { limiter, pass, allowed };
}

function retryAfter(taken: Taken): number | undefined {
  return taken.kind === 'refused' ? taken.retryAfterSeconds : undefined;
}

t.test('the setting', async (t) => {
  for (const [what, setting, origin] of DEFAULTS) {
    t.same(parseRateLimit(setting), { limit: { requests: 30n, window: H }, origin }, what);
  }
  for (const [setting, requests, window, text] of CONFIGURED) {
    const parsed = parseRateLimit(setting);
    t.same(parsed, { limit: { requests, window }, origin: 'configured' }, JSON.stringify(setting));
    t.equal(describeRateLimit(parsed.limit), text);
  }
  t.equal(describeRateLimit(DEFAULT_RATE_LIMIT), '30 requests per 1h0m0s');
});

t.test('a bucket', async (t) => {
  t.test('starts full and holds N', async (t) => {
    const { limiter: limit, allowed } = limiter(RATE);
    t.equal(allowed('192.0.2.1', 10), 3);
    t.same(limit.take('192.0.2.1'), {
      kind: 'refused',
      retryAfterSeconds: 10,
      text: '3 requests per 30s',
    });
  });

  t.test('is refilled continuously', async (t) => {
    const { pass, allowed } = limiter(RATE);
    t.equal(allowed('192.0.2.1', 4), 3);
    pass(10n * S - 1n);
    t.equal(allowed('192.0.2.1', 1), 0, 'a nanosecond before a token is back');
    pass(1n);
    t.equal(allowed('192.0.2.1', 2), 1, 'and when it is');
    pass(15n * S);
    t.equal(allowed('192.0.2.1', 2), 1, 'one and a half are back: one to use');
    pass(5n * S);
    t.equal(allowed('192.0.2.1', 2), 1, 'and the half was kept');
  });

  t.test('has half of N back after half a window, N after a whole one, never more', async (t) => {
    const { pass, allowed } = limiter({ requests: 30n, window: H });
    t.equal(allowed('192.0.2.1', 40), 30);
    pass(30n * M);
    t.equal(allowed('192.0.2.1', 40), 15);
    pass(H);
    t.equal(allowed('192.0.2.1', 40), 30);
    pass(1_000n * H);
    t.equal(allowed('192.0.2.1', 40), 30);
  });

  t.test('is not emptied further by what it refuses', async (t) => {
    const { pass, allowed } = limiter(RATE);
    t.equal(allowed('192.0.2.1', 1_000), 3);
    pass(10n * S);
    t.equal(allowed('192.0.2.1', 1), 1);
  });

  t.test('is one client\u2019s own', async (t) => {
    const { allowed } = limiter(RATE);
    t.equal(allowed('192.0.2.1', 9), 3);
    t.equal(allowed('192.0.2.2', 9), 3);
    t.equal(allowed('2001:db8::1', 9), 3);
  });

  t.test('loses nothing to rounding', async (t) => {
    const { pass, allowed } = limiter({ requests: 3n, window: 10n });
    t.equal(allowed('192.0.2.1', 4), 3);
    let more = 0;
    for (let count = 0; count < 1_000; count += 1) {
      pass(1n);
      more += allowed('192.0.2.1', 1);
    }
    t.equal(more, 300, 'three for every ten nanoseconds');
  });

  t.test('takes any size', async (t) => {
    t.equal(limiter({ requests: 1n, window: NS }).allowed('192.0.2.1', 2), 1);
    t.equal(limiter({ requests: MOST, window: MOST }).allowed('192.0.2.1', 100), 100);
    const slow = limiter({ requests: 1n, window: MOST });
    t.equal(slow.allowed('192.0.2.1', 2), 1);
    t.equal(retryAfter(slow.limiter.take('192.0.2.1')), 9_223_372_037);
  });
});

t.test('when a token is back', async (t) => {
  const rows: readonly (readonly [limit: RateLimit, passed: bigint, seconds: number])[] = [
    [{ requests: 30n, window: H }, 0n, 120],
    [{ requests: 30n, window: H }, NS, 120],
    [{ requests: 30n, window: H }, S, 119],
    [{ requests: 30n, window: H }, 119n * S, 1],
    [{ requests: 30n, window: H }, 120n * S - NS, 1],
    [{ requests: 1n, window: H }, 0n, 3_600],
    [{ requests: 2n, window: 3n * S }, 0n, 2],
    [{ requests: 10n, window: S }, 0n, 1],
    [{ requests: 1n, window: NS }, 0n, 1],
  ];
  for (const [limit, passed, seconds] of rows) {
    const { limiter: one, pass, allowed } = limiter(limit);
    allowed('192.0.2.1', Number(limit.requests));
    pass(passed);
    t.equal(retryAfter(one.take('192.0.2.1')), seconds, `${describeRateLimit(limit)}, ${passed} ns later`);
    pass(BigInt(seconds) * S);
    t.equal(one.take('192.0.2.1').kind, 'allowed', 'waiting that long is enough');
  }
});

t.test('memory', async (t) => {
  t.test('full buckets are forgotten', async (t) => {
    const { limiter: one, pass } = limiter(RATE);
    for (let client = 0; client < 5_000; client += 1) {
      one.take(`client ${client}`);
      pass(MS);
    }
    t.equal(one.clients, 5_000);
    pass(7n * S);
    one.take('another');
    t.ok(
      one.clients < 5_000,
      'those of which a token was taken ten seconds ago, at the latest a while later',
    );
    pass(12n * S);
    one.take('another');
    t.equal(one.clients, 1);
  });

  t.test('a bucket that is not full is kept', async (t) => {
    const { limiter: one, pass, allowed } = limiter(RATE);
    t.equal(allowed('192.0.2.1', 3), 3);
    for (let count = 0; count < 9; count += 1) {
      pass(S);
      one.take(`client ${count}`);
      t.equal(allowed('192.0.2.1', 1), 0);
    }
  });

  t.test('a flood of clients takes no more than its share', async (t) => {
    const { limiter: one, pass, allowed } = limiter(RATE, 100);
    t.equal(allowed('exhausted', 3), 3);
    let served = 0;
    for (let client = 0; client < 10_000; client += 1) {
      served += allowed(`client ${client}`, 1);
      pass(10n);
    }
    t.equal(served, 10_000);
    t.equal(one.clients, 100);
    t.equal(allowed('exhausted', 1), 0, 'and an exhausted client does not start afresh');
  });

  t.test('a flood of exhausted clients neither', async (t) => {
    const { limiter: one, pass, allowed } = limiter(RATE, 100);
    let served = 0;
    for (let client = 0; client < 1_000; client += 1) {
      served += allowed(`client ${client}`, 4);
      pass(MS);
    }
    t.equal(served, 3_000);
    t.equal(one.clients, 100);
    t.equal(allowed('client 999', 1), 0);
  });

  t.test('by default 100,000 are kept', async (t) => {
    const { limiter: one } = limiter(DEFAULT_RATE_LIMIT);
    for (let client = 0; client < 150_000; client += 1) one.take(`2001:db8::${client.toString(16)}`);
    t.equal(one.clients, 100_000);
  });
});

t.test('the machine\u2019s own clock', async (t) => {
  const one = new RateLimiter({ requests: 1n, window: H });
  t.equal(one.take('192.0.2.1').kind, 'allowed');
  t.equal(retryAfter(one.take('192.0.2.1')), 3_600);
});

const USUAL = { rateLimit: DEFAULT_RATE_LIMIT, region: undefined, webhook: undefined };

t.test('the settings that an environment makes', async (t) => {
  const url = new URL('http://receiver.example/');
  const ROWS: readonly (readonly [env: Record<string, string>, settings: object])[] = [
    [{}, {}],
    [{ EDGE_REGION: 'fra' }, { region: 'fra' }],
    [{ EDGE_REGION: '' }, {}],
    [{ SERVICE_RATE_LIMIT: '5/1s' }, { rateLimit: { requests: 5n, window: 1_000_000_000n } }],
    [{ SERVICE_RATE_LIMIT: '' }, {}],
    [{ SERVICE_WEBHOOK_URL: url.href }, { webhook: { url } }],
    [{ SERVICE_WEBHOOK_URL: url.href, SERVICE_WEBHOOK_SECRET: '' }, { webhook: { url } }],
    [{ SERVICE_WEBHOOK_URL: url.href, SERVICE_WEBHOOK_SECRET: 's' }, { webhook: { url, secret: 's' } }],
    [{ SERVICE_WEBHOOK_SECRET: 's' }, {}],
  ];
  for (const [env, settings] of ROWS) {
    const read = readEnvironment(env);
    t.same(read, { settings: { ...USUAL, ...settings }, warnings: [] }, JSON.stringify(env));
  }
});

t.test('an invalid value is reported, and counts as not set', async (t) => {
  for (const [name, value, words] of [
    ['SERVICE_RATE_LIMIT', '10/soon', /^SERVICE_RATE_LIMIT .*default/],
    ['SERVICE_WEBHOOK_URL', 'ftp://receiver.example/', /^SERVICE_WEBHOOK_URL .*off/],
  ] as const) {
    const { settings, warnings } = readEnvironment({ [name]: value });
    t.same(settings, USUAL);
    t.equal(warnings.length, 1);
    t.match(warnings[0], words);
    t.notMatch(warnings[0], value, 'which may be a secret');
  }
});
