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

const folder = t.testdir({
  'not.json': '{}',
  'unsigned.zone':
    '@ 600 SOA ns1.harbour.example. host 5 7200 900 1209600 300\n@ 600 NS ns1.harbour.example.\nwww 600 A 198.51.100.91\n',
});
const UNFIT = `1,13,2,${'A'.repeat(64)}`;
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

/** What `svc when` prints for a plan, each paragraph on one line. */
async function planned(name: string, ...plan: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await inside(['when', name, '--demo', ...plan], { columns: 200 });
  t.equal(status, 0, stderr);
  return stdout;
}

t.test('a plan that breaks a zone for good says so first, and nothing of an end', async (t) => {
  const FOR_GOOD = /^for good +100 % of users of validating resolvers get SERVFAIL for .*: repair /m;
  const unsigned = await planned(
    'www.shop.example',
    '--zone',
    `shop.example=${join(folder, 'unsigned.zone')}`,
  );
  const ds = await planned('www.shop.example', '--ds', `shop.example=${UNFIT}`);
  const insecure = await planned('www.unsigned.example', '--ds', `unsigned.example=${UNFIT}`);
  for (const text of [unsigned, ds, insecure]) {
    t.match(text, FOR_GOOD);
    t.notMatch(text, /get SERVFAIL until then/);
    t.notMatch(text, /^users get the same as before/m);
  }
  t.match(ds, /^users of resolvers that do not validate get the same as before/m);
  const refused = await planned('www.shop.example', '--delegate', 'shop.example=ns1.meadow.test');
  t.match(refused, /now\n\nfor good +100 % of users get SERVFAIL for shop\.example: repair /m);
  t.notMatch(refused, /hold the old DS records/);
});

t.test('DS records that are removed while the zone stays signed harm nobody', async (t) => {
  const text = await planned('www.shop.example', '--ds', 'shop.example=none');
  t.match(text, /^users get the same as before/m);
  t.notMatch(text, /SERVFAIL/);
  const repaired = await planned('www.lost-key.example', '--ds', 'lost-key.example=none');
  t.match(repaired, /^users of resolvers that do not validate get the same as before/m);
  t.match(repaired, /hold the old DS records get SERVFAIL until then/);
});

t.test('resolvers hold the old NS records, whatever becomes of the new servers', async (t) => {
  for (const server of ['ns.nowhere.example', 'ns1.meadow.test']) {
    const text = await planned('www.shop.example', '--delegate', `shop.example=${server}`);
    t.match(text, /Keep ns1\.harbour\.example .* running as servers of shop\.example until then/, server);
  }
});

t.test('the views that were left out are named', async (t) => {
  const plan = ['--ds', 'shop.example=none', '--views', 'warm,profiles'];
  t.match(await planned('www.shop.example', ...plan), /\n\nNot checked: DNSSEC: --views\n$/);
  const { notChecked } = JSON.parse(await planned('www.shop.example', ...plan, '--json'));
  t.match(notChecked, [{ view: 'validating', reason: '--views' }]);
  t.match(
    await planned('www.shop.example', '--quick'),
    "Not checked: the zones' own NS records, DNSSEC and rotation: --quick",
  );
});
