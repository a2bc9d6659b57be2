import t from 'tap';
import { settled } from '../../base/fake-clock.ts';
import { ask, converse, start } from '../http-client.ts';
import { startTestService } from '../test-service.ts';

const from = (client: string) => ({ 'X-Forwarded-For': client });

t.test('who may cancel a job', async (t) => {
  const { service } = await startTestService(t, { maxJobs: 100, maxQueuePerClient: 100 });
  const post = async () => {
    const { text } = await start(service, { name: 'www.example' }, from('2001:db8::1'));
    const { links, cancel } = JSON.parse(text);
    return { self: links.self, token: cancel };
  };
  const other = await post();
  for (const [what, client, given, status] of [
    ['the client that posted it', '2001:db8::1', 'nothing', 204],
    ['another address of its /64', '2001:db8::2', 'nothing', 204],
    ['another client', '192.0.2.1', 'nothing', 403],
    ['another client with the token', '192.0.2.1', 'header', 204],
    ['the same in the query', '192.0.2.1', 'query', 204],
    ['another client with the token of another job', '192.0.2.1', 'other', 403],
    ['another client with an empty token', '192.0.2.1', 'empty', 403],
  ] as const) {
    const { self, token } = await post();
    const tokens = { nothing: undefined, header: token, query: undefined, other: other.token, empty: '' };
    const sent = tokens[given];
    const headers = { ...from(client), ...(sent !== undefined && { 'Cancel-Token': sent }) };
    const path = given === 'query' ? `${self}?cancel=${encodeURIComponent(token)}` : self;
    const answer = await ask(service, 'DELETE', path, { headers });
    t.equal(answer.status, status, what);
    const job = JSON.parse((await ask(service, 'GET', self, { headers: from('192.0.2.9') })).text);
    t.equal(job.status, status === 204 ? 'cancelled' : 'running', 'whoever has the link may look');
  }
});

t.test('no two jobs have the same token', async (t) => {
  const { service } = await startTestService(t, { maxJobs: 3 });
  const tokens = new Set<string>();
  for (let count = 0; count < 3; count += 1)
    tokens.add(JSON.parse((await start(service, { name: 'www.example' })).text).cancel);
  t.equal(tokens.size, 3);
  for (const token of tokens) t.match(token, /^[\w-]{22}$/);
});

t.test('the trace that a proxy names is in the log', async (t) => {
  const { service, lines } = await startTestService(t, { maxJobs: 9 });
  const trace = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  for (const [what, headers, isLogged] of [
    ['of a proxy', { ...from('192.0.2.1'), traceparent: trace }, true],
    ['of a client', { traceparent: trace }, false],
    ['malformed', { ...from('192.0.2.1'), traceparent: '00-x' }, false],
    ['absent', from('192.0.2.1'), false],
  ] as const) {
    const seen = lines.length;
    const { id } = JSON.parse((await start(service, { name: 'www.example' }, headers)).text);
    await settled();
    const entries = lines.slice(seen).map((line) => JSON.parse(line));
    const accepted = entries.filter(({ message }) => message === 'job accepted');
    t.match(accepted, isLogged ? [{ job: id, traceparent: trace }] : [], what);
    t.equal(accepted.length, isLogged ? 1 : 0, what);
  }
});

t.test('a request of HTTP/1.0 with a Transfer-Encoding ends its connection', async (t) => {
  const { service } = await startTestService(t);
  const smuggler = converse(t, service);
  const head = 'POST /api/traverse HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n';
  smuggler.write(`${head}0\r\n\r\nGET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  const text = await smuggler.closed;
  t.match(text, /^HTTP\/1\.1 400 .*\r\nConnection: close\r\n.*Transfer-Encoding/s);
  t.equal(text.match(/HTTP\/1\.1 /g)?.length, 1, 'what follows is not read as a request');
});
