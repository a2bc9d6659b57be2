import t from 'tap';
import { delayReporter } from '../../src/cli/many/lines-at-service.ts';
import { type Delay, ServiceRetries } from '../../src/cli/many/service-retries.ts';

t.test('connections that break are reported once a minute', async (t) => {
  const now = performance.now;
  t.teardown(() => {
    performance.now = now;
  });
  const reports: Delay[] = [];
  const retries = new ServiceRetries((delay) => reports.push(delay));
  for (const atMs of [100_000, 100_001, 159_999, 160_000, 160_001, 219_999]) {
    performance.now = () => atMs;
    retries.broke();
  }
  t.same(reports, [
    { kind: 'broken', connections: 1 },
    { kind: 'broken', connections: 3 },
  ]);
  const said: string[] = [];
  for (const report of reports) delayReporter(new URL('http://h/'), (text) => said.push(text), '')(report);
  t.same(said, [
    '1 connection to the service broke; connecting again',
    '3 connections to the service broke; connecting again',
  ]);
});
