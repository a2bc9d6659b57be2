import { spawn } from 'node:child_process';
import { once } from 'node:events';
import t, { type Test } from 'tap';
import { settled } from '../exchange/fake-clock.ts';
import { ask, type Place } from './http-client.ts';
import { metric, startJob, startTestService } from './test-service.ts';

/** Says each of its arguments after the first on a connection of its own, and one line for each first reply. */
const CLIENT = `
  const [port, ...texts] = process.argv.slice(1);
  for (const text of texts) {
    const socket = require('node:net').connect(port, '127.0.0.1', () => socket.write(text));
    socket.once('data', () => process.stdout.write('heard\\n'));
  }
  setInterval(() => {}, 1_000);
`;

/** A client in a process of its own, once it has been told something on so many of its connections. */
async function startClient(t: Test, { port }: Place, replies: number, texts: readonly string[]) {
  const child = spawn(process.execPath, ['-e', CLIENT, `${port}`, ...texts], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  for (let heard = 0; heard < replies; ) {
    const [text] = await once(child.stdout, 'data');
    heard += String(text).split('\n').length - 1;
  }
  return child;
}

t.test('of a client that is killed nothing is left, and its job goes on', async (t) => {
  const { service, engine, clock } = await startTestService(t);
  const id = await startJob(service);
  const connections = () => metric(service, 'traversal_connections');
  const before = { connections: await connections(), timers: clock.timers };
  const head = 'HTTP/1.1\r\nHost: localhost\r\n';
  const client = await startClient(t, service, 3, [
    `GET /api/traverse/${id}/events ${head}\r\n`,
    `GET /api/traverse/${id}/events ${head}\r\n`,
    `GET /api/traverse/${id} ${head}\r\n`,
    `GET /api/traverse/${id} ${head}`,
    `POST /api/traverse ${head}Content-Length: 100\r\n\r\n{"name":`,
    '',
  ]);
  while ((await connections()) < before.connections + 6) await settled();
  t.equal(await metric(service, 'traversal_event_streams'), 2);
  client.kill('SIGKILL');
  while ((await connections()) > before.connections) await settled();
  t.equal(await metric(service, 'traversal_event_streams'), 0);
  engine.runs[0]?.exchange('192.0.2.1');
  t.equal(clock.timers, before.timers, 'no deadline and no heartbeat is left');
  t.match(JSON.parse((await ask(service, 'GET', `/api/traverse/${id}`)).text), {
    status: 'running',
    progress: { exchanges: 1 },
  });
});
