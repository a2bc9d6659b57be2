import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { TraversalResult } from '../../src/document/result.ts';
import { startLab } from '../../src/lab/lab.ts';
import { trustAnchorOf } from '../../src/lab/world.ts';
import { zoneText } from '../../src/lab/zone-text.ts';
import { startDemoService } from './demo-service.ts';
import { inside } from './inside.ts';

// Most of them wait for dead servers.
t.jobs = 3;

const demo = (...words: readonly string[]) => inside(['traverse', ...words, '--demo']);
const resultOf = ({ stdout }: { readonly stdout: string }): TraversalResult => JSON.parse(stdout);

t.test('wrong usage is told in one line that says what to do', async (t) => {
  const rows: readonly (readonly [words: string, expected: string])[] = [
    ['traverse a --chain --no-edns', '--chain needs EDNS: leave out --no-edns'],
    ['traverse a --chain --root-hints f', '--chain needs the keys of the root that --root-hints leads to'],
    ['traverse a --quick --trust-anchor f', '--trust-anchor needs the validating view: leave out --quick'],
    ['traverse a --views warm --at 2026-12-24', '--at needs the validating view: leave out --quick, or add'],
    ['traverse a --at noon', '--at noon: must be a time such as 2026-12-24 or 2026-12-24T18:00:00Z'],
    ['traverse a --at 2026-13-24', '--at 2026-13-24: must be a time'],
    ['traverse a --at 2026-02-30', '--at 2026-02-30: must be a time'],
    ['traverse a --at 2026-12-24T18:00', '--at 2026-12-24T18:00: must be a time'],
    ['traverse a --at 1969-12-31', '--at 1969-12-31: must be a time such as'],
    ['traverse a --at 2106-01-01', '1970 to 2105'],
    ['traverse a --trust-anchor f --trust-anchor g', '--trust-anchor takes one file, not f and g'],
    ['traverse a --demo --trust-anchor f', '--demo has a trust anchor of its own'],
    ['traverse a --trust-anchor f --server http://[::1]', '--trust-anchor does not go with --server'],
    ['traverse a --at 2026-12-24 --server http://[::1]', '--at does not go with --server'],
    ['serve --at 2026-12-24', 'svc serve has no option --at: '],
  ];
  for (const [words, expected] of rows) {
    const { status, stderr } = await inside(words.split(' '));
    t.equal(status, 2, words);
    t.ok(stderr.includes(expected), `${stderr.trim()}: says ${expected}`);
  }
});

t.test('--chain prints the DNSSEC chain, however it comes to a result', async (t) => {
  const saved = join(t.testdir(), 'expired.json');
  await demo('www.expired.example', '-4', '--views', 'validating', '--save', saved);
  const { url, stop } = await startDemoService();
  t.teardown(stop);
  const broken = 'bogus at DNSKEY of expired.example, from ns2.harbour.example.: the signature has expired';
  const rows: readonly (readonly [words: string, verdict: string])[] = [
    ['www.shop.example --views validating --demo', 'secure from the root on'],
    ['-x 198.51.100.80 --views validating --demo', 'secure from the root on'],
    ['www.expired.example --views validating --demo', broken],
    ['www.expired.example --views validating --down ns2.harbour.example --demo', 'secure from the root on'],
    [`--replay ${saved}`, broken],
    [`--replay ${saved} --at 2026-09-10`, 'secure from the root on'],
    [`www.expired.example --views validating --server ${url}`, broken],
  ];
  for (const [words, verdict] of rows) {
    const { stdout } = await inside(['traverse', '--chain', ...words.split(' ')]);
    t.match(stdout.replace(/\s+/g, ' '), `DNSSEC chain: ${verdict}`, words);
  }
  const plain = join(t.testdir({}), 'plain.json');
  await demo('www.shop.example', '-4', '--quick', '--save', plain);
  const refused = await inside(['traverse', '--replay', plain, '--chain']);
  t.match(refused, { status: 2, stderr: '--replay does not go with --chain' });
});

t.test('files of trust anchors that are none', async (t) => {
  const dir = t.testdir({
    'empty.txt': '; nothing\n',
    'other.txt': 'example. IN DS 1 8 2 00\n',
    'useless.txt': `. IN DS 1 12 2 ${'00'.repeat(32)}\n`,
    'cut.txt': `; the root\n. IN DS 20326 8 2 ${'ab'.repeat(31)}\n`,
    'cut.conf': `trust-anchors { . static-ds 38696 8 4 "${'AB'.repeat(49)}"; };\n`,
  });
  const rows: readonly (readonly [file: string, expected: string])[] = [
    ['none', 'no such file or directory'],
    ['empty.txt', 'no DS or DNSKEY record'],
    ['other.txt', 'line 1: "example." is not the root (".")'],
    ['useless.txt', 'no usable trust anchor: algorithm 12 of DS 1 is not supported'],
    ['cut.txt', 'line 2: the digest of DS 20326 has 31 octets; digest type 2 has 32'],
    ['cut.conf', 'line 1: the digest of DS 38696 has 49 octets; digest type 4 has 48'],
  ];
  for (const [file, expected] of rows) {
    const { status, stderr } = await inside(['traverse', 'a', '--trust-anchor', join(dir, file)]);
    t.equal(status, 3, file);
    t.ok(stderr.includes(expected), `${stderr.trim()}: says ${expected}`);
  }
});

t.test('the options reach the traversal', async (t) => {
  const ran = await demo(
    ...'www.shop.example -4 --views validating --at 2026-12-24T18:00+01:00 --json --full'.split(' '),
  );
  t.same([ran.status, ran.stderr], [0, '']);
  const {
    options,
    exchanges,
    views: { validating },
    figures,
  } = resultOf(ran);
  t.match(options, { at: '2026-12-24T17:00:00.000Z', trustAnchors: [/^\. IN DS \d+ 13 2 /] });
  t.ok(
    exchanges.every(({ edns }) => edns?.do),
    'every query asks for signatures',
  );
  const kinds = exchanges.flatMap(({ question, purpose }) => (purpose === 'dnssec' ? [question.type] : []));
  t.same([...new Set(kinds)], ['DNSKEY']);
  t.equal(figures.dnssecExchanges, kinds.length);
  t.match(validating?.outcomes, [
    { kind: 'answer', security: 'secure' },
    { kind: 'answer', security: 'secure' },
  ]);
  t.ok(exchanges.every(({ security }) => security?.status === 'secure'));
});

t.test('without the validating view nothing is asked and told of proof', async (t) => {
  const {
    options,
    exchanges,
    views: { validating },
    figures,
  } = resultOf(await demo('www.shop.example', '-4', '--views', 'warm', '--json', '--full'));
  t.same(options.views, ['first-tries', 'resolver', 'warm']);
  for (const option of ['trustAnchors', 'at']) t.notOk(option in options, option);
  t.notOk(exchanges.some(({ security }) => security !== undefined));
  t.same([validating, figures.dnssecExchanges], [undefined, undefined]);
});

t.test('a saved result gives the same again', async (t) => {
  const file = join(t.testdir(), 'saved.json');
  const ran = await demo(
    'www.expired.example',
    '-4',
    '--views',
    'validating',
    '--json',
    '--full',
    '--save',
    file,
  );
  t.equal(ran.status, 1);
  const again = await inside(['traverse', '--replay', file, '--json', '--full']);
  t.same([again.status, again.stdout], [1, ran.stdout], 'to the last digit');
  const { options, ...rest } = resultOf(ran);
  const { trustAnchors, ...others } = options;
  t.ok(trustAnchors);
  writeFileSync(file, JSON.stringify({ ...rest, options: others }));
  const refused = await inside(['traverse', '--replay', file, '--chain']);
  t.equal(refused.status, 2);
  t.match(
    refused.stderr,
    /--replay does not go with --chain: \S+saved\.json lacks the view that this option needs, so save the result again with that view$/m,
  );
  const timed = await inside(['traverse', '--replay', file, '--at', '2026-12-24']);
  t.match([timed.status, timed.stderr], [2, /^svc: --replay does not go with --at: /]);
  writeFileSync(file, JSON.stringify({ ...rest, options: { ...options, trustAnchors: ['nonsense'] } }));
  const spoilt = await inside(['traverse', '--replay', file]);
  t.equal(spoilt.status, 3);
  t.match(spoilt.stderr, /is not a saved result: \/options\/trustAnchors/);
});

t.test('a saved result is judged as of another time, or from other anchors', async (t) => {
  const dir = t.testdir({ 'other.txt': `. IN DS 1 13 2 ${'00'.repeat(32)}\n` });
  const [file, anew] = [join(dir, 'saved.json'), join(dir, 'anew.json')];
  await demo('www.expired.example', '-4', '--views', 'validating', '--save', file);
  const before = resultOf(
    await inside(['traverse', '--replay', file, '--at', '2026-09-01', '--json', '--full', '--save', anew]),
  );
  t.equal(before.options.at, '2026-09-01T00:00:00.000Z');
  t.notOk(
    before.exchanges.some(({ security }) => security?.status === 'bogus'),
    'the signature had not expired',
  );
  t.equal(before.complete, true);
  t.same(before.exchanges.map(({ question }) => question).length, before.figures.exchanges);
  t.same(
    resultOf(await inside(['traverse', '--replay', anew, '--json', '--full'])),
    before,
    'and can be saved',
  );
  const trusting = await inside([
    'traverse',
    '--replay',
    file,
    '--trust-anchor',
    join(dir, 'other.txt'),
    '--json',
    '--full',
    '--full',
  ]);
  const {
    views: { validating },
    options,
  } = resultOf(trusting);
  t.match(options.trustAnchors, [/^\. IN DS 1 13 2 /]);
  t.match(validating?.outcomes, [{ kind: 'servfail', cause: { kind: 'bogus', reason: 'no-matching-ds' } }]);
});

t.test('a saved result that lacks what judging it anew takes says so', async (t) => {
  const dir = t.testdir();
  const [file, anew] = [join(dir, 'saved.json'), join(dir, 'anew.json')];
  await demo('www.expired.example', '-4', '--views', 'validating', '--at', '2000-01-01', '--save', file);
  const ran = await inside([
    'traverse',
    '--replay',
    file,
    '--at',
    '2026-11-01',
    '--json',
    '--full',
    '--save',
    anew,
  ]);
  t.equal(ran.status, 3);
  t.match(
    ran.stderr,
    /^svc: for this validation, \S+saved\.json lacks \d+ questions that were not asked: paths that need them are unknown/,
  );
  const result = resultOf(ran);
  t.match(result.views.validating?.outcomes, [{ kind: 'query-limit' }]);
  t.ok(result.unasked.every(({ kind, question }) => kind === 'query-limit' && question.type === 'DNSKEY'));
  t.same(
    resultOf(await inside(['traverse', '--replay', anew, '--json', '--full'])),
    result,
    'the same when saved',
  );
});

t.test('who trusts another key than the root has, gets nothing', async (t) => {
  const zone = zoneText('.', '@ NS a.root.\na.root. A 127.0.0.1\nwww.test. A 192.0.2.80');
  const world = {
    servers: [{ name: 'a.root.', addresses: ['127.0.0.1'], zones: [zone] }],
    signed: { '.': {} },
  };
  const lab = await startLab(world);
  t.teardown(() => lab.close());
  const dir = t.testdir({
    'named.root': lab.hints,
    'anchor.txt': trustAnchorOf(world),
    'other.txt': `. IN DS 1 13 2 ${'00'.repeat(32)}\n`,
  });
  const there = ['--root-hints', join(dir, 'named.root'), '--port', `${lab.port}`, '--allow-special-targets'];
  const traverse = async (...words: readonly string[]) =>
    resultOf(await inside(['traverse', 'www.test', '--json', '--full', ...there, ...words]));
  const own = await traverse('--trust-anchor', join(dir, 'anchor.txt'));
  t.match(own.views.validating?.outcomes, [{ kind: 'answer', security: 'secure' }]);
  t.same(
    own.options.trustAnchors?.length,
    readFileSync(join(dir, 'anchor.txt'), 'utf8').trim().split('\n').length,
  );
  const other = await traverse('--trust-anchor', join(dir, 'other.txt'));
  t.match(other.views.validating?.outcomes, [
    { kind: 'servfail', cause: { kind: 'bogus', reason: 'no-matching-ds' } },
  ]);
  t.match(other.findings, [{ code: 'DS_NO_MATCH', severity: 'critical' }]);
  const none = await traverse();
  t.equal(none.views.validating, undefined);
  t.match(none.notChecked, [
    { view: 'validating', reason: '--trust-anchor is needed with these root hints' },
  ]);
});

t.test('a service does it where it is asked to', async (t) => {
  const service = await startDemoService();
  t.teardown(service.stop);
  const words = [
    'www.expired.example',
    '-4',
    '--views',
    'validating',
    '--max-queries',
    '5000',
    '--json',
    '--full',
  ];
  const [there, here] = [await inside(['traverse', ...words, '--server', service.url]), await demo(...words)];
  t.equal(there.status, here.status);
  const [one, other] = [resultOf(there), resultOf(here)];
  t.same(one.views.validating?.outcomes, other.views.validating?.outcomes);
  t.same(one.options.trustAnchors, other.options.trustAnchors);
  const post = async (options: object) => {
    const body = JSON.stringify({ name: 'www.shop.example', options });
    const reply = await fetch(new URL('/api/traverse', service.url), { method: 'POST', body });
    return { status: reply.status, body: await reply.text() };
  };
  t.match(await post({ dnssec: true }), {
    status: 400,
    body: /"\/options\/dnssec".*is gone: write the views to make as \\?"views/,
  });
  t.match(await post({ views: ['dnssec'] }), { status: 400, body: /"\/options\/views\/0"/ });
  t.match(await post({ views: ['warm'], edns: 'off' }), { status: 202 });
});

t.test('a service does it, and its clients can do without', async (t) => {
  const service = await startDemoService({}, ['--check']);
  t.teardown(service.stop);
  const rows: readonly (readonly [there: string, here: string])[] = [
    ['', '--check'],
    ['--views warm,validating', '--check --views warm,validating'],
    ['--quick', '--quick'],
    ['--quick --check', '--quick --check'],
    ['--views all', '--check'],
    ['--no-edns', '--check --no-edns'],
  ];
  const optionsOf = async (...words: readonly string[]) => {
    const command = ['traverse', '.', 'NS', '-4', '--max-queries', '5000', '--json', '--full', ...words];
    const { stdout, stderr } = await inside(command.filter((word) => word !== ''));
    t.equal(stderr, '');
    return resultOf({ stdout }).options;
  };
  for (const [there, here] of rows) {
    const { maxPackets, ...options } = await optionsOf(...there.split(' '), '--server', service.url);
    t.same(options, await optionsOf(...here.split(' '), '--demo'), `${there} at the service`);
    t.type(maxPackets, 'number');
  }
});

t.test('watching tells it at the end, where users get something else', async (t) => {
  const words = ['watch', 'www.lost-key.example', '-4', '--demo', '--views', 'validating'];
  const verdict = 'users behind validating resolvers get SERVFAIL';
  const lines = await inside(words);
  t.match(lines.stdout, `s: ${verdict}`);
  const live = await inside(words, { terminals: ['stdout'], env: { NO_COLOR: '1' } });
  t.match(live.stdout, `\nverdict   ${verdict}`);
  const same = await inside(['watch', 'www.shop.example', '-4', '--demo', '--views', 'validating']);
  t.match(same.stdout, 's: all users get the answer\n');
});

t.test('many names, and what a change of the future comes to', async (t) => {
  const dir = t.testdir({ 'names.txt': 'www.expired.example\nwww.shop.example\n' });
  const rows = await demo('-f', join(dir, 'names.txt'), '-4', '--format', 'text');
  t.match(
    rows.stdout,
    /✗ {2}www\.expired\.example\. A .*50 % of validating PowerDNS Recursor users get SERVFAIL/m,
  );
  t.match(rows.stdout, /✓ {2}www\.shop\.example\. A {3,}all users get the answer$/m);
  const brief = await demo('-f', join(dir, 'names.txt'), '-4', '--views', 'validating');
  t.match(
    brief.stdout.split('\n').find((line) => line.includes('www.expired.example')),
    /"users":\[\{"kind":"answer","answer":\["198\.51\.100\.117"\]/,
  );
  const later = await demo(
    ...'www.shop.example -4 --views validating --at 2079-12-31T12:00Z --json --full'.split(' '),
  );
  t.equal(later.status, 0);
  t.match(resultOf(later).findings, [{ code: 'RRSIG_EXPIRES_SOON' }]);
});
