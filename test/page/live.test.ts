import t from 'tap';
import { parseName } from '../../src/dns/name.ts';
import type { JobEvent } from '../../src/document/events.ts';
import { failed, ok, type RunAnswer } from '../../src/document/run-answer.ts';
import type { ServerList } from '../../src/document/servers.ts';
import { jobFor, readJobs, withJob } from '../../src/page/model/earlier-jobs.ts';
import { type FollowTools, followJob } from '../../src/page/model/follow-job.ts';
import { announcementOf, JobStory, resultTitle, titleOf } from '../../src/page/model/job-story.ts';
import { type LiveZone, liveZones } from '../../src/page/model/live-zones.ts';
import { Redraws } from '../../src/page/model/redraws.ts';
import type { FetchedJob, StreamListener } from '../../src/page/service-api.ts';
import { Progress, type RunEvent } from '../../src/report/views/progress.ts';
import { COMPLETE, exchange, HALFWAY, STARTED } from '../report/events.ts';
import { savedResult } from '../report/graph-results.ts';

const ID = 'cce6c86a-42f5-409d-bb3f-6ccb0e4d0d8f';
const SERVERS: ServerList = { status: 'ready', servers: [] };

/** Zones as lines: depth, name, a sign for each server, and what they said. */
function lines(zones: readonly LiveZone[]): readonly string[] {
  const sign = { refers: '>', agrees: '=', differs: '#', fails: 'x', waiting: '.' };
  return zones.map(({ zone, depth, servers, words }) => {
    return `${depth} ${zone} ${servers.map(({ status }) => sign[status]).join('')} ${words}`;
  });
}

function progressOf(...events: readonly RunEvent[]): Progress {
  const progress = new Progress();
  for (const event of events) progress.note(event);
  return progress;
}

t.test('zones from the root down, as events bring them', async (t) => {
  const progress = progressOf(STARTED);
  t.strictSame(liveZones(progress), { way: [], elsewhere: [] });
  progress.note(exchange({ zone: '.', address: '192.0.2.1', class: 'referral', referredTo: 'com' }));
  progress.note(exchange({ zone: 'example.com', address: '192.0.2.5', class: 'timeout' }));
  progress.note(
    exchange({ zone: 'com', address: '192.0.2.3', class: 'referral', referredTo: 'example.com' }),
  );
  progress.note(exchange({ zone: 'com', address: '192.0.2.4', class: 'lame', referredTo: '.' }));
  t.same(lines(liveZones(progress).way), [
    '0 . > 1 server: referral to com',
    '1 com. >x 2 servers: 1 × referral to example.com and 1 × lame, referral to the root',
    '2 example.com. x 1 server: timeout',
  ]);
});

t.test('servers with several addresses are counted once', async (t) => {
  const at = (address: string, name: string) =>
    exchange({ zone: '.', address, names: [name], class: 'referral', referredTo: 'com' });
  const progress = progressOf(
    STARTED,
    at('192.0.2.1', 'a.root'),
    at('2001:db8::1', 'a.root'),
    at('192.0.2.2', 'b.root'),
  );
  t.same(lines(liveZones(progress).way), ['0 . >>> 2 servers, 3 addresses: referral to com']);
});

t.test('the way to other names is a tree of its own', async (t) => {
  const ask = (zone: string, question: string) =>
    exchange({ zone, address: '192.0.2.1', question, class: 'referral', referredTo: 'x' });
  const progress = progressOf(
    STARTED,
    ask('b.example', 'ns.b.example'),
    ask('a.example', 'ns.a.example'),
    ask('example', 'ns.a.example'),
    ask('x\\.a.example', 'ns.x\\.a.example'),
    ask('test', 'ns.test'),
    ask('.', 'ns.a.example'),
  );
  t.same(liveZones(progress).way, []);
  t.same(
    liveZones(progress).elsewhere.map(({ depth, zone }) => `${depth} ${zone}`),
    ['0 .', '1 example.', '2 a.example.', '2 b.example.', '2 x\\.a.example.', '1 test.'],
  );
});

t.test('no reply moves a mark, which would take the focus from whoever is there', async (t) => {
  const question = { name: parseName('www.example.com'), type: 'A' };
  const zone = parseName('example.com');
  const all = ['192.0.2.1', '192.0.2.2', '192.0.2.3'];
  const awaited = all.map((address) => ({ server: { address, names: [] }, question, zone }));
  const progress = progressOf(STARTED, { ...HALFWAY, awaited });
  const marks = () => liveZones(progress).way.flatMap(({ servers }) => servers.map(({ address }) => address));
  for (const address of ['', '192.0.2.3', '192.0.2.2', '192.0.2.1']) {
    if (address !== '') progress.note(exchange({ zone: 'example.com', address, data: ['192.0.2.80'] }));
    t.same(marks(), all, address);
  }
});

t.test('servers that are awaited have a mark, which fills in', async (t) => {
  const question = { name: parseName('www.example.com'), type: 'A' };
  const zone = parseName('example.com');
  const waits = (...addresses: readonly string[]): JobEvent => ({
    ...HALFWAY,
    awaited: addresses.map((address) => ({ server: { address, names: [] }, question, zone })),
  });
  const progress = progressOf(STARTED, waits('192.0.2.1', '192.0.2.2'));
  t.same(lines(liveZones(progress).way), ['0 example.com. .. 2 awaited']);
  progress.note(exchange({ zone: 'example.com', address: '192.0.2.1', data: ['192.0.2.80'] }));
  t.same(lines(liveZones(progress).way), ['0 example.com. =. 1 server: 192.0.2.80; 1 awaited']);
  progress.note(exchange({ zone: 'example.com', address: '192.0.2.2', class: 'timeout' }));
  t.same(lines(liveZones(progress).way), ['0 example.com. =x 2 servers: 1 × 192.0.2.80 and 1 × timeout']);
});

t.test('a zone of which nothing new was heard stays the same object', async (t) => {
  const progress = progressOf(STARTED, exchange({ zone: 'com', address: '192.0.2.3' }));
  const [before] = liveZones(progress).way;
  progress.note(exchange({ zone: 'example.com', address: '192.0.2.5' }));
  const [after, other] = liveZones(progress).way;
  t.equal(after, before);
  progress.note(exchange({ zone: 'com', address: '192.0.2.4' }));
  const [changed, unchanged] = liveZones(progress).way;
  t.not(changed, before);
  t.equal(unchanged, other);
});

t.test('an event that comes again after a reconnect makes no difference', async (t) => {
  const story = new JobStory(() => undefined);
  story.heard(STARTED, 1, 0);
  const reply = exchange({ zone: '.', address: '192.0.2.1' });
  for (const number of [2, 2, 1]) story.heard(reply, number, 10);
  t.equal(story.progress.heard, 1);
  story.heard({ ...HALFWAY, elapsedMs: 190 }, 3, 100);
  t.strictSame(story.clock, { elapsedMs: 190, at: 100 }, 'the time that the service has measured counts');
});

t.test('a page that is loaded again in mid-run shows the time since the beginning', async (t) => {
  const story = new JobStory(() => undefined);
  story.fetched({ ...job('running'), runningMs: 5_000 }, 100);
  story.heard(STARTED, 1, 110);
  story.heard({ ...HALFWAY, elapsedMs: 400 }, 2, 120);
  t.strictSame(story.clock, { elapsedMs: 5_000, at: 100 }, 'not what early events said');
  story.heard({ ...HALFWAY, elapsedMs: 6_000 }, 3, 150);
  t.strictSame(story.clock, { elapsedMs: 6_000, at: 150 }, 'but what later ones say');
});

t.test('a job that is run once more begins again', async (t) => {
  const story = new JobStory(() => undefined);
  story.heard(STARTED, 1, 0);
  story.heard(exchange({ zone: '.', address: '192.0.2.1' }), 2, 0);
  story.heard({ ...STARTED, attempt: 2 }, 3, 50);
  t.equal(story.progress.heard, 0);
  t.strictSame(story.clock, { elapsedMs: 0, at: 50 });
  story.heard(exchange({ zone: '.', address: '192.0.2.1' }), 4, 60);
  story.heard(STARTED, 5, 70);
  t.equal(story.progress.heard, 0);
  t.strictSame(story.clock, { elapsedMs: 0, at: 70 }, 'also after a stop, which is no attempt');
});

t.test('what a job is about', async (t) => {
  const choices = { views: 'quick' } as const;
  const asked = { name: 'x\u202e.example', type: 'MX', choices };
  t.match(titleOf({ question: undefined }, undefined), {
    name: 'A traversal',
    type: '',
    question: undefined,
  });
  t.match(titleOf({ question: undefined }, asked), {
    name: 'x\\u{202e}.example',
    type: 'MX',
    question: asked,
  });
  const question = { name: parseName('www.xn--bcher-kva.example'), type: 'A' };
  t.match(titleOf({ question }, asked), {
    name: 'www.xn--bcher-kva.example',
    unicode: 'www.bücher.example',
    type: 'A',
    question: { name: 'www.xn--bcher-kva.example', type: 'A', choices },
  });
  t.equal(titleOf({ question: { name: parseName('.'), type: 'NS' } }, undefined).name, '.');
  t.equal(
    resultTitle(savedResult('alias-loop')),
    'www.circle.example A: no user gets an answer: the alias www.circle.test in circle.test leads back to www.circle.example',
  );
});

t.test(
  'what changes all the time is drawn ten times a second, and rarer if drawing takes long',
  async (t) => {
    let now = 0;
    let waiting: { readonly run: () => void; readonly at: number } | undefined;
    const drawnAt: number[] = [];
    const redraws = new Redraws(() => drawnAt.push(now), {
      now: () => now,
      later: (run, ms) => {
        waiting = { run, at: now + ms };
        return () => {
          waiting = undefined;
        };
      },
    });
    const pass = (tookMs: number) => {
      for (let change = 0; change < 3; change += 1) redraws.ask();
      const next = waiting;
      waiting = undefined;
      now = next?.at ?? now;
      next?.run();
      now += tookMs;
      redraws.drawn();
    };
    for (const tookMs of [1, 1, 1, 1, 1]) pass(tookMs);
    t.same(drawnAt, [0, 1, 2, 101, 201], 'at once at first, then ten times a second');
    pass(60);
    for (const tookMs of [1, 1]) pass(tookMs);
    t.same(drawnAt.slice(5), [301, 601, 701], 'after 60 ms of drawing there are 300 ms for others');
    now += 1_000;
    for (const tookMs of [1, 1]) pass(tookMs);
    t.same(drawnAt.slice(8), [1_702, 1_703], 'after a rest it is drawn at once, and again');
    redraws.ask();
    redraws.stop();
    t.equal(waiting, undefined);
  },
);

t.test('what screen readers are told', async (t) => {
  const rows = [
    [{ kind: 'unknown' }, ''],
    [{ kind: 'queued', ahead: undefined }, 'Waiting for its turn…'],
    [{ kind: 'queued', ahead: 0 }, 'Waiting for its turn: it is the next…'],
    [{ kind: 'queued', ahead: 12 }, 'Waiting for its turn: 12 others go first…'],
    [{ kind: 'running' }, 'Asking…'],
    [{ kind: 'ending' }, 'All replies are in. Fetching the result…'],
    [{ kind: 'ended', status: 'failed', result: undefined, why: 'x' }, 'The traversal failed.'],
    [{ kind: 'gone' }, 'This traversal is no longer kept.'],
    [{ kind: 'strange', detail: 'x' }, 'The service answers strangely.'],
  ] as const;
  for (const [stage, words] of rows) t.equal(announcementOf({ stage, connection: 'up' }), words);
  const result = { ...savedResult('healthy'), findings: [] };
  t.equal(
    announcementOf({
      stage: { kind: 'ended', status: 'complete', result, why: undefined },
      connection: 'up',
    }),
    'Done: all users get the answer.',
  );
  t.equal(
    announcementOf({ stage: { kind: 'running' }, connection: 'lost' }),
    'Connection lost. Trying again…',
  );
});

/** A job as the service describes it. */
function job(status: FetchedJob['status']): FetchedJob {
  const isOver = status !== 'queued' && status !== 'running';
  return {
    id: ID,
    status,
    query: { name: parseName('www.example.com'), type: 'A', class: 'IN' },
    createdAt: '2026-01-01T00:00:00.000Z',
    ...(isOver ? { finishedAt: '2026-01-01T00:00:01.000Z' } : {}),
    progress: { exchanges: 0, pending: 0 },
  };
}

const LOST = failed({ kind: 'unreachable', reason: 'no connection' });

/** Follows a job in a scripted world, and gives what its story went through and how long was paused. */
async function follow(script: {
  readonly jobs: readonly RunAnswer<FetchedJob>[];
  readonly servers?: readonly RunAnswer<ServerList | 'pending'>[];
  readonly streams?: readonly ((listener: StreamListener) => void)[];
  readonly told?: (story: JobStory) => void;
}) {
  const [jobs, servers, streams] = [
    [...script.jobs],
    [...(script.servers ?? [])],
    [...(script.streams ?? [])],
  ];
  const seen: string[] = [];
  const pauses: number[] = [];
  const story: JobStory = new JobStory(() => {
    const now = `${story.stage.kind}${story.connection === 'lost' ? ', lost' : ''}`;
    if (seen.at(-1) !== now) seen.push(now);
    script.told?.(story);
  });
  const tools: FollowTools = {
    fetchJob: async () => jobs.shift() ?? failed({ kind: 'stopped' }),
    fetchServers: async () => servers.shift() ?? failed({ kind: 'stopped' }),
    openStream: (_, listener) => {
      const play = streams.shift();
      queueMicrotask(() => play?.(listener));
      return () => undefined;
    },
    pause: async (ms) => {
      pauses.push(ms);
    },
    now: () => 0,
  };
  await followJob(ID, tools, story, new AbortController().signal);
  return { story, seen, pauses, left: jobs.length + servers.length + streams.length };
}

t.test('a job is followed from the queue to its end', async (t) => {
  const { story, seen, left } = await follow({
    jobs: [ok(job('queued')), ok(job('complete'))],
    streams: [
      ({ event, connection }) => {
        connection('up');
        event(STARTED, 1);
        event(HALFWAY, 2);
        event(COMPLETE, 3);
      },
    ],
    servers: [ok('pending'), ok(SERVERS)],
  });
  t.same(seen, ['queued', 'running', 'ending', 'ended']);
  t.equal(story.servers, SERVERS);
  t.equal(left, 0);
});

t.test('while a job waits, its place is asked for again and again', async (t) => {
  const waits = (ahead: number) => ok({ ...job('queued'), ahead });
  const places: unknown[] = [];
  const start: { now: () => void } = { now: () => undefined };
  const { story, left } = await follow({
    jobs: [waits(2), waits(1), LOST, waits(0), ok(job('running')), ok(job('complete'))],
    streams: [
      ({ event }) => {
        start.now = () => {
          event(STARTED, 1);
          event(COMPLETE, 2);
        };
      },
    ],
    servers: [ok(SERVERS)],
    told: ({ stage }) => {
      if (stage.kind === 'queued') places.push(stage.ahead);
      if (stage.kind === 'queued' && stage.ahead === 0) queueMicrotask(() => start.now());
    },
  });
  t.same(places, [2, 1, 0]);
  t.same([story.stage.kind, left], ['ended', 0]);
});

t.test('a lost connection is restored, and what was told before is not told again', async (t) => {
  const { story, seen, pauses, left } = await follow({
    jobs: [ok(job('running')), LOST, LOST, ok(job('running')), ok(job('complete'))],
    streams: [
      ({ event, connection, closed }) => {
        event(STARTED, 1);
        event(exchange({ zone: '.', address: '192.0.2.1' }), 2);
        connection('lost');
        closed();
      },
      ({ event }) => {
        event(STARTED, 1);
        event(exchange({ zone: '.', address: '192.0.2.1' }), 2);
        event(exchange({ zone: '.', address: '192.0.2.2' }), 3);
        event(COMPLETE, 4);
      },
    ],
    servers: [ok(SERVERS)],
  });
  t.same(seen, ['running', 'running, lost', 'running', 'ending', 'ended']);
  t.equal(story.progress.heard, 2);
  t.same(pauses, [1_000, 1_000, 2_000], 'each attempt waits longer');
  t.equal(left, 0);
});

t.test('a service that says how long to wait is believed', async (t) => {
  const busy = failed({ kind: 'busy', detail: 'starting', retryAfterMs: 700 });
  const { seen, pauses } = await follow({ jobs: [busy, ok(job('failed'))], servers: [ok(SERVERS)] });
  t.same(seen, ['unknown, lost', 'ended']);
  t.same(pauses, [700]);
});

t.test('what cannot be followed', async (t) => {
  const gone = await follow({ jobs: [failed({ kind: 'no-such-job' })] });
  t.same(gone.seen, ['gone']);
  const restarted = await follow({
    jobs: [ok(job('running')), LOST, failed({ kind: 'no-such-job' })],
    streams: [({ closed }) => closed()],
  });
  t.same(restarted.seen, ['running', 'running, lost', 'gone']);
  const strange = await follow({ jobs: [failed({ kind: 'not-a-service', detail: 'HTTP status 302' })] });
  t.strictSame(strange.story.stage, { kind: 'strange', detail: 'HTTP status 302' });
  const garbled = await follow({
    jobs: [ok(job('running'))],
    streams: [({ strange }) => strange('event "started": is not JSON')],
  });
  t.same(garbled.seen, ['running', 'strange']);
});

t.test('without a server list the result stays', async (t) => {
  const { story, seen } = await follow({
    jobs: [ok(job('cancelled'))],
    servers: [LOST, failed({ kind: 'no-such-job' })],
  });
  t.same(seen, ['ended']);
  t.equal(story.servers, undefined);
});

t.test('jobs that a browser has shown', async (t) => {
  const question = { name: 'www.example.com', type: 'A', choices: {} };
  const other = { ...question, choices: { views: 'quick' } };
  const again = '00000000-0000-4000-8000-000000000001';
  const now = new Date('2026-01-01T12:00:00Z');
  const kept = withJob(withJob(null, question, ID, now), other, again, now);
  t.match(jobFor(kept, question), { id: ID, seenAt: '2026-01-01T12:00:00.000Z' });
  t.match(jobFor(kept, other), { id: again });
  t.equal(jobFor(kept, { ...question, type: 'MX' }), undefined);
  t.equal(readJobs(withJob(kept, question, ID, now)).length, 2, 'a job is kept once');
  for (const strange of [null, '', '{', '[1]', '[{"asked":"/","id":"x","seenAt":""}]'])
    t.same(readJobs(strange), [], `${strange}`);
});
