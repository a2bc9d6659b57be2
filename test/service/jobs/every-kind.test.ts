import t, { type Test } from 'tap';
import { systemClock } from '../../../src/base/clock.ts';
import { unpacked } from '../../../src/base/packing.ts';
import { parseName } from '../../../src/dns/name.ts';
import { resultTexts } from '../../../src/service/jobs/job.ts';
import { createFakeClock, settled } from '../../base/fake-clock.ts';
import { answerView, SERVER } from '../fake-engine.ts';
import { eventsOf, type Kind, processesOf, REQUEST, until, untilCounted } from './every-kind.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';

for (const kind of ['memory', 'directory', 'postgres'] as const satisfies readonly Kind[]) {
  t.test(kind, async (t) => {
    t.test('a job from its start to its list of servers', async (t) => {
      const { process, told } = await processesOf(t, kind);
      const { engine, jobs, submit, find, status } = await process();
      t.same([jobs.kind, jobs.state], [kind, { status: 'ok' }]);
      const id = await submit();
      await until(() => engine.runs.length === 1);
      t.equal(await status(id), 'running');
      await untilCounted(jobs, { queued: 0, running: 1, retained: 0 });
      const followed = await find(id, 'events');
      const stop = followed.events.subscribe(() => {});
      engine.runs[0]?.exchange('192.0.2.53');
      engine.runs[0]?.finish();
      await until(() => engine.fingerprintings.length === 1);
      engine.fingerprintings[0]?.finish();
      await until(() => followed.events.ended);
      stop();
      t.same(
        eventsOf(followed).map(([at, name]) => [at, name]),
        [
          [1, 'started'],
          [2, 'exchange'],
          [3, 'complete'],
          [4, 'servers'],
        ],
      );
      t.same(eventsOf(await find(id, 'events')), eventsOf(followed), 'who comes late reads the same');
      const { state, progress, owner } = await find(id, 'result');
      t.match(
        { state, progress, owner },
        { state: { status: 'complete' }, progress: { exchanges: 1, pending: 0 } },
      );
      const { full: result = [] } = (await resultTexts({ state })) ?? {};
      const text = Buffer.concat(await Promise.all(result.map(unpacked))).toString();
      t.match(JSON.parse(text), { schema: 3, query: { name: 'www.example.' } });
      t.match(JSON.parse(String((await find(id, 'servers')).servers)), { status: 'ready' });
      await until(() => told.length === 2, 'the notice of the end');
      t.same(told, ['started', 'complete']);
      await untilCounted(jobs, { queued: 0, running: 0, retained: 1 });
    });

    t.test('a key stands for the request that it first came with', async (t) => {
      const { process } = await processesOf(t, kind);
      const { trySubmit } = await process();
      const other = { ...REQUEST, question: { ...REQUEST.question, type: 'AAAA' } };
      const ids: Record<string, string> = {};
      const rows = [
        ['first', '192.0.2.1', REQUEST, 'key', 'first'],
        ['the same again', '192.0.2.1', REQUEST, 'key', 'first'],
        ['another request', '192.0.2.1', other, 'key', 'key-used'],
        ['another key', '192.0.2.1', REQUEST, 'key2', 'another key'],
        ['another client', '198.51.100.1', other, 'key', 'another client'],
        ['no key', '192.0.2.1', REQUEST, undefined, 'no key'],
      ] as const;
      for (const [what, client, request, key, expected] of rows) {
        const submitted = await trySubmit(client, request, key);
        const id = submitted.kind === 'queued' ? submitted.job.id : submitted.kind;
        ids[what] ??= id;
        t.equal(id, ids[expected] ?? expected, what);
      }
      t.equal(new Set(Object.values(ids)).size, 5);
    });

    t.test('nobody knows a job that there is not', async (t) => {
      const { jobs } = await (await processesOf(t, kind)).process();
      for (const id of [NOBODY, 'www.example', '']) t.equal(await jobs.find(id, 'events'), undefined);
    });

    t.test('the history of a name', async (t) => {
      const { process } = await processesOf(t, kind);
      const { engine, jobs, trySubmit, status } = await process();
      /** Runs a job to its end, and gives its identifier. */
      const ended = async (name: string, type: string) => {
        const runs = engine.runs.length;
        const request = { ...REQUEST, question: { name: parseName(name), type } };
        const submitted = await trySubmit('192.0.2.1', request);
        if (submitted.kind !== 'queued') throw new Error('it was refused');
        await until(() => engine.runs.length > runs);
        engine.runs[runs]?.finish();
        await until(async () => (await status(submitted.job.id)) === 'complete');
        return submitted.job.id;
      };
      const first = await ended('www.example', 'A');
      const other = await ended('other.example', 'A');
      const second = await ended('www.example', 'AAAA');
      const third = await ended('www.example', 'A');
      await trySubmit();
      await until(() => engine.runs.length === 5);
      const job = (id: string) => ({ kind: 'job', id }) as const;
      const at = (ms: number) => ({ kind: 'time', at: new Date(ms) }) as const;
      for (const [what, asked, expected, before] of [
        ['the last first, without that which runs', {}, [third, second, first], undefined],
        ['of a type', { type: 'A' }, [third, first], undefined],
        ['of another name', { name: 'other.example.' }, [other], undefined],
        ['of a name that nobody asked for', { name: 'none.example.' }, [], undefined],
        ['as many as are wanted', { limit: 2 }, [third, second], second],
        ['and those before', { limit: 2, before: job(second) }, [first], undefined],
        ['before a job of another name', { before: job(other) }, [first], undefined],
        ['before a job that is not known', { before: job(NOBODY) }, [], undefined],
        [
          'before a moment in the future',
          { before: at(Date.now() + 3_600_000) },
          [third, second, first],
          undefined,
        ],
        ['before a moment long ago', { before: at(0) }, [], undefined],
      ] as const) {
        const past = await jobs.history({ name: 'www.example.', limit: 10, ...asked });
        if (past === 'away') throw new Error(past);
        t.same([past.jobs.map(({ id }) => id), past.before], [expected, before], what);
        for (const { state } of past.jobs) t.match(state, { status: 'complete', finishedAt: Date });
      }
    });

    t.test('a job that runs is cancelled, and then it has ended', async (t) => {
      const { process, told } = await processesOf(t, kind);
      const { engine, jobs, submit, find, status } = await process();
      const id = await submit();
      await until(() => engine.runs.length === 1);
      t.equal(await jobs.cancel(await find(id)), 'ended');
      t.equal(await status(id), 'cancelled');
      t.equal(engine.runs[0]?.signal.aborted, true);
      t.equal(await jobs.cancel(await find(id)), 'ended', 'once more changes nothing');
      await until(() => told.length === 2, 'the notice of the end');
      t.same(told, ['started', 'cancelled']);
    });

    t.test('a job that waits is cancelled, and never starts', async (t) => {
      const { process, told } = await processesOf(t, kind);
      const { engine, jobs, submit, find, status } = await process();
      const [running, waiting] = [await submit(), await submit()];
      await until(() => engine.runs.length === 1);
      t.equal(await jobs.cancel(await find(waiting)), 'ended');
      t.equal(await status(waiting), 'cancelled');
      await until(async () => (await find(waiting, 'servers')).servers !== undefined);
      t.same(
        eventsOf(await find(waiting, 'events')).map(([, name]) => name),
        ['complete', 'servers'],
      );
      engine.runs[0]?.finish();
      await until(async () => (await status(running)) === 'complete');
      t.equal(engine.runs.length, 1);
      await until(() => told.length === 3, 'the notice of the end');
      t.same(told, ['started', 'cancelled', 'complete']);
    });

    t.test('there is room for so many, in the queue and for each client', async (t) => {
      const { process } = await processesOf(t, kind, { maxQueue: 3, maxQueuePerClient: 2 });
      const { engine, submit, trySubmit } = await process();
      await submit();
      await until(() => engine.runs.length === 1);
      await submit();
      await submit();
      t.match(await trySubmit(), { kind: 'refused', why: 'client-queue-full' });
      t.match(await trySubmit('192.0.2.2'), { kind: 'queued' });
      t.match(await trySubmit('192.0.2.2'), { kind: 'refused', why: 'queue-full' });
    });

    t.test('in a full queue the jobs of whoever has most make room', async (t) => {
      const { process, told } = await processesOf(t, kind, { maxQueue: 3, maxQueuePerClient: 3 });
      const { engine, submit, status } = await process();
      const greedy = [await submit()];
      await until(() => engine.runs.length === 1);
      for (let count = 0; count < 3; count += 1) greedy.push(await submit());
      const others = [await submit('198.51.100.1'), await submit('203.0.113.1')];
      await until(() => told.filter((one) => one === 'failed').length === 2, 'two that make room');
      t.same(await Promise.all(greedy.map(status)), ['running', 'queued', 'failed', 'failed']);
      t.same(await Promise.all(others.map(status)), ['queued', 'queued']);
    });

    t.test('whoever comes waits for one job at most of a client that has several', async (t) => {
      const { process } = await processesOf(t, kind);
      const { engine, submit, status } = await process();
      await submit();
      await until(() => engine.runs.length === 1);
      const [, third, others] = [await submit(), await submit(), await submit('192.0.2.2')];
      engine.runs[0]?.finish();
      await until(() => engine.runs.length === 2);
      engine.runs[1]?.finish();
      await until(() => engine.runs.length === 3);
      t.same([await status(third), (await status(others)) === 'queued'], ['queued', false]);
    });

    t.test('of one client no more run than may, and as one ends the next begins', async (t) => {
      const { process } = await processesOf(t, kind, { maxJobs: 4, maxJobsPerClient: 2 });
      const { engine, jobs, submit, status, find } = await process();
      const ids: string[] = [];
      for (let count = 0; count < 6; count += 1) ids.push(await submit());
      await until(() => engine.runs.length === 2);
      const other = await submit('192.0.2.2');
      await until(() => engine.runs.length === 3);
      const statuses = async () => (await Promise.all(ids.map(status))).join(' ');
      t.equal(await statuses(), 'running running queued queued queued queued');
      t.equal(await status(other), 'running', 'who comes later has room');
      await untilCounted(jobs, { queued: 4, running: 3, retained: 0 });
      t.equal(await jobs.cancel(await find(ids[2] ?? '')), 'ended');
      engine.runs[0]?.finish();
      await until(() => engine.runs.length === 4);
      await until(async () => (await statuses()) === 'complete running cancelled running queued queued');
      t.equal(await jobs.cancel(await find(ids[3] ?? '')), 'ended');
      await until(() => engine.runs.length === 5);
      engine.runs[4]?.finish();
      await until(() => engine.runs.length === 6);
      await until(async () => (await statuses()) === 'complete running cancelled cancelled complete running');
      await untilCounted(jobs, { queued: 0, running: 3, retained: 4 });
    });

    for (const [what, maxJobs, maxJobsPerClient] of [
      ['its client', 2, 1],
      ['the service', 1, 2],
    ] as const) {
      t.test(`what waits for a job of ${what} says how many start before it`, async (t) => {
        const { process } = await processesOf(t, kind, { maxJobs, maxJobsPerClient });
        const { engine, jobs, submit, find } = await process();
        const first = await submit();
        await until(() => engine.runs.length === 1);
        const [second, third] = [await submit(), await submit()];
        const ahead = async (id: string) => await jobs.ahead(await find(id));
        t.same([await ahead(first), await ahead(second), await ahead(third)], [undefined, 0, 1]);
        await jobs.cancel(await find(second));
        t.same([await ahead(second), await ahead(third)], [undefined, 0]);
      });
    }

    t.test('room that a client may not take is not reckoned for it', async (t) => {
      const { process } = await processesOf(t, kind, {
        maxJobs: 3,
        maxJobsPerClient: 1,
        maxQueue: 3,
        maxQueuePerClient: 2,
      });
      const { engine, submit, trySubmit } = await process();
      await submit();
      await until(() => engine.runs.length === 1);
      await submit();
      await submit();
      t.match(await trySubmit(), { kind: 'refused', why: 'client-queue-full' });
      await submit('192.0.2.2');
      await until(() => engine.runs.length === 2);
      await submit('192.0.2.2');
      t.match(await trySubmit('192.0.2.2'), { kind: 'refused', why: 'queue-full' });
      t.match(await trySubmit('192.0.2.3'), { kind: 'queued' }, 'who need not wait needs no room to wait');
    });

    t.test('a job that only waits for replies holds nobody up', async (t) => {
      const { process } = await processesOf(t, kind, {}, systemClock);
      const { engine, submit, status } = await process();
      const silent = await submit();
      await until(() => engine.runs.length === 1);
      engine.runs[0]?.wants(0);
      const other = await submit('192.0.2.2');
      await until(() => engine.runs.length === 2, 'the start of the other');
      t.same([await status(silent), await status(other)], ['running', 'running']);
      engine.runs[0]?.finish();
      engine.runs[1]?.finish();
      for (const id of [silent, other]) await until(async () => (await status(id)) === 'complete');
    });

    t.test('a job that fails through a bug says no more than that', async (t) => {
      const { process, told } = await processesOf(t, kind);
      const { engine, submit, find } = await process();
      const id = await submit();
      await until(() => engine.runs.length === 1);
      engine.runs[0]?.fail(new Error('a bug'));
      await until(async () => (await find(id)).state.status === 'failed');
      t.match((await find(id)).state, { error: { title: 'Internal error' } });
      await until(() => told.length === 3, 'the notice of the end');
      t.same(told, ['started', 'Error: a bug', 'failed']);
    });

    t.test('jobs that end within the grace of a stop are whole, and there are no more', async (t) => {
      const { process, told } = await processesOf(t, kind);
      const { engine, drain, submit, trySubmit } = await process();
      await submit();
      await until(() => engine.runs.length === 1);
      const drained = drain(20_000);
      t.match(await trySubmit(), { kind: 'refused', why: 'closing' });
      engine.runs[0]?.finish();
      await until(() => engine.fingerprintings.length === 1);
      engine.fingerprintings[0]?.finish();
      await drained;
      await until(() => told.length === 2, 'the notice of the end');
      t.same(told, ['started', 'complete']);
      t.equal(engine.closed() > 0, true);
    });
  });
}

/** The order in which jobs start where four of one client wait, and another client comes whenever one is about to end. */
async function orderOf(t: Test, kind: Kind): Promise<readonly string[]> {
  // In memory a job that has run for a second makes room: none does.
  const still = createFakeClock();
  const clock = kind === 'postgres' ? undefined : still;
  const { process } = await processesOf(t, kind, { maxJobsPerClient: 4 }, clock);
  const { engine, drain, trySubmit } = await process();
  const submit = async (client: string, name: string) => {
    const question = { name: parseName(name), type: 'A' };
    t.equal((await trySubmit(client, { ...REQUEST, question })).kind, 'queued');
  };
  for (const name of ['busy1', 'busy2', 'busy3', 'busy4']) await submit('192.0.2.1', name);
  for (let count = 1; count <= 16; count += 1) {
    await until(() => engine.runs.length === count, 'the next start');
    if (count <= 12) await submit(`10.0.${count}.1`, `newcomer${count}`);
    engine.runs[count - 1]?.finish();
  }
  const drained = drain(0);
  await still.advance(60_000);
  await drained;
  return engine.runs.map(({ request }) => request.question.name);
}

t.test('a store has nobody wait longer than memory, though others come all the time', async (t) => {
  const inMemory = await orderOf(t, 'memory');
  t.same(await orderOf(t, 'postgres'), inMemory);
  t.same(inMemory.slice(0, 4), ['busy1.', 'busy2.', 'newcomer1.', 'newcomer2.']);
});

/** A result in which users get one answer; 192.0.2.2 is expected. */
function usersGet(answer: string) {
  const view = answerView(answer, answer === '192.0.2.2' ? true : undefined);
  return { expected: ['192.0.2.2'], views: { 'first-tries': view, resolver: view } };
}

for (const kind of ['directory', 'postgres'] as const satisfies readonly Kind[]) {
  t.test(`${kind}: what one process leaves`, async (t) => {
    t.test('an ended job is there for the next', async (t) => {
      const { process } = await processesOf(t, kind);
      const first = await process();
      const id = await first.submit();
      await until(() => first.engine.runs.length === 1);
      first.engine.runs[0]?.finish();
      await until(() => first.engine.fingerprintings.length === 1);
      first.engine.fingerprintings[0]?.finish();
      await until(async () => (await first.find(id, 'servers')).servers !== undefined);
      const events = eventsOf(await first.find(id, 'events'));
      await first.drain(0);
      const second = await process();
      t.same(eventsOf(await second.find(id, 'events')), events);
      t.match((await second.find(id, 'result')).state, { status: 'complete' });
    });

    t.test('what runs and waits at the end of grace goes on, and that is no attempt', async (t) => {
      const { process, told } = await processesOf(t, kind);
      const first = await process();
      const [running, waiting] = [await first.submit(), await first.submit()];
      await until(() => first.engine.runs.length === 1);
      first.engine.runs[0]?.exchange('192.0.2.53');
      const { last } = (await first.find(running, 'events')).events;
      await first.drain(0);
      t.same(told, ['started'], 'nobody is told of an end');
      const second = await process();
      for (const [at, id] of [running, waiting].entries()) {
        await until(() => second.engine.runs.length === at + 1);
        second.engine.runs[at]?.finish();
        await until(async () => (await second.status(id)) === 'complete');
      }
      const begun = eventsOf(await second.find(running, 'events'), last).filter(
        ([, name]) => name === 'started',
      );
      t.equal(begun.length, 1);
      t.notMatch(begun[0]?.[2], { attempt: Number });
    });

    t.test('a job that waits for an answer goes on waiting', async (t) => {
      const { process, told } = await processesOf(t, kind);
      const options = { ...REQUEST.options, expect: ['192.0.2.2'] };
      let id = '';
      for (const at of ['first', 'second']) {
        const one = await process();
        if (id === '') {
          const request = { ...REQUEST, options, wait: { forMs: 60_000 } };
          const submitted = await one.trySubmit('192.0.2.1', request);
          if (submitted.kind !== 'queued') throw new Error('it was refused');
          id = submitted.job.id;
        }
        await until(() => one.engine.runs.length === 1);
        one.engine.runs[0]?.finish(usersGet('192.0.2.1'));
        await settled();
        t.equal(await one.status(id), 'running', `${at} process: not what is expected`);
        await one.drain(0);
      }
      const last = await process();
      await until(() => last.engine.runs.length === 1);
      last.engine.runs[0]?.finish(usersGet('192.0.2.2'));
      await until(() => told.at(-1) === 'complete', 'the notice of the end');
      t.equal(await last.status(id), 'complete');
    });

    t.test('a job that had started has started, also if it is cancelled while it waits again', async (t) => {
      const { process, told, announced } = await processesOf(t, kind, { maxJobs: 2, maxJobsPerClient: 2 });
      const first = await process();
      const ids = [await first.submit(), await first.submit()];
      await until(() => first.engine.runs.length === 2);
      await until(async () => (await first.status(ids[1] ?? '')) === 'running');
      await first.drain(0);
      t.same(announced, []);
      const second = await process({ maxJobs: 1 });
      await until(() => second.engine.runs.length === 1);
      const jobs = await Promise.all(ids.map((id) => second.find(id)));
      const [waiting] = jobs.filter(({ state }) => state.status === 'queued');
      if (waiting === undefined) throw new Error('none waits');
      await second.jobs.cancel(waiting);
      const { state } = await second.find(waiting.id);
      t.match(state, { status: 'cancelled', startedAt: Date });
      await until(() => announced.length === 1, 'the webhook');
      await until(() => told.at(-1) === 'cancelled', 'the notice of the end');
      t.same(announced, ['cancelled']);
    });

    t.test('what waits for another of its client goes on, and no more run than may', async (t) => {
      const { process } = await processesOf(t, kind, { maxJobs: 4, maxJobsPerClient: 2 });
      const first = await process();
      const ids: string[] = [];
      for (let count = 0; count < 5; count += 1) ids.push(await first.submit());
      await until(() => first.engine.runs.length === 2);
      await first.drain(0);
      const second = await process();
      const { runs } = second.engine;
      for (let ended = 0; ended < 5; ended += 1) {
        await until(() => runs.length === Math.min(5, ended + 2));
        const [running, queued] = [Math.min(2, 5 - ended), Math.max(0, 3 - ended)];
        await untilCounted(second.jobs, { queued, running, retained: ended });
        runs[ended]?.finish();
        await until(
          async () =>
            (await Promise.all(ids.map(second.status))).filter((one) => one === 'complete').length > ended,
        );
      }
      t.equal(runs.length, 5);
    });

    t.test('the servers of a job that had ended are asked by the next', async (t) => {
      const { process } = await processesOf(t, kind);
      const first = await process();
      const id = await first.submit();
      await until(() => first.engine.runs.length === 1);
      first.engine.runs[0]?.finish();
      await until(() => first.engine.fingerprintings.length === 1);
      await first.drain(0);
      const second = await process();
      await until(async () => {
        await second.find(id, 'servers');
        return second.engine.fingerprintings.length === 1;
      }, 'the question');
      t.match(second.engine.fingerprintings[0]?.server, SERVER);
      second.engine.fingerprintings[0]?.finish();
      await until(async () => (await second.find(id, 'servers')).servers !== undefined);
      t.match(JSON.parse(String((await second.find(id, 'servers')).servers)), { status: 'ready' });
    });
  });
}
