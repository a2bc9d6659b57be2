import t from 'tap';
import { readShape } from '../../src/base/shape.ts';
import { WHEN } from '../../src/document/when.ts';
import { startDemoService } from './demo-service.ts';
import { inside } from './inside.ts';

t.test('what is printed', async (t) => {
  const text = await inside('when www.shop.example --demo --explain'.split(' '));
  t.equal(text.status, 0);
  t.match(text.stdout, /^www\.shop\.example A, changed or removed +5 minutes 1 second /m);
  t.match(text.stdout, /5 minutes 1 second: www\.shop\.example A \(TTL 300,\s+from ns\d?/);
  t.match(text.stdout, /^other name servers of shop\.example: in this order$/m);
  const json = await inside('when www.shop.example --demo --json'.split(' '));
  const times = readShape(WHEN, JSON.parse(json.stdout));
  t.match(times, { query: { name: 'www.shop.example.', type: 'A' } });
  t.ok(times.lead.some(({ change }) => change === 'nameservers'));
});

t.test('wrong usage, and what fails', async (t) => {
  const rows: readonly (readonly [args: string, status: number, words: RegExp])[] = [
    ['', 2, /^svc: NAME is missing: write svc when www\.example\.com/],
    ['www.shop.example --explain --json', 2, /^svc: --explain goes with text, not with json/],
    ['0f8fad5b-d9cb-469f-a165-70867728950e', 2, /is a job: write NAME, or get \/api\/traverse\/ID\/when\n$/],
    ['www.shop.example --format dot', 2, /--format/],
  ];
  for (const [args, status, words] of rows) {
    const ran = await inside(['when', ...args.split(' ').filter((word) => word !== ''), '--demo']);
    t.equal(ran.status, status, args);
    t.match(ran.stderr, words);
    t.equal(ran.stdout, '');
  }
  const stopped = await inside('when www.shop.example --demo'.split(' '), {
    terminals: ['stderr'],
    onStderr: (_, interrupt) => interrupt(),
  });
  t.equal(stopped.status, 130);
});

t.test('at a service', async (t) => {
  const { url, stop } = await startDemoService();
  t.teardown(stop);
  const ran = await inside(['when', 'www.shop.example', '--server', url]);
  t.equal(ran.status, 0);
  t.match(ran.stdout, /^www\.shop\.example A, changed or removed +5 minutes 1 second /m);
});
