import { existsSync, readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { type JobPlace, JobWindow } from '../../src/cli/many/job-window.ts';
import { openLink } from '../service/link.ts';
import { type Spawned, startServe } from '../service/spawned.ts';
import { type Meddling, startDemoService, startProxy } from './demo-service.ts';
import { type Inside, inside } from './inside.ts';
import { ended, start } from './svc.ts';

/** Nobody is to be taken for dead because this machine is busy. */
const PATIENT = ['--demo', '--no-page', '--timeout', '5s'];

/** So many names that a run is caught in the middle of them. */
const NAMES = Array.from({ length: 12 }, (_, at) => `name${at}.shop.example`);

/** Where a list is, and where its lines go. */
function bulk(t: Test, names: readonly string[] = NAMES) {
  const dir = t.testdir({ 'names.txt': names.join('\n') });
  const [list, results] = [join(dir, 'names.txt'), join(dir, 'results.jsonl')];
  const command = (url: string) =>
    `traverse -f ${list} --quick --resume ${results} --server ${url}`.split(' ');
  const text = () => (existsSync(results) ? readFileSync(results, 'utf8') : '');
  const lines = () =>
    text()
      .split('\n')
      .filter((line) => line !== '');
  /** Resolves once there are so many lines. */
  const written = async (count: number) => {
    while (lines().length < count) await soon();
  };
  const done = () => lines().map((line) => `${JSON.parse(line).query.name}`.slice(0, -1));
  return { command, written, done, dir };
}

function soon(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}

async function kill(service: Spawned, signal: NodeJS.Signals): Promise<void> {
  service.kill(signal);
  await service.exit;
}

t.test('a service that dies in mid-run, and is started again', async (t) => {
  // Each waits until its service is back.
  t.jobs = 4;
  const rows: readonly (readonly [name: string, signal: NodeJS.Signals, store: 'memory' | 'directory'])[] = [
    ['killed, with all its jobs', 'SIGKILL', 'memory'],
    ['stopped, which cancels its jobs', 'SIGTERM', 'memory'],
    ['killed, with its jobs on disk', 'SIGKILL', 'directory'],
    ['stopped, with its jobs on disk', 'SIGTERM', 'directory'],
  ];
  for (const [name, signal, store] of rows) {
    t.test(name, async (t) => {
      const { command, written, done, dir } = bulk(t);
      const kept = store === 'memory' ? [] : ['--state', join(dir, 'jobs')];
      const serve = [...PATIENT, '--grace', '0s', ...kept];
      const first = await startServe(t, serve);
      const link = await openLink(t, first);
      const running = inside(command(link.url));
      await written(4);
      await kill(first, signal);
      const second = await startServe(t, serve);
      link.lead(second);
      const { status, stderr } = await running;
      t.equal(status, 0, stderr);
      t.same(done().sort(), [...NAMES].sort(), 'each name has one line');
      await kill(second, 'SIGKILL');
    });
  }
});

t.test('a run at a service that dies is resumed', async (t) => {
  const { command, written, done } = bulk(t);
  const service = await startServe(t, PATIENT);
  let posts = 0;
  // The fifth job is not accepted before the run is killed.
  const proxy = await startProxy(service.url, { handle: ({ method }) => method === 'POST' && ++posts > 4 });
  t.teardown(proxy.stop);
  const child = start(command(proxy.url));
  const gone = ended(child);
  await written(4);
  child.kill('SIGKILL');
  t.equal((await gone).status, null);
  const { status, stderr } = await inside(command(service.url));
  t.equal(status, 0, stderr);
  t.same(done().sort(), [...NAMES].sort(), 'each name has one line');
});

const TWO_NAMES: readonly string[] = ['www.shop.example', 'www.blog.test'];

t.test('trouble on the way', async (t) => {
  const service = await startDemoService();
  t.teardown(service.stop);

  /** A run over some names, usually two, through a proxy, and how many jobs it started. */
  const run = async (t: Test, meddling: Meddling, around: Inside = {}, names = TWO_NAMES) => {
    const { command, done } = bulk(t, names);
    let posts = 0;
    const { handle = () => false } = meddling;
    const proxy = await startProxy(service.url, {
      ...meddling,
      handle: (message, response) => {
        const isHandled = handle(message, response);
        if (message.method === 'POST' && !isHandled) posts += 1;
        return isHandled;
      },
    });
    t.teardown(proxy.stop);
    const ran = await inside(command(proxy.url), around);
    return { ...ran, posts, done: done().sort() };
  };

  t.test('what is refused while a job is followed does not start it again', async (t) => {
    const rows: readonly (readonly [path: RegExp, name: string])[] = [
      [/\/events$/, 'its events'],
      [/\/api\/traverse\/[^/]+$/, 'its result'],
    ];
    for (const [path, name] of rows) {
      t.test(name, async (t) => {
        const refuse = nTimes(2, path, (response) => busy(response));
        const { status, stderr, posts, done } = await run(t, { handle: refuse });
        t.equal(status, 0, stderr);
        t.same(done, ['www.blog.test', 'www.shop.example']);
        t.equal(posts, 2);
        t.match(stderr, /^svc: No room; waiting until \d\d:\d\d:\d\d \(1s\)\nsvc: 2 names: [^\n]+\n$/);
      });
    }
  });

  t.test('a proxy behind which the service is gone for a moment', async (t) => {
    const { status, stderr, posts, done } = await run(t, {
      handle: nTimes(1, /\/events$/, (response) => void response.writeHead(502).end('<h1>Bad gateway</h1>')),
    });
    t.equal(status, 0, stderr);
    t.same(done, ['www.blog.test', 'www.shop.example']);
    t.equal(posts, 2);
    t.match(
      stderr,
      /^svc: cannot reach \S+: a proxy replies with HTTP status 502; trying again for 10m\. Ctrl-C loses nothing: run the same command to resume\nsvc: the service is back\n/,
    );
  });

  t.test('a job that the service does not know any more is started again', async (t) => {
    const { status, stderr, posts, done } = await run(t, { handle: nTimes(1, /\/events$/, lost) });
    t.equal(status, 0, stderr);
    t.same(done, ['www.blog.test', 'www.shop.example']);
    t.equal(posts, 3);
  });

  t.test('a job whose identifier is lost on its way back is started again, and has one line', async (t) => {
    let state: 'unknown' | 'reached' | 'broken' = 'unknown';
    const cutAfter: Meddling['cutAfter'] = ({ method }) => {
      if (method === 'GET' && state === 'unknown') state = 'reached';
      if (method === 'GET' || state !== 'reached') return Number.POSITIVE_INFINITY;
      state = 'broken';
      return 1;
    };
    const { status, stderr, posts, done } = await run(t, { cutAfter }, {}, NAMES);
    t.equal(status, 0, stderr);
    t.same(done, [...NAMES].sort());
    t.equal(posts, NAMES.length + 1);
    t.match(stderr, /cannot reach \S+: [^\n]+; trying again for 10m/);
  });

  t.test('a job that was dropped from a full queue is started again', async (t) => {
    const error = { title: 'Crowded out', detail: 'The job queue was full.' };
    const dropped = (response: ServerResponse) =>
      void response
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end(JSON.stringify({ status: 'failed', error }));
    const { status, stderr, posts, done } = await run(t, { handle: nTimes(1, /traverse\/[^/]+$/, dropped) });
    t.equal(status, 0, stderr);
    t.same(done, ['www.blog.test', 'www.shop.example']);
    t.equal(posts, 3);
  });

  t.test('but not for ever', async (t) => {
    const { status, stderr, posts, done } = await run(t, { handle: nTimes(100, /\/events$/, lost) });
    t.equal(status, 3);
    t.same([done, posts], [[], 6]);
    t.match(stderr, /names\.txt line 1: http:\S+ failed: it lost the job 3 times\n/);
    t.match(stderr, /names\.txt line 2: http:\S+ failed: it lost the job 3 times\n/);
  });

  t.test(
    'a service that is gone for good is not called for ever, and a wait can be interrupted',
    async (t) => {
      const { status, stderr } = await run(
        t,
        { handle: nTimes(100, /\/events$/, (response) => void response.writeHead(504).end()) },
        { onStderr: (written, interrupt) => /trying again/.test(written) && interrupt() },
      );
      t.equal(status, 130);
      t.match(stderr, /\nsvc: interrupted; run the same command to resume\n$/);
    },
  );
});

type Handle = NonNullable<Meddling['handle']>;

/** Handles so many of the requests for a path. */
function nTimes(times: number, path: RegExp, reply: (response: ServerResponse) => void): Handle {
  let left = times;
  return ({ method, url = '' }, response) => {
    if (method !== 'GET' || !path.test(url) || left === 0) return false;
    left -= 1;
    reply(response);
    return true;
  };
}

function busy(response: ServerResponse): void {
  problem(response, 503, 'No room', { 'Retry-After': '1' });
}

function lost(response: ServerResponse): void {
  problem(response, 404, 'There is no such job.');
}

function problem(response: ServerResponse, status: number, detail: string, headers = {}): void {
  const type = { 'Content-Type': 'application/problem+json', ...headers };
  response.writeHead(status, type).end(JSON.stringify({ detail }));
}

t.test('how many jobs a service is given', async (t) => {
  /** A run that wants as many as it gets. */
  const run = (most: number) => {
    const jobs = new JobWindow(most);
    const { signal } = new AbortController();
    const places: JobPlace[] = [];
    const take = (): Promise<void> =>
      jobs.take(signal).then((place) => {
        if (place === undefined) return;
        places.push(place);
        return take();
      });
    void take();
    const settle = async () => {
      for (let turn = 0; turn < 600; turn += 1) await Promise.resolve();
      return places.length;
    };
    return { places, settle };
  };

  t.test('some of them wait there', async (t) => {
    const { places, settle } = run(256);
    t.equal(await settle(), 8, 'without knowing what it can do');
    for (const place of places) place.accepted();
    t.equal(await settle(), 8);
    for (const place of places) place.started();
    t.equal(await settle(), 16, 'the more run, the more are given');
    for (const { started } of places.slice(8, 12)) started();
    t.equal(await settle(), 20, 'twelve run, eight wait');
    for (let round = 0; round < 40; round += 1) {
      for (const { accepted, started } of places.slice(20)) {
        accepted();
        started();
      }
      for (const { started } of places) started();
      await settle();
    }
    t.equal(await settle(), 256, 'but there is a bound');
    places[0]?.leave();
    places[0]?.leave();
    places[0]?.started();
    t.equal(await settle(), 257, 'a place is left once');
  });

  t.test('after a refusal, no more than it took', async (t) => {
    const { places, settle } = run(256);
    await settle();
    for (const { accepted, started } of places.slice(0, 5)) {
      accepted();
      started();
    }
    t.equal(await settle(), 13);
    for (const { refused } of places.slice(5)) refused();
    for (const { leave } of places.slice(0, 5)) leave();
    t.equal(await settle(), 13, 'eight are yet to be accepted, where it took five');
    let left = 5;
    const serve = async (count: number) => {
      for (const { accepted, leave } of places.slice(left, left + count)) {
        accepted();
        leave();
      }
      left += count;
      return (await settle()) - left;
    };
    t.equal(await serve(4), 5);
    t.equal(await serve(5), 6, 'which it may try to exceed again');
    for (const { crowded } of places.slice(left)) crowded();
    t.equal(await serve(5), 3, 'nor more than can be followed');
    for (let round = 0; round < 40; round += 1) await serve(1);
    t.ok((await serve(1)) >= 5, 'for a while');
  });

  t.test('nobody waits for a place in a run that is stopped', async (t) => {
    const jobs = new JobWindow(1);
    const stop = new AbortController();
    const first = await jobs.take(stop.signal);
    const second = jobs.take(stop.signal);
    stop.abort();
    t.equal(await second, undefined);
    t.equal(await jobs.take(stop.signal), undefined);
    first?.leave();
  });
});
