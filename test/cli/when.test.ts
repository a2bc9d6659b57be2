import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { readShape } from '../../src/base/shape.ts';
import { WHEN } from '../../src/document/when.ts';
import { startDemoService } from './demo-service.ts';
import { inside } from './inside.ts';

t.test('what is printed', async (t) => {
  const text = await inside('when www.shop.example --demo --explain'.split(' '));
  t.equal(text.status, 0);
  t.match(text.stdout, /^www\.shop\.example A, changed or removed +5 minutes 1 second /m);
  t.match(text.stdout, /5 minutes 1 second: +www\.shop\.example A \(TTL 300,\s+from ns\d?/);
  t.match(text.stdout, /^other name servers of shop\.example, in this order$/m);
  const json = await inside('when www.shop.example --demo --json'.split(' '));
  const times = readShape(WHEN, JSON.parse(json.stdout));
  t.match(times, { query: { name: 'www.shop.example.', type: 'A' } });
  t.ok(times.lead.some(({ change }) => change === 'nameservers'));
});

const folder = t.testdir({ 'not.json': '{}' });
const saved = join(folder, 'shop.json');
const zoneFile = join(folder, 'shop.zone');
writeFileSync(
  zoneFile,
  '$TTL 300\n@ SOA ns1.harbour.example. host 7 7200 900 1209600 300\n@ NS ns1.harbour.example.\n@ NS ns2.harbour.example.\nwww A 198.51.100.77\n',
);
await inside(['traverse', 'www.shop.example', '--demo', '--save', saved]);

t.test('a change that was made, and one that is planned', async (t) => {
  const same = await inside(['when', 'www.shop.example', '--demo', '--since', saved]);
  t.equal(same.status, 0);
  t.match(same.stdout, /users get the same as before/);
  const planned = ['when', 'www.shop.example', '--demo', '--zone', `shop.example=${zoneFile}`];
  const text = await inside([...planned, '--since', saved, '--changed-at', '2099-01-01']);
  t.match(text.stdout, /^198\.51\.100\.80, replaced by 198\.51\.100\.77$/m);
  t.match(text.stdout, / 100 % +2099-01-01 00:02:30/);
  t.match(text.stdout, /^the plan is compared with the result in\s+\S+shop\.json, not\s+with/m);
  const today = await inside(planned);
  t.notMatch(today.stdout, /the plan is compared/);
  const json = await inside([...planned, '--json']);
  const { changes = [] } = readShape(WHEN, JSON.parse(json.stdout));
  t.equal(changes.length, 1);
  t.ok(changes[0]?.profiles.every(({ points }) => points[0]?.share === 1 && points.at(-1)?.share === 0));
  const svg = await inside([...planned, '--since', saved, '--format', 'svg']);
  t.match(svg.stdout, /^<svg [\s\S]*<polyline /);
});

t.test('wrong usage, and what fails', async (t) => {
  const rows: readonly (readonly [args: string, status: number, words: RegExp])[] = [
    ['www.shop.example --ds shop.example=1,2,3', 2, /^svc: --ds "?1,2,3"?: write TAG,ALGORITHM,DIGEST,HEX/],
    ['www.hotel.example', 3, /^svc: DNS is intercepted on the way: .*, so the times are unknown$/m],
    ['www.left.example', 3, /^svc: no server answers www\.left\.example A: there is no TTL/],
    ['www.shop.example --explain --json', 2, /^svc: --explain goes with text, not with json/],
    ['0f8fad5b-d9cb-469f-a165-70867728950e', 2, /is a job: write NAME, or get \/api\/traverse\/ID\/when\n$/],
    ['www.shop.example --format dot', 2, /--format/],
    ['www.shop.example --format svg', 2, /svg draws the curve of a change: add --since FILE/],
    ['www.shop.example --changed-at 2020-01-01', 2, /--changed-at needs a change: add --since FILE/],
    [
      `www.shop.example --since ${saved} --changed-at 2099-01-01`,
      2,
      /2099-\S+ is in the future: write the time/,
    ],
    [
      `www.shop.example --since ${saved} --changed-at 2020-01-01`,
      2,
      /2020-\S+ is before the traversal in .*: write a later time/,
    ],
    [`www.shop.example --since ${saved} --changed-at noon`, 2, /--changed-at noon: must be a time such as/],
    [
      `www.stale.example --since ${saved}`,
      2,
      /is a result for www\.shop\.example A: write svc when www\.shop/,
    ],
    [`www.shop.example MX --since ${saved}`, 2, /is a result for www\.shop\.example A/],
    [`www.shop.example --since ${join(folder, 'not.json')}`, 3, /is not a saved result/],
  ];
  for (const [args, status, words] of rows) {
    const ran = await inside(['when', ...args.split(' ').filter((word) => word !== ''), '--demo']);
    t.equal(ran.status, status, args);
    t.match(ran.stderr, words);
    t.equal(ran.stdout, '');
  }
  // At one query a second to each address, questions are still to be asked when the first progress shows.
  const stopped = await inside('when www.shop.example --demo --rate 1'.split(' '), {
    terminals: ['stderr'],
    onStderr: (_, interrupt) => interrupt(),
  });
  t.equal(stopped.status, 130);
});

t.test('without a name', async (t) => {
  for (const command of ['when', 'wait']) {
    const asking = command === 'wait' ? ['--expect', '192.0.2.1'] : [];
    const listed = await inside([command, '--demo', ...asking]);
    t.equal(listed.status, 0, command);
    t.match(listed.stdout, /^www\.shop\.example A +healthy/m, command);
    const missing = await inside([command, ...asking]);
    t.equal(missing.status, 2);
    t.match(missing.stderr, new RegExp(`^svc: NAME is missing: write svc ${command} www\\.example\\.com`));
  }
});

t.test('what rows are called', async (t) => {
  const checked = await inside('when www.shop.example --demo --check'.split(' '));
  t.notMatch(checked.stdout, /different\s+TTLs\s+for\s+denials/);
  const weighted = await inside('when www.weighted.example --demo'.split(' '));
  t.equal(weighted.stdout.match(/another address of ns1\.harbour\.example /g)?.length, 1);
  const reverse = await inside('when -x 198.51.100.80 --demo'.split(' '), { columns: 140 });
  t.match(
    reverse.stdout,
    /^80\.100\.51\.198\.in-addr\.arpa PTR, changed or removed\n {40,}5 minutes {2,}2 minutes/m,
  );
  const denied = await inside('when nowhere.shop.example --demo'.split(' '));
  t.notMatch(denied.stdout, /never while the old servers answer/);
});

t.test('at a service', async (t) => {
  const { url, stop } = await startDemoService();
  t.teardown(stop);
  const ran = await inside(['when', 'www.shop.example', '--server', url]);
  t.equal(ran.status, 0);
  t.match(ran.stdout, /^www\.shop\.example A, changed or removed +5 minutes +2 minutes /m);
});
