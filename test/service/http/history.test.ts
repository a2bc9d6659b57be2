import t from 'tap';
import { ask } from '../http-client.ts';
import { startJob, startTestService } from '../test-service.ts';

t.test('the history of a name', async (t) => {
  const { service, engine, clock } = await startTestService(
    t,
    { publicHistory: true, maxJobs: 100, maxJobsPerClient: 100 },
    'prompt',
  );
  const ids: string[] = [];
  for (const type of ['A', 'A', 'MX']) {
    ids.unshift(await startJob(service, { name: 'www.example', type }));
    await clock.advance(60_000);
  }
  t.equal(engine.runs.length, 3);

  const history = async (query: string) => await ask(service, 'GET', `/api/traversals${query}`);

  t.test('lists the ended jobs of a name, the last first', async (t) => {
    const { status, text } = await history('?name=WWW.Example');
    t.equal(status, 200);
    const { traversals, next } = JSON.parse(text);
    t.same([traversals.map(({ id }: { id: string }) => id), next], [ids, undefined]);
    const { conclusion, ...job } = traversals[0];
    t.same(job, JSON.parse((await ask(service, 'GET', `/api/traverse/${ids[0]}?`)).text, withoutResult));
    t.match(conclusion, { status: 'complete', users: Array, findings: {}, verdict: { status: 'ok' } });
  });

  t.test('in parts, each of which has the path of the next', async (t) => {
    const found: string[] = [];
    let path = '/api/traversals?name=www.example&limit=2';
    for (let parts = 0; parts < 2; parts += 1) {
      const { traversals, next = '' } = JSON.parse((await ask(service, 'GET', path)).text);
      found.push(...traversals.map(({ id }: { id: string }) => id));
      path = next;
    }
    t.same([found, path], [ids, '']);
  });

  t.test('of a type, and before a time', async (t) => {
    const seen = async (query: string) =>
      JSON.parse((await history(`?name=www.example${query}`)).text).traversals.map(
        ({ id }: { id: string }) => id,
      );
    t.same(await seen('&type=mx'), [ids[0]]);
    const [{ finishedAt }] = JSON.parse((await history('?name=www.example&type=A')).text).traversals;
    t.same(await seen(`&before=${finishedAt}`), [ids[2]]);
    t.same(await seen(`&before=${ids[1]?.toUpperCase()}`), [ids[2]]);
  });

  t.test('a query that is not valid gets the reason for each parameter', async (t) => {
    for (const [query, pointer, detail] of [
      ['', '/name', /is missing/],
      ['?name=a..b', '/name', /is not a domain name/],
      ['?name=a&type=NOPE', '/type', /must be a type/],
      ['?name=a&limit=0', '/limit', /from 1 to 100/],
      ['?name=a&limit=1e2', '/limit', /from 1 to 100/],
      [
        '?name=a&before=yesterday',
        '/before',
        /must be a time in UTC \(ISO 8601\) or the identifier of a job/,
      ],
      ['?name=a&since=1', '/since', /name, type, before, limit/],
    ] as const) {
      const { status, text } = await history(query);
      t.equal(status, 400, query);
      t.match(JSON.parse(text), { errors: [{ pointer, detail }] }, query);
    }
  });
});

t.test('a service whose operator has not said so tells nobody', async (t) => {
  const { service: silent } = await startTestService(t);
  t.equal((await ask(silent, 'GET', '/api/traversals?name=www.example')).status, 404);
  const { paths } = JSON.parse((await ask(silent, 'GET', '/api/openapi.json')).text);
  t.notOk('/api/traversals' in paths);
});

/** Reads a job as if it had no result. */
function withoutResult(member: string, value: unknown): unknown {
  return member === 'result' ? undefined : value;
}
