import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { startDemoService } from './demo-service.ts';
import { inside } from './inside.ts';

const dir = t.testdir({});
const saved = async (file: string, ...args: readonly string[]) => {
  const path = join(dir, file);
  const { status, stderr } = await inside(['traverse', ...args, '--demo', '-q', '--save', path]);
  t.ok(status === 0 || status === 1, stderr);
  return path;
};

t.test('svc diff', async (t) => {
  const mixed = await saved('mixed.json', 'www.mixed.example');
  const only4 = await saved('only-4.json', 'www.mixed.example', '-4');
  const stale = await saved('stale.json', 'www.stale.example', '--check', '--retries', '0');
  const cut = await saved('cut.json', 'www.mixed.example', '--max-depth', '30');

  t.test('two results', async (t) => {
    const same = await inside(['diff', mixed, cut]);
    t.same([same.status, same.stderr], [0, '']);
    t.match(same.stdout, /^www\.mixed\.example\. A {2}the same\n\nbefore .*\nafter .*\n$/);
    const changed = await inside(['diff', mixed, only4]);
    t.same([changed.status, changed.stderr], [1, '']);
    t.match(changed.stdout, /^www\.mixed\.example\. A {2}changed\n/);
    t.match(changed.stdout, /^12\.5 % {2}25 % {2}198\.51\.100\.110 {2}ns1\.harbour\.example\. 198/m);
    t.match(changed.stdout, /^gone {2}2001:db8:1::1 {2}ns1\.harbour\.example\.$/m);
  });

  t.test('as JSON', async (t) => {
    const { stdout } = await inside(['diff', mixed, only4, '--json']);
    const { query, outcomes, resolver, findings, servers, same, ...others } = JSON.parse(stdout);
    t.same(query, { name: 'www.mixed.example.', type: 'A', class: 'IN' });
    t.match(outcomes[0], { before: '1/8', after: '1/4', kind: 'answer', server: { address: /^\d/ } });
    t.same(outcomes.map(({ before, after }: Changed) => `${before} ${after}`).sort(), [
      '1/8 1/4',
      '1/8 1/4',
      '1/8 1/4',
      '1/8 null',
      '1/8 null',
      '1/8 null',
    ]);
    t.ok(resolver.length > 0);
    t.same([findings, same, others], [{ gone: [], new: [] }, false, {}]);
    t.same(servers.new, []);
    t.match(servers.gone[0], { address: '2001:db8::1', names: ['a.root.'] });
  });

  t.test('what the first result asked is asked now', async (t) => {
    const { status, stdout } = await inside(['diff', stale, '--demo', '--json']);
    const { warm, ...changes } = JSON.parse(stdout);
    t.match([status, changes.same, warm], [0, true, { outcomes: [], resolver: [] }], 'with its options');
    const service = await startDemoService();
    t.teardown(service.stop);
    const remote = await inside(['diff', mixed, '--server', service.url]);
    t.equal(remote.status, 0, remote.stderr);
    t.match(remote.stdout, /^www\.mixed\.example\. A {2}the same\n/);
  });

  t.test('what cannot be compared', async (t) => {
    const rows: readonly (readonly [args: readonly string[], status: number, words: RegExp])[] = [
      [[], 2, /missing required argument 'old'/],
      [['-', '-'], 2, /both stdin/],
      [[mixed, stale], 2, /different questions: www\.mixed\.example A and www\.stale\.example A/],
      [[mixed, only4, '--demo'], 2, /leave out NEW, or --demo and --server/],
      [[mixed, '--demo', '--server', 'http://localhost:1'], 2, /--demo does not go with --server/],
      [[join(dir, 'none.json')], 3, /cannot read .*none\.json/],
      [['-'], 3, /^svc: stdin is not JSON/],
      [[mixed, '--server', 'http://localhost:1'], 3, /cannot reach http:\/\/localhost:1/],
      [[mixed, '--pretty'], 2, /--pretty goes with json/],
    ];
    for (const [args, status, words] of rows) {
      const ran = await inside(['diff', ...args]);
      t.equal(ran.status, status, args.join(' '));
      t.match(ran.stderr, words);
      t.equal(ran.stdout, '');
    }
  });

  t.test('no comparison where nothing is heard, or when interrupted', async (t) => {
    const old = JSON.parse(readFileSync(mixed, 'utf8'));
    const other = join(dir, 'other.json');
    const servedBy = (address: string) => {
      const nameservers = [{ name: 'a.root.', glue: [address] }];
      return { ...old, delegations: [{ id: 'd1', zone: '.', nameservers }] };
    };
    const unheard = async (changed: object, ...flags: string[]) => {
      writeFileSync(other, JSON.stringify(changed));
      const { status, stdout, stderr } = await inside(['diff', other, ...flags]);
      t.same([status, stdout], [3, '']);
      return stderr;
    };
    t.equal(
      await unheard(servedBy('198.41.0.4'), '--demo'),
      'svc: no server replied: OLD is not of the demo, leave out --demo\n',
    );
    const onLoopback = servedBy('127.0.0.1');
    t.equal(
      await unheard({ ...onLoopback, options: { ...old.options, port: 9 } }),
      'svc: no server replied: the root servers of OLD are not on the internet; if it is of the demo, add --demo\n',
    );
    writeFileSync(other, JSON.stringify({ ...old, options: { ...old.options, timeoutMs: 60_000 } }));
    const interrupted = await inside(['diff', other, '--demo'], {
      terminals: ['stderr'],
      onStderr: (_, interrupt) => interrupt(),
    });
    t.same([interrupted.status, interrupted.stdout], [130, '']);
    t.match(interrupted.stderr, /svc: interrupted: there is nothing to compare\n$/);
  });

  t.test('a difference that a limit may have made', async (t) => {
    const { status } = await inside([
      'traverse',
      'www.mixed.example',
      '--demo',
      '-q',
      '--max-queries',
      '9',
      '--save',
      cut,
    ]);
    t.equal(status, 3);
    const ran = await inside(['diff', mixed, cut]);
    t.equal(ran.status, 3);
    t.match(ran.stderr, /^svc: one of the results is not complete/);
    t.match(ran.stdout, /^www\.mixed\.example\. A {2}changed\n/);
    t.equal((await inside(['diff', cut, cut])).status, 0, 'the same is the same');
  });
});

interface Changed {
  readonly before: string | null;
  readonly after: string | null;
}
