import t, { type Test } from 'tap';
import { settled } from '../base/fake-clock.ts';
import { answerView } from './fake-engine.ts';
import { ask, type Place } from './http-client.ts';
import { eventsIn, startJob, startTestService } from './test-service.ts';

const BODY = { name: 'www.example', wait: { expect: ['192.0.2.2'], forMs: 60_000 } };

/** A result in which users get one answer, which is expected or not. */
function users(answer: string) {
  const view = answerView(answer, answer === '192.0.2.2' ? true : undefined);
  return { expected: ['192.0.2.2'], views: { 'first-tries': view, resolver: view } };
}

/** What is read of such a result. */
function result(answer: string) {
  return { views: { resolver: { outcomes: [{ records: [{ data: answer }] }] } } };
}

const [OLD, NEW] = [users('192.0.2.1'), users('192.0.2.2')];

async function waitingJob(t: Test, settings = {}) {
  const made = await startTestService(t, settings);
  const id = await startJob(made.service, BODY);
  await settled();
  const finish = async (round: number, result = OLD) => {
    made.engine.runs[round - 1]?.finish(result);
    await settled();
  };
  return { ...made, id, finish, read: () => read(made.service, id) };
}

async function read(service: Place, id: string) {
  return JSON.parse((await ask(service, 'GET', `/api/traverse/${id}?full`)).text);
}

t.test('a job that waits is traversed until users get what is expected', async (t) => {
  const { engine, clock, service, finish, id, read } = await waitingJob(t);
  t.same(engine.runs[0]?.request.options.expect, ['192.0.2.2']);
  engine.runs[0]?.exchange('192.0.2.53');
  await finish(1);
  t.equal((await read()).status, 'running', 'not yet');
  await clock.advance(1_999);
  t.equal(engine.runs.length, 1, 'nothing is asked in the pause');
  await clock.advance(1);
  t.equal(engine.runs.length, 2);
  engine.runs[1]?.exchange('192.0.2.53');
  engine.runs[1]?.exchange('192.0.2.54');
  t.equal((await read()).progress.exchanges, 2, 'those of this traversal');
  await finish(2, NEW);
  t.match(await read(), { status: 'complete', result: result('192.0.2.2') });
  const events = ask(service, 'GET', `/api/traverse/${id}/events`);
  await settled();
  for (const { finish } of engine.fingerprintings) finish();
  t.same(
    eventsIn((await events).text).map(([, name]) => name),
    ['started', 'exchange', 'complete', 'servers'],
    'one life, whatever the number of traversals',
  );
});

t.test('it ends when its time is over, with the last result', async (t) => {
  const { engine, clock, finish, read } = await waitingJob(t);
  await finish(1);
  for (let round = 2; (await read()).status === 'running'; round += 1) {
    await clock.advance(20_000);
    await finish(round);
  }
  t.match(await read(), { status: 'complete', result: result('192.0.2.1') });
  t.equal(engine.runs.length, 4);
});

t.test('it ends with a traversal that fails, and when it is cancelled', async (t) => {
  const failing = await waitingJob(t);
  await failing.finish(1);
  await failing.clock.advance(2_000);
  failing.engine.runs[1]?.fail(new Error('a bug'));
  await settled();
  t.match(await failing.read(), { status: 'failed' });
  const { service, engine, finish, id, read } = await waitingJob(t);
  await finish(1);
  t.equal((await ask(service, 'DELETE', `/api/traverse/${id}`)).status, 204);
  t.match(await read(), { status: 'cancelled' });
  t.equal(engine.runs.length, 1);
});

t.test('while it pauses, others run', async (t) => {
  const { service, engine, finish } = await waitingJob(t, { maxJobs: 1, maxJobsPerClient: 2 });
  await finish(1);
  const body = JSON.stringify({ name: 'www.example' });
  const headers = { 'X-Forwarded-For': '192.0.2.9' };
  const { id } = JSON.parse((await ask(service, 'POST', '/api/traverse', { body, headers })).text);
  await settled();
  t.equal(engine.runs.length, 2);
  await finish(2);
  t.equal((await read(service, id)).status, 'complete', 'what expects nothing waits for nothing');
});

t.test('what cannot be waited for', async (t) => {
  const { service } = await startTestService(t);
  const rows: readonly (readonly [body: object, pointer: string, detail: RegExp])[] = [
    [{ wait: {} }, '/wait/expect', /is missing/],
    [{ wait: { expect: [] } }, '/wait/expect', /must have an item/],
    [{ wait: { expect: ['mail.example'] } }, '/wait/expect/0', /can be no answer of type A: must be/],
    [{ wait: { expect: ['nxdomain'], forMs: 3_600_001 } }, '/wait/forMs', /3600000/],
    [{ wait: { expect: ['nxdomain'], every: 1 } }, '/wait/every', /./],
    [{ wait: { expect: ['nxdomain'] }, options: { expect: ['nodata'] } }, '/options/expect', /leave out one/],
  ];
  for (const [body, pointer, detail] of rows) {
    const text = JSON.stringify({ name: 'www.example', ...body });
    const reply = await ask(service, 'POST', '/api/traverse', { body: text });
    t.equal(reply.status, 400, pointer);
    const [error] = JSON.parse(reply.text).errors;
    t.equal(error.pointer, pointer);
    t.match(error.detail, detail);
  }
});
