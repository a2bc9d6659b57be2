import t, { type Test } from 'tap';
import { inside } from '../../cli/inside.ts';
import { settled } from '../../exchange/fake-clock.ts';
import { ask } from '../http-client.ts';
import { startServe } from '../spawned.ts';
import { eventsIn, startJob, startTestService } from '../test-service.ts';

const FORMS = [
  ['json', 'application/json'],
  ['text', 'text/plain; charset=utf-8'],
  ['md', 'text/markdown; charset=utf-8'],
  ['mermaid', 'text/plain; charset=utf-8'],
  ['dot', 'text/vnd.graphviz; charset=utf-8'],
  ['svg', 'image/svg+xml'],
] as const;

t.test('a result is the same in every form as on the command line', async (t) => {
  const service = await startServe(t);
  const id = await startJob(service, { name: 'www.mixed.example' });
  const { text } = await ask(service, 'GET', `/api/traverse/${id}/events`);
  t.match(eventsIn(text).at(-1)?.[1], 'servers');
  const job = await ask(service, 'GET', `/api/traverse/${id}`);
  const saved = t.testdir({ 'result.json': JSON.stringify(JSON.parse(job.text).result) });
  for (const [form, type] of FORMS) {
    const { status, headers, text } = await ask(service, 'GET', `/api/traverse/${id}?format=${form}`);
    t.same([status, headers['content-type']], [200, type], form);
    const { stdout } = await inside(['traverse', '--replay', `${saved}/result.json`, '--format', form]);
    // Members are in an order of their own after a replay.
    if (form === 'json') t.same(JSON.parse(text), JSON.parse(stdout));
    else t.equal(text, stdout, form);
    const head = await ask(service, 'HEAD', `/api/traverse/${id}?format=${form}`);
    t.same([head.status, head.text], [200, '']);
  }
  const svg = await ask(service, 'GET', `/api/traverse/${id}?format=svg`);
  t.equal(svg.headers['content-security-policy'], "default-src 'none'; sandbox");
});

async function refused(
  t: Test,
  place: Parameters<typeof ask>[0],
  path: string,
  status: number,
  says: RegExp,
) {
  const answer = await ask(place, 'GET', path);
  t.equal(answer.status, status, path);
  t.match(JSON.parse(answer.text).detail, says);
}

t.test('a form needs a result, and a name that is known', async (t) => {
  const { service, engine } = await startTestService(t);
  const id = await startJob(service);
  await settled();
  const self = `/api/traverse/${id}`;
  for (const form of ['pdf', 'TEXT', '', 'text&format=svg', 'constructor', '%3Cscript%3E'])
    await refused(
      t,
      service,
      `${self}?format=${form}`,
      400,
      /^The values of format are json, text, md, mermaid, dot and svg;/,
    );
  await refused(t, service, `${self}?format=svg`, 409, /has not ended/);
  await refused(t, service, '/api/traverse/none?format=svg', 404, /^No such job/);
  t.equal((await ask(service, 'GET', `${self}?other=svg#?format=svg`)).status, 200);
  engine.runs[0]?.fail(new Error('a bug'));
  await settled();
  await refused(t, service, `${self}?format=text`, 409, /without a result/);
});
