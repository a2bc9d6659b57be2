import t, { type Test } from 'tap';
import { startHeartbeat } from '../../src/base/clock.ts';
import { unpacked } from '../../src/base/packing.ts';
import { parseName } from '../../src/dns/name.ts';
import { traversalOptions } from '../../src/document/options.ts';
import { readResult } from '../../src/document/read-result.ts';
import { CHOSEN_VIEWS } from '../../src/evaluate/views.ts';
import { createPacer } from '../../src/exchange/pacer.ts';
import { EMPTY_DENY_LIST } from '../../src/explore/policy.ts';
import { parseRootHints } from '../../src/explore/root-hints.ts';
import { demoWorld } from '../../src/lab/demo-world.ts';
import { startLab } from '../../src/lab/lab.ts';
import type { World } from '../../src/lab/world.ts';
import { zoneText } from '../../src/lab/zone-text.ts';
import { QUESTIONS } from '../../src/traversal/fingerprint.ts';
import { replay } from '../../src/traversal/node-replay.ts';
import type { Traversed } from '../../src/traversal/threads/evaluation-order.ts';
import type { SendingLeave, SerialisedEvent } from '../../src/traversal/threads/messages.ts';
import { WorkerPool } from '../../src/traversal/threads/pool.ts';
import { ALONE, type TraversalPlace } from '../../src/traversal/threads/worker-thread.ts';
import { createFakeClock } from '../base/fake-clock.ts';

const QUICK = traversalOptions({
  views: ['resolver'],
  rate: 0,
  timeoutMs: 300,
  retries: 1,
  specialTargets: 'allowed',
});
/** Whoever asks a dead server with these waits until the test is over. */
const PATIENT = traversalOptions({ ...QUICK, families: [4], timeoutMs: 60_000, retries: 0 });

/** Built: it starts much faster than its source, and these tests start many. */
const program = new URL('../../dist/worker.js', import.meta.url);
const evaluationProgram = new URL('../../dist/evaluation-worker.js', import.meta.url);

type Settings = Partial<ConstructorParameters<typeof WorkerPool>[0]>;

async function poolIn(t: Test, world: World, settings: Settings = {}) {
  const lab = await startLab(world);
  const pacer = createPacer({ ratePerAddress: 0, totalInFlight: 64 });
  const { beats, stop: stopBeating } = startHeartbeat();
  const network = { hints: parseRootHints(lab.hints), routes: lab.endpoints, beats };
  const pool = new WorkerPool({ network, pacer, program, evaluationProgram, ...settings });
  t.teardown(async () => {
    await pool.close();
    stopBeating();
    await lab.close();
  });
  const run = (name: string, options = QUICK, stop = new AbortController(), place = ALONE) => {
    const events: SerialisedEvent[] = [];
    const wakers = new Set<() => void>();
    const emit = (event: SerialisedEvent) => {
      events.push(event);
      for (const wake of wakers) wake();
    };
    const request = { question: { name: parseName(name), type: 'A' }, options };
    const ended = pool.traverse(request, { emit, signal: stop.signal, place });
    /** Resolves when so many of these events have come. */
    const told = async (event: SerialisedEvent['event'], count: number) => {
      while (events.filter((one) => one.event === event).length < count)
        await new Promise<void>((resolve) => wakers.add(resolve));
    };
    return { ended, events, stop, told };
  };
  return { pool, run };
}

/** The whole result: the first piece is what is sent without evidence. */
async function resultOf(traversed: Traversed) {
  if (traversed.kind !== 'evaluated') throw new Error(JSON.stringify(traversed));
  const [, ...whole] = await Promise.all(traversed.result.map(unpacked));
  return JSON.parse(Buffer.concat(whole).toString());
}

t.test('traversals in threads', async (t) => {
  const { pool, run } = await poolIn(t, demoWorld(), { threads: 2 });

  t.test('bring results and tell events, as text', async (t) => {
    const { ended, events } = run('www.mixed.example');
    const traversed = await ended;
    const result = await resultOf(traversed);
    t.match(traversed, { conclusion: { status: 'complete', durationMs: result.durationMs } });
    if (traversed.kind !== 'evaluated') return;
    t.same(traversed.conclusion.verdict, result.verdict);
    t.match(JSON.parse(traversed.conclusion.data), {
      status: 'complete',
      verdict: result.verdict,
      users: result.users,
    });
    t.equal(events[0]?.event, 'started');
    t.match(JSON.parse(events[0]?.data ?? ''), { query: { name: 'www.mixed.example.', type: 'A' } });
    t.notHas(JSON.parse(events[0]?.data ?? ''), { attempt: 1 });
    const exchanges = events.flatMap((event) => (event.event === 'exchange' ? [event] : []));
    t.equal(exchanges.length, result.exchanges.length);
    const { id, server, zone, bytes = 0 } = JSON.parse(exchanges[0]?.data ?? '');
    t.equal(id, 'x1');
    t.match(exchanges[0], { met: { ...server, zones: [zone] }, heardBytes: bytes, packets: 1 });
  });

  t.test('run side by side', async (t) => {
    const all = await Promise.all(Array.from({ length: 8 }, () => run('www.shop.example').ended));
    const [first, ...others] = (await Promise.all(all.map(resultOf))).map(
      ({ views }) => views['first-tries'].outcomes,
    );
    for (const outcomes of others) t.same(outcomes, first);
  });

  t.test('end with what was known when they are cancelled', async (t) => {
    const { ended, stop } = run('www.mixed.example');
    stop.abort();
    t.match(await ended, { kind: 'evaluated', conclusion: { status: 'cancelled' } });
    const before = new AbortController();
    before.abort();
    t.match(await run('www.mixed.example', QUICK, before).ended, { conclusion: { status: 'cancelled' } });
  });

  t.test('servers that have become ones to leave alone are not asked who they are', async (t) => {
    const [name, zone, other] = [parseName('ns1.example'), parseName('a.test'), parseName('b.test')];
    const met = {
      address: '198.51.100.2',
      names: [name],
      zones: [zone, other],
      reaction: 'replied',
    } as const;
    for (const [what, list, expected] of [
      ['its address', { prefixes: ['198.51.100.0/24'], names: [] }, 'blocked'],
      ['its name', { prefixes: [], names: [parseName('example')] }, 'blocked'],
      ['all its zones', { prefixes: [], names: [parseName('test')] }, 'blocked'],
      ['one of its zones', { prefixes: [], names: [zone] }, undefined],
      ['somebody else', { prefixes: ['203.0.113.0/24'], names: [] }, undefined],
    ] as const) {
      pool.deny(list);
      const { fingerprint, packets } = await pool.identify(met, QUICK, new AbortController().signal);
      const { versionBind: told } = fingerprint;
      t.equal(told.status === 'skipped' ? told.reason : undefined, expected, what);
      t.equal(packets === 0, expected === 'blocked');
    }
    pool.deny(EMPTY_DENY_LIST);
  });

  t.test('whether a server is to be left alone is judged by all its names', async (t) => {
    const names = Array.from({ length: 20 }, (_, at) => parseName(`ns${at}.example`));
    const met = {
      address: '198.51.100.2',
      names: names.slice(0, 16),
      namesOmitted: 4,
      zones: [],
      reaction: 'replied',
    } as const;
    const last = { prefixes: [], names: [parseName('ns19.example')] };
    for (const [what, allNames, list, expected] of [
      ['one that is not shown', names, last, 'blocked'],
      ['none of them', names, { prefixes: [], names: [parseName('ns20.example')] }, undefined],
      ['one that is not known, perhaps', 'unknown', last, 'blocked'],
      ['somebody else by address', 'unknown', { prefixes: ['203.0.113.0/24'], names: [] }, undefined],
    ] as const) {
      pool.deny(list);
      const server = { ...met, allNames };
      const { fingerprint } = await pool.identify(server, QUICK, new AbortController().signal);
      const { versionBind: told } = fingerprint;
      t.equal(told.status === 'skipped' ? told.reason : undefined, expected, what);
    }
    pool.deny(EMPTY_DENY_LIST);
  });

  t.test('servers say who they are', async (t) => {
    const met = { address: '198.51.100.2', names: [], zones: [], reaction: 'replied' } as const;
    const signal = new AbortController().signal;
    t.match(await pool.identify(met, QUICK, signal), {
      fingerprint: { versionBind: {}, nsid: {} },
      packets: QUESTIONS,
    });
    const stop = new AbortController();
    const identified = pool.identify(met, QUICK, stop.signal);
    stop.abort('enough');
    await t.rejects(
      identified.catch((reason) => Promise.reject(new Error(reason))),
      { message: 'enough' },
    );
  });
});

/** Who asks for `x` hears a referral, and nothing from then on; who asks for `silent` hears nothing. */
const WORLD: World = {
  servers: [
    {
      name: 'a.root.',
      addresses: ['127.0.10.1'],
      zones: [
        zoneText(
          '.',
          `
            @      NS a.root.
            a.root A  127.0.10.1
            x      NS ns.x.
            ns.x   A  127.0.10.2
            www    A  192.0.2.80
          `,
        ),
      ],
      faults: [{ kind: 'dead', only: { name: 'silent.' } }],
    },
    { name: 'ns.x.', addresses: ['127.0.10.2'], faults: [{ kind: 'dead' }] },
  ],
};

t.test('a traversal says all names of the servers that it met', async (t) => {
  const many = Array.from({ length: 20 }, (_, at) => parseName(`ns${at}.many`));
  const delegation = many.map((name) => `many NS ${name}\n${name} A 127.0.10.3\n`).join('');
  const root = `@ NS a.root.\na.root A 127.0.10.1\n${delegation}`;
  const { run } = await poolIn(t, {
    servers: [
      { name: 'a.root.', addresses: ['127.0.10.1'], zones: [zoneText('.', root)] },
      { name: 'ns0.many.', addresses: ['127.0.10.3'], zones: [zoneText('many.', '@ NS ns0')] },
    ],
  });
  const traversed = await run('www.many', { ...QUICK, families: [4] }).ended;
  t.equal(traversed.kind, 'evaluated');
  if (traversed.kind !== 'evaluated') return;
  const [one, other] = traversed.met;
  t.strictSame(one?.allNames, undefined, 'they are those that are shown');
  t.match(other, { names: [...many].sort().slice(0, 16), namesOmitted: 4 });
  t.same(other?.allNames === 'unknown' ? [] : [...(other?.allNames ?? [])].sort(), [...many].sort());
});

t.test('a traversal counts the packets of what was cut off, too', async (t) => {
  const { run } = await poolIn(t, WORLD, { threads: 1 });
  const { ended, events } = run('www.x', { ...QUICK, families: [4], maxPackets: 2 });
  t.match(await ended, { kind: 'evaluated', packets: 3 }, 'the one at which it was cut off counts');
  t.equal(events.filter(({ event }) => event === 'exchange').length, 1);
});

/** The same, but it dies when it is to cancel a task with an even number. */
const mortal = programOf(`
  await import(${JSON.stringify(program.href)});
  parentPort.on('message', ({ kind, task }) => {
    if (kind === 'cancel' && task % 2 === 0) throw Object.assign(new Error('full'), { code: 'ERR_WORKER_OUT_OF_MEMORY' });
  });
`);

function programOf(text: string): URL {
  const imports = "import { parentPort, workerData } from 'node:worker_threads';";
  return new URL(`data:text/javascript,${encodeURIComponent(`${imports}\n${text}`)}`);
}

const TOO_MUCH = {
  kind: 'failed',
  error: {
    title: 'Too much work',
    detail: 'The traversal was too much for one thread: the thread ran out of memory.',
  },
};

t.test('a thread that dies fails the job that heard most', async (t) => {
  const { run } = await poolIn(t, WORLD, { threads: 1, program: mortal });
  const [light, heavy] = [run('silent', PATIENT), run('www.x', PATIENT)];
  await heavy.told('exchange', 1);
  heavy.stop.abort();
  t.same(await heavy.ended, TOO_MUCH);
  await light.told('started', 2);
  const [first, second] = light.events.map(({ data }) => JSON.parse(data));
  t.equal(first.attempt, undefined);
  t.equal(second.attempt, 2, 'the other runs again, and says so');
  t.match(
    (await resultOf(await run('www').ended)).views['first-tries'].outcomes,
    [{ records: [{ data: '192.0.2.80' }] }],
    'life goes on',
  );
  light.stop.abort();
  t.match(await light.ended, { kind: 'evaluated', conclusion: { status: 'cancelled' } });
});

/** The same, but it never comes back from cancelling a task. */
const spinning = programOf(`
  await import(${JSON.stringify(program.href)});
  parentPort.on('message', ({ kind }) => { while (kind === 'cancel'); });
`);

t.test('a thread that takes no messages any more ends', async (t) => {
  const clock = createFakeClock();
  const { run } = await poolIn(t, WORLD, { clock, program: spinning });
  const { ended, stop, told } = run('silent', PATIENT);
  await told('started', 1);
  stop.abort();
  for (let time = 0; time <= 40_000; time += 10_000) await clock.advance(10_000);
  t.match(await ended, { kind: 'failed', error: { detail: /: it held the thread up for 30 s\.$/ } });
  t.match(await run('www').ended, { kind: 'evaluated' }, 'life goes on');
});

t.test('a job runs twice at most', async (t) => {
  const { run } = await poolIn(t, WORLD, { threads: 1, program: mortal });
  const light = run('silent', PATIENT);
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    await light.told('started', attempt);
    const heavy = run('www.x', PATIENT);
    await heavy.told('exchange', 1);
    heavy.stop.abort();
    t.match(await heavy.ended, { kind: 'failed' });
  }
  t.match(await light.ended, TOO_MUCH);
});

t.test('a job that runs once more has what is left of its packets and its time', async (t) => {
  for (const [limit, ending] of [
    [{ maxPackets: 1 }, 'query-limit'],
    [{ maxTimeMs: 10_000 }, 'time-limit'],
  ] as const) {
    const clock = createFakeClock();
    const { run } = await poolIn(t, WORLD, { threads: 1, clock, program: mortal });
    const light = run('silent', { ...PATIENT, ...limit });
    const heavy = run('www.x', PATIENT);
    await heavy.told('exchange', 1);
    await clock.advance(10_001);
    heavy.stop.abort();
    t.match(await heavy.ended, { kind: 'failed' });
    const result = await resultOf(await light.ended);
    t.equal(light.events.filter(({ event }) => event === 'started').length, 2);
    t.equal(light.events.filter(({ event }) => event === 'exchange').length, 0);
    t.match(result.views['first-tries'].outcomes, [{ kind: ending }]);
    t.same(result.exchanges, []);
  }
});

t.test('who is asked who it is when the list comes to name it is asked no further', async (t) => {
  const { pool } = await poolIn(t, WORLD, { threads: 1 });
  const name = parseName('ns.x');
  const met = { address: '127.0.10.2', names: [name], zones: [], reaction: 'replied' } as const;
  // The server is silent: the second try of each question would come after the list.
  const identified = pool.identify(met, QUICK, new AbortController().signal);
  pool.deny({ prefixes: [], names: [name] });
  const { fingerprint, packets } = await identified;
  t.match(fingerprint.versionBind, { status: 'skipped', reason: 'blocked' });
  t.ok(packets <= QUESTIONS, `${packets} packets`);
});

// Newer V8s give up as a whole when memory this small runs out while a thread is only being loaded.
const skip = !process.version.startsWith('v20.') && 'only with a limit as large as the real one';

const WHOLE = { ...QUICK, views: CHOSEN_VIEWS };

t.test('a recording is evaluated in another thread as it is here', async (t) => {
  const { run } = await poolIn(t, demoWorld(), { threads: 1 });
  const whole = await resultOf(await run('www.mixed.example', WHOLE).ended);
  t.same(
    whole.views['first-tries'].outcomes,
    (await resultOf(await run('www.mixed.example', QUICK).ended)).views['first-tries'].outcomes,
  );
  t.same(replay(readResult(whole)).findings, whole.findings);
});

/** It evaluates, but never comes to an end with one name. */
const endless = programOf(`
  const program = ${JSON.stringify(new URL('./evaluation-worker.js', program).href)};
  parentPort.on('message', ({ octets }) => { while (Buffer.from(octets).includes('www.mixed.example')); });
  await import(program);
`);

t.test('an evaluation that takes too long fails, and nothing else does', async (t) => {
  const clock = createFakeClock();
  const settings = { threads: 1, clock, evaluationProgram: endless, evaluationMs: 50 };
  const { run } = await poolIn(t, demoWorld(), settings);
  const long = run('www.mixed.example', WHOLE).ended;
  const passing = setInterval(() => void clock.advance(60), 20);
  t.match(await long, { kind: 'failed', error: { detail: /: it took longer than 50 ms\.$/ } });
  clearInterval(passing);
  t.match(await run('www.shop.example', { ...QUICK, families: [4] }).ended, { kind: 'evaluated' });
});

t.test('a pool that is closed drops what its threads do, whatever that is', async (t) => {
  const { pool, run } = await poolIn(t, WORLD, { threads: 1 });
  const running = [run('silent', PATIENT), run('www.x', PATIENT)];
  await running[1]?.told('exchange', 1);
  const met = { address: '127.0.10.2', names: [], zones: [], reaction: 'replied' } as const;
  const identified = pool.identify(met, PATIENT, new AbortController().signal);
  const refused = t.rejects(identified, { message: 'a server was not identified: dropped' });
  await pool.close();
  await refused;
  for (const { ended } of running) t.same(await ended, { kind: 'dropped' });
  t.same(await run('www').ended, { kind: 'dropped' });
});

t.test('a thread that runs out of memory takes only its own jobs with it', { skip }, async (t) => {
  const { run } = await poolIn(t, WORLD, { threads: 1, memoryMiB: 1 });
  t.match(await run('www').ended, {
    kind: 'failed',
    error: { detail: 'The traversal was too much for one thread: the thread ran out of memory.' },
  });
});

t.test('a traversal sends only with leave, and says what it wants', async (t) => {
  const { run } = await poolIn(t, demoWorld(), { threads: 1 });
  const wanting = awaited<number>();
  let tell: (leave: SendingLeave) => void = () => {};
  const place: TraversalPlace = {
    ...ALONE,
    sending: (listener) => {
      tell = listener;
      tell('waits');
      return () => {};
    },
    wants: wanting.come,
  };
  const { ended, events } = run('www.mixed.example', QUICK, new AbortController(), place);
  t.ok((await wanting.came) > 0);
  t.same(
    events.map(({ event }) => event),
    ['started'],
  );
  tell('may-send');
  t.match(await ended, { kind: 'evaluated', conclusion: { status: 'complete' } });
  t.ok(events.some(({ event }) => event === 'exchange'));
});

/** Something that comes once. */
function awaited<T>() {
  let come: (value: T) => void = () => {};
  const came = new Promise<T>((resolve) => {
    come = resolve;
  });
  return { came, come: (value: T) => come(value) };
}
