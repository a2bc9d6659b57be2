import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import t from 'tap';
import { readBody } from '../../../src/service/http/request-body.ts';

t.test('nothing is awaited of a client that has left before', async (t) => {
  const message = new IncomingMessage(new Socket());
  message.destroy();
  await new Promise((resolve) => message.once('close', resolve));
  t.strictSame(await readBody(message, () => t.fail('it is not read')), { kind: 'cut-off' });
});
