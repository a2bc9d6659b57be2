import { join } from 'node:path';
import t from 'tap';
import { inside } from './inside.ts';

const folder = t.testdir({
  'unsigned.zone':
    '@ 600 SOA ns1.harbour.example. host 5 7200 900 1209600 300\n@ 600 NS ns1.harbour.example.\nwww 600 A 198.51.100.91\n',
});
const UNFIT = `1,13,2,${'A'.repeat(64)}`;

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
  const plan = ['--ds', 'shop.example=none', '--no-dnssec'];
  t.match(await planned('www.shop.example', ...plan), /\n\nNot checked: DNSSEC: --no-dnssec\n$/);
  const { notChecked } = JSON.parse(await planned('www.shop.example', ...plan, '--json'));
  t.match(notChecked, [{ view: 'validating', reason: '--no-dnssec' }]);
  t.match(
    await planned('www.shop.example', '--quick'),
    "Not checked: the zones' own NS records, DNSSEC and rotation: --quick",
  );
});
