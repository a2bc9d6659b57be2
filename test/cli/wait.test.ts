import { Writable } from 'node:stream';
import t from 'tap';
import { type Told, type Waiting, waitUntilExpected } from '../../src/cli/many/waiting.ts';
import { showWaiting } from '../../src/cli/view/wait-view.ts';
import { parseName } from '../../src/dns/name.ts';
import type { TraversalResult } from '../../src/document/result.ts';
import { failed, ok, type RunAnswer } from '../../src/document/run-answer.ts';
import { createFakeClock } from '../base/fake-clock.ts';
import { answers, resultIn, worldWith } from '../report/graph-results.ts';
import { startDemoService } from './demo-service.ts';
import { inside } from './inside.ts';

const EXPECT = { expect: ['203.0.113.2'], ignore: ['NS_NOT_AUTHORITATIVE'] } as const;
const [OLD, NEW] = [answers('203.0.113.1'), answers('203.0.113.2')];
const [first, second] = ['11.0.0.2', '11.0.0.3'];

/** These results have the walks of warm resolvers, too: the same. */
async function resultWith(servers: Parameters<typeof worldWith>[0], options = {}): Promise<TraversalResult> {
  const result = await resultIn(worldWith(servers), { ...EXPECT, ...options });
  const { 'first-tries': tries, resolver } = result.views;
  return { ...result, views: { ...result.views, 'first-tries/warm': tries, warm: resolver } };
}

const old = await resultWith({ [first]: OLD, [second]: OLD });
const half = await resultWith({ [first]: NEW, [second]: OLD });
const fresh = await resultWith({ [first]: NEW, [second]: NEW });
const late = await resultWith({ [first]: NEW, [second]: { kind: 'timeout' } });
const limited = await resultWith({ [first]: NEW, [second]: NEW }, { maxQueries: 1 });
const unreachable = failed({ kind: 'unreachable', reason: 'connection refused' });
const busy = failed({ kind: 'busy', detail: 'full', retryAfterMs: 7_000 });

/** What a wait comes to, and what is said meanwhile. After the last of the rounds nothing changes any more. */
async function waiting(
  rounds: readonly RunAnswer<TraversalResult>[],
  wish: Partial<Waiting> & { readonly verbose?: true; readonly takesMs?: number } = {},
) {
  const clock = createFakeClock();
  const asked: number[] = [];
  let stderr = '';
  const view = showWaiting(
    {
      who: 'users',
      forMs: 600_000,
      clock,
      question: { name: parseName('www.x.'), type: 'A' },
      server: new URL('http://localhost:8053'),
      startedAt: new Date('2026-11-27T12:00:00Z'),
      timeZone: 'Europe/Berlin',
      flags: { color: false, ...(wish.verbose && { verbose: true }) },
      ...wish,
    },
    {
      stderr: new Writable({
        write: (chunk, _, done) => {
          stderr += chunk;
          done();
        },
      }),
      env: {},
    },
  );
  const told: Told[] = [];
  const going = waitUntilExpected({
    traverse: async () => {
      const round = rounds[Math.min(asked.length, rounds.length - 1)] ?? unreachable;
      asked.push(clock.now() / 1_000);
      await new Promise<void>((resolve) => clock.after(wish.takesMs ?? 0, resolve));
      return round;
    },
    tell: async (one) => {
      told.push(one);
      await view.tell(one);
    },
    who: 'users',
    caches: false,
    forMs: 600_000,
    clock,
    signal: new AbortController().signal,
    ...wish,
  });
  const ended = going.then(
    (standing) => {
      view.end(standing);
      return standing.kind;
    },
    (error: Error) => error.message,
  );
  await clock.advance(2 * (wish.forMs ?? 600_000));
  t.equal(clock.timers, 0, 'nothing is left to wait for');
  return { ended: await ended, asked, stderr: stderr.trimEnd().split('\n') };
}

t.test('how a wait ends, and when is asked again', async (t) => {
  const rows: readonly (readonly [
    what: string,
    rounds: readonly RunAnswer<TraversalResult>[],
    wish: Parameters<typeof waiting>[1],
    ended: string,
    asked: readonly number[],
  ])[] = [
    ['at once', [ok(fresh)], {}, 'expected', [0]],
    ['as soon as all users get it', [ok(old), ok(half), ok(fresh)], {}, 'expected', [0, 2, 4]],
    ['after a limit in a round', [ok(old), ok(limited), ok(fresh)], {}, 'expected', [0, 2, 4]],
    ['after an outage', [ok(old), unreachable, ok(fresh)], {}, 'expected', [0, 2, 4]],
    ['a service that has no room is left alone', [busy, ok(fresh)], {}, 'expected', [0, 7]],
    ['one server is late: users get it', [ok(late)], {}, 'expected', [0]],
    ['but not from every server', [ok(late), ok(fresh)], { who: 'servers' }, 'expected', [0, 2]],
    ['--every', [ok(old), ok(old), ok(fresh)], { everyMs: 30_000 }, 'expected', [0, 30, 60]],
    ['not in time, with a last look at the end', [ok(old)], { forMs: 5_000 }, 'unexpected', [0, 2, 4, 5]],
    ['one look in any case', [ok(old)], { forMs: 10 }, 'unexpected', [0, 0.01]],
    [
      'a round that has begun counts',
      [ok(old), ok(fresh)],
      { forMs: 5_000, takesMs: 4_000 },
      'expected',
      [0, 4],
    ],
    ['not known', [ok(old), ok(limited)], { forMs: 3_000 }, 'unknown', [0, 2, 3]],
    ['nothing heard', [ok(old), unreachable], { forMs: 3_000 }, 'unheard', [0, 2, 3]],
  ];
  for (const [what, rounds, wish, ended, asked] of rows) {
    const came = await waiting(rounds, wish);
    t.same([came.ended, came.asked], [ended, asked], what);
  }
});

t.test('the pace slows down to once a minute', async (t) => {
  const { asked } = await waiting([ok(old)], { forMs: 3_600_000 });
  const pauses = asked.slice(1, -1).map((at, i) => at - (asked[i] ?? 0));
  t.ok(pauses.every((pause, i) => pause >= 2 && pause <= 60 && pause >= (pauses[i - 1] ?? 0)));
  t.same([pauses[0], pauses.at(-1)], [2, 60]);
});

t.test('old copies', async (t) => {
  const gone = await waiting([ok(old), ok(fresh)], { caches: true });
  t.same([gone.ended, gone.asked.at(-1)], ['expected', 2 + 301], 'the TTL of 300 s and a second later');
  t.same(gone.stderr, [
    'svc: 13:00:00 (12:00:00 UTC)  www.x A: all users get 203.0.113.1, which is not expected; waiting for up to 10 minutes',
    'svc: 13:00:02 (12:00:02 UTC)  all users get the answer; resolvers can hold old copies until 13:05:03 (12:05:03 UTC) (TTL: 5 minutes for www.x A)',
    'svc: 13:05:03 (12:05:03 UTC)  all users get the answer',
  ]);
  const again = await waiting([ok(old), ok(fresh), ok(old), ok(fresh)], { caches: true });
  t.same(
    [again.ended, again.asked.at(-1)],
    ['expected', 6 + 301],
    'counted anew if the old answer comes back',
  );
  const short = await waiting([ok(old), ok(fresh)], { caches: true, forMs: 60_000 });
  t.equal(short.ended, 'held');
  t.match(short.stderr[1], /, which is later than --for 1m allows$/);
  t.equal(short.stderr[2], 'svc: resolvers can still hold old copies after 1 minute (--for waits longer)');
  const failing = await resultWith({ [first]: { kind: 'timeout' }, [second]: { kind: 'timeout' } });
  t.equal((await waiting([ok(failing), ok(failing)], { caches: true, forMs: 1_000 })).ended, 'unexpected');
  const nothingHeld = await waiting([ok(failing), ok({ ...failing, ...onlyEndsOf(fresh) })], {
    caches: true,
  });
  t.same([nothingHeld.ended, nothingHeld.asked], ['expected', [0, 2]], 'failures are not held');
  const late = await waiting([ok(fresh)], { caches: true });
  t.equal(late.ended, 'expected');
  t.match(
    late.stderr[0],
    /all users get the answer; no other answer was seen, .* begin before the change\)$/,
  );
  const { warm: _, 'first-tries/warm': __, ...cold } = old.views;
  t.match((await waiting([ok({ ...old, views: cold })], { caches: true })).ended, /add --views all/);
});

function onlyEndsOf({ views }: TraversalResult) {
  return { views };
}

t.test('a line for each change', async (t) => {
  const rounds = [ok(old), ok(old), ok(half), unreachable, unreachable, ok(half), ok(fresh)];
  const { stderr } = await waiting(rounds);
  const [begin, change, lost, back, end, ...more] = stderr;
  t.match(
    begin,
    /^svc: 13:00:00 \(12:00:00 UTC\) {2}www\.x A: all users get 203\.0\.113\.1, which is not expected; /,
  );
  t.match(
    change,
    /^svc: 13:00:04 \(12:00:04 UTC\) {2}50 % of users get 203\.0\.113\.2 from ns1\.x and 50 % 203\.0\.113\.1 from ns2\.x/,
  );
  t.equal(lost, 'svc: cannot reach http://localhost:8053: connection refused; trying again');
  t.equal(back, 'svc: back again');
  t.match(end, /all users get the answer/);
  t.same(more, []);
  const all = await waiting([ok(old), ok(old), ok(fresh)], { verbose: true });
  t.equal(all.stderr.length, 3, 'with -v for each traversal');
  const paths = await waiting([ok(late)], { who: 'servers', forMs: 10 });
  t.match(paths.stderr[0], /www\.x A: first tries end in 50 % 203\.0\.113\.2 and 50 % timeout; waiting/);
  t.equal(paths.stderr[1], 'svc: not as expected after less than a second (--for waits longer)');
  const limits = await waiting([ok(limited)], { forMs: 10 });
  t.match(limits.stderr[0], /unknown .*--max-queries allows more/);
});

t.test('svc wait', async (t) => {
  const rows: readonly (readonly [args: string, status: number, words: RegExp])[] = [
    [
      'www.shop.example --expect 198.51.100.80',
      0,
      /^svc: .* www\.shop\.example A: all users get the answer\n$/,
    ],
    [
      'www.stale.example --expect 198.51.100.104 --for 10ms',
      1,
      /\nsvc: not as expected after .* \(--for waits longer\)\n$/,
    ],
    ['www.shop.example --expect 198.51.100.80 --max-queries 3 --for 10ms', 3, /--max-queries allows more/],
    ['www.shop.example', 2, /^svc: --expect ITEM is missing: write /],
    [
      'www.shop.example --expect mail.example',
      2,
      /"mail.example": can be no answer of type A: write an IPv4 address/,
    ],
    ['www.shop.example MX --expect 192.0.2.1', 2, /"192.0.2.1": can be no answer of type MX: write a name/],
    [
      'www.shop.example --expect 198.51.100.80 --caches --quick',
      2,
      /--caches counts the zones' own NS records: leave out --quick/,
    ],
    ['www.shop.example --expect 198.51.100.80 --caches --views validating', 2, /or add warm to --views/],
    ['www.shop.example --expect 198.51.100.80 --caches', 0, /so the TTLs of old copies are unknown/],
    [
      'www.shop.example --expect nxdomain --for 200h',
      2,
      /--for 200h: must be a duration such as 10m, 10ms to 168h/,
    ],
    ['www.shop.example --expect nxdomain --every 10ms', 2, /--every 10ms: must be a duration/],
    ['0f8fad5b-d9cb-469f-a165-70867728950e --expect nxdomain', 2, /is a job, which runs once: write NAME/],
  ];
  for (const [args, status, words] of rows) {
    const quick = args.includes('--caches') || status === 2 ? [] : ['--quick'];
    const ran = await inside(['wait', ...args.split(' '), ...quick, '--demo']);
    t.equal(ran.status, status, args);
    t.match(ran.stderr, words);
    t.equal(ran.stdout, '');
  }
  const json = await inside('wait www.shop.example --expect 198.51.100.80 --demo --quick --json'.split(' '));
  const result = JSON.parse(json.stdout);
  t.match(result, { query: { name: 'www.shop.example.' }, expected: ['198.51.100.80'] });
  t.notOk('exchanges' in result, 'without evidence, as elsewhere');
  const stopped = await inside('wait www.shop.example --expect nxdomain --demo --quick'.split(' '), {
    onStderr: (_, interrupt) => interrupt(),
  });
  t.equal(stopped.status, 130);
  const waits = /www\.shop\.example A: waiting, \d+ (?:minutes|seconds)/;
  const live = await inside('wait www.shop.example --expect nxdomain --demo --quick --for 10m'.split(' '), {
    terminals: ['stderr'],
    onStderr: (written, interrupt) => {
      if (waits.test(written)) interrupt();
    },
  });
  t.match(live.stderr, waits);
});

t.test('at a service', async (t) => {
  const { url, stop } = await startDemoService();
  t.teardown(stop);
  const ran = await inside(['wait', 'www.shop.example', '--expect', '198.51.100.80', '--server', url]);
  t.equal(ran.status, 0);
  t.match(ran.stderr, /www\.shop\.example A: all users get the answer\n$/);
});
