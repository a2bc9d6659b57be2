import t from 'tap';
import type { TraversalResult } from '../../src/document/result.ts';
import { DEFAULT_PROFILES, PROFILE_NAMES, PROFILES } from '../../src/explore/profiles/profiles.ts';
import { inside } from './inside.ts';

const NAME = 'www.paris.offices.example';
/** For what is told of all that are shown. */
const FOUR = ['--profiles', 'bind,unbound,knot,powerdns'];
const demo = (...words: readonly string[]) => inside(['traverse', '--demo', ...words]);

async function resultOf(...words: readonly string[]): Promise<TraversalResult> {
  return JSON.parse((await demo(...words, '--json', '--full')).stdout);
}

t.test('users of products that minimise names another way get something else', async (t) => {
  const { stdout, status } = await demo(NAME, ...FOUR);
  t.equal(status, 1);
  t.match(
    stdout.replace(/\s+/g, ' '),
    /ns1\.harbour\.example \(?and ns2\.harbour\.example\)? do.* not .* paris\.offices\.example.*; users of BIND and Knot Resolver get SERVFAIL/,
  );
  t.match(stdout, /^Users get +BIND and Knot Resolver/m);
  t.match(stdout, /MINIMISED_FAILS|hence no answer below a name for resolvers that ask label by label/);
});

t.test('products that the verdict on another world names have a column in both worlds', async (t) => {
  const { stdout } = await demo(NAME, '--down', 'ns1.harbour.example', ...FOUR);
  t.match(stdout.replace(/\s+/g, ' '), 'is down: users of BIND and Knot Resolver get SERVFAIL');
  t.match(stdout, /now, BIND and Knot Resolver [\s\S]* then, BIND and Knot Resolver/);
});

t.test('a result has the products by default, those profiles that are named, or none', async (t) => {
  const rows: readonly (readonly [words: string, names: readonly string[] | undefined])[] = [
    ['', DEFAULT_PROFILES],
    ['--profiles knot,bind', ['bind', 'knot']],
    ['--profiles bind-strict', ['bind-strict']],
    ['--profiles none', undefined],
    ['--quick', undefined],
    ['--quick --profiles unbound', ['unbound']],
  ];
  for (const [words, names] of rows) {
    const { views, notChecked = [], figures } = await resultOf(NAME, ...words.split(' ').filter(Boolean));
    t.same(
      PROFILE_NAMES.filter((name) => views[name] !== undefined),
      names ?? [],
      words,
    );
    t.equal(
      notChecked.some(({ view }) => view === 'profiles'),
      names === undefined,
      words,
    );
    t.equal(figures.minimiseExchanges === undefined, names === undefined, words);
  }
});

t.test('a product that is known to do otherwise with such replies is named', async (t) => {
  const known =
    /^May differ\s+expired\.example: Unbound avoids the servers that replied before data that do not verify/m;
  t.match((await demo('www.expired.example', '-v')).stdout, known);
  for (const name of ['www.shop.example', 'www.hotel.example', 'nowhere.denial.example'])
    t.notMatch((await demo(name, '-v')).stdout, 'May differ', name);
  const { views } = await resultOf('www.expired.example');
  const deviating = PROFILE_NAMES.filter((name) => views[name]?.deviations !== undefined);
  t.same(deviating, ['unbound']);
});

t.test('minimised questions are exchanges with a purpose of their own', async (t) => {
  const { exchanges, figures } = await resultOf(NAME);
  const minimised = exchanges.filter(({ purpose }) => purpose === 'minimise');
  t.equal(figures.minimiseExchanges, minimised.length);
  t.same([...new Set(minimised.map(({ question }) => `${question.name} ${question.type}`))].sort(), [
    'paris.offices.example. A',
    'paris.offices.example. NS',
  ]);
});

t.test('strict profiles count only where they are named', async (t) => {
  t.notMatch((await demo(NAME)).stdout.split('\n')[0], 'strict');
  t.match((await demo(NAME, '--profiles', 'bind-strict')).stdout, 'users of bind-strict get SERVFAIL');
});

t.test('--short has a line for products whose users get something else', async (t) => {
  const { stdout } = await demo(NAME, '--short', ...FOUR);
  t.equal(stdout, 'up to 100 %  198.51.100.116\nup to 100 %  SERVFAIL\n');
});

t.test('a server that is imagined to be down is so for profiles, too', async (t) => {
  const { views } = await resultOf(
    'www.shop.example',
    '--down',
    'ns1.harbour.example',
    '--down',
    'ns2.harbour.example',
  );
  for (const name of DEFAULT_PROFILES)
    t.ok(
      views[name]?.outcomes.every(({ kind }) => kind === 'servfail' || kind === 'timeout'),
      name,
    );
});

t.test('busy resolvers get what the server says that they stay with', async (t) => {
  const { sticky = [] } = await resultOf('www.stale.example');
  const [step, ...others] = sticky;
  t.same(others, []);
  t.same(
    step?.rows.map(({ server, outcomes }) => [server, outcomes.map(({ fraction }) => fraction)]),
    [
      ['ns1.harbour.example.', ['1']],
      ['ns1.harbour.example.', ['1']],
      ['ns2.harbour.example.', ['1']],
      ['ns2.harbour.example.', ['1']],
    ],
  );
  t.match(
    (await demo('www.stale.example', '-v')).stdout,
    /Busy resolvers +near ns1\.harbour\.example 198\.51\.100\.104.*\n +Unbound asks any server at most 120 ms slower/,
  );
  const { stdout } = await demo('www.stale.example', '-v', '--profiles', 'bind');
  t.match(stdout, /Busy resolvers +near ns1\.harbour\.example/);
  t.notMatch(stdout, 'Unbound asks');
});

t.test('what is no profile is an error, and help tells of each', async (t) => {
  const { status, stderr } = await demo(NAME, '--profiles', 'dnsmasq');
  t.equal(status, 2);
  t.match(stderr, `--profiles "dnsmasq": write some of ${PROFILE_NAMES.join(', ')}`);
  const { stdout } = await inside(['help', 'profiles']);
  for (const name of PROFILE_NAMES) t.match(stdout, `\n${name}: `);
  t.same(
    stdout.split('\n').filter((line) => line.length > 80),
    [],
  );
});

t.test('each datum of a profile follows from counts or from what was read', async (t) => {
  for (const name of PROFILE_NAMES) {
    const {
      product: _,
      setting: __,
      version,
      standing,
      measured,
      deviations,
      counts,
      read,
      ...data
    } = PROFILES[name];
    t.match(measured, /^\d{4}-\d\d-\d\d$/, `${name} ${version} ${standing} ${deviations.length}`);
    const known = new Set([...Object.keys(counts), ...Object.keys(read)]);
    const unknown = leavesOf(data).filter((of) => !prefixesOf(of).some((prefix) => known.has(prefix)));
    t.same(unknown, [], `${name}: all data`);
  }
});

function leavesOf(data: object, above = ''): readonly string[] {
  return Object.entries(data).flatMap(([key, value]) =>
    typeof value === 'object' && value !== null ? leavesOf(value, `${above}${key}.`) : [`${above}${key}`],
  );
}

/** "a.b.c" and "a.b" and "a". */
function prefixesOf(of: string): readonly string[] {
  const parts = of.split('.');
  return parts.map((_, i) => parts.slice(0, i + 1).join('.'));
}

t.test('the table has the shares that the verdict tells of', async (t) => {
  const mixed = (await demo('www.mixed.example')).stdout;
  t.match(
    mixed,
    /^www\.mixed\.example\. A {2}all users of BIND and 19 to 25 % of others get 192\.0\.2\.110, an older /,
  );
  t.match(mixed, /^ {2}192\.0\.2\.110 +100 % .* 25 %$/m);
  const dead = (await demo('www.dead.example', '--profiles', 'unbound-1.17')).stdout;
  t.match(dead, /^ {2}[\d.]+ % of users of Unbound 1\.17 get it only at a second try$/m);
});
