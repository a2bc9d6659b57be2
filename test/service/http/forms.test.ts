import t from 'tap';
import { packed } from '../../../src/base/packing.ts';
import type { Renderer } from '../../../src/service/renderer.ts';
import { ask } from '../http-client.ts';
import { startJob, startTestService } from '../test-service.ts';

t.test('a result is rendered once in each form', async (t) => {
  const asked: string[] = [];
  const renderer: Renderer = {
    render: async ({ form }, [{ name }]) => {
      asked.push(`${form} for ${name}`);
      return { kind: 'rendered', text: packed(Buffer.from(`the result as ${form}`)) };
    },
    close: async () => {},
  };
  const { service } = await startTestService(t, {}, 'prompt', { renderer });
  const [first, second] = [await startJob(service), await startJob(service)];
  for (const [id, format, client] of [
    [first, 'text', '192.0.2.1'],
    [first, 'text', '192.0.2.2'],
    [first, 'md', '2001:db8::1'],
    [second, 'text', '192.0.2.1'],
    [first, 'text', '192.0.2.3'],
  ] as const) {
    const headers = { 'X-Forwarded-For': client };
    const { status, text } = await ask(service, 'GET', `/api/traverse/${id}?format=${format}`, { headers });
    t.same([status, text], [200, `the result as ${format}`]);
  }
  t.same(asked, ['text for 192.0.2.1', 'md for 2001:db8::/64', 'text for 192.0.2.1']);
});
