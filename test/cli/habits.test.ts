/* The command lines that people know from dig, kdig and drill. */

import t from 'tap';
import type { TraversalResult } from '../../src/document/result.ts';

import { inside } from './inside.ts';
import { forEach } from './svc.ts';

const demo = (command: string) => inside([...command.split(' '), '--demo', '--quick']);

t.test('a first word with a dot is the name to traverse', async (t) => {
  const usual = await demo('traverse www.shop.example --short');
  t.equal(usual.status, 0);
  await forEach(
    ['www.shop.example --short', '+short www.shop.example', 'www.shop.example -c in +sho'],
    async (command) => {
      t.same(await demo(command), usual, command);
    },
  );
  t.match(await demo('-x 198.51.100.80 +short'), { stdout: /www\.shop\.example\./, status: 0 });
});

t.test("dig's options are those of svc", async (t) => {
  const rows: readonly (readonly [words: string, options: Partial<TraversalResult['options']>])[] = [
    ['+tcp', { transport: 'tcp' }],
    ['+vc', { transport: 'tcp' }],
    ['+noedns', { edns: 'off' }],
    ['+bufsize=1400', { payloadSize: 1400 }],
    ['+time=1 +tries=3', { timeoutMs: 1000, retries: 2 }],
    ['+timeout=2 +retry=0', { timeoutMs: 2000, retries: 0 }],
    ['+multi +nocd +norec +all +nocomments', { transport: 'udp-then-tcp', edns: 'on' }],
  ];
  await forEach(rows, async ([words, options]) => {
    const { stdout } = await demo(`www.shop.example ${words} +json`);
    t.match(JSON.parse(stdout), { options }, words);
  });
});

t.test('several names are texts in a pipe, in their order, as one is', async (t) => {
  const { stdout, status } = await demo('www.shop.example www.mixed.example --quick');
  const each = [await demo('www.shop.example --quick'), await demo('www.mixed.example --quick')];
  const steady = (text: string) => text.replaceAll(/ *[\d.-]+ m?s\b/g, ' a while');
  t.equal(steady(stdout), steady(each.map((one) => one.stdout).join('\n')));
  t.equal(status, 1);
});

t.test('several names have a line of JSON each, and one type', async (t) => {
  const { stdout, status } = await demo('www.shop.example www.mixed.example AAAA --json --ordered');
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  t.match(lines, [
    { line: 1, query: { name: 'www.shop.example.', type: 'AAAA' } },
    { line: 2, query: { name: 'www.mixed.example.', type: 'AAAA' } },
  ]);
  t.equal(status, Math.max(...lines.map(({ exitStatus }) => exitStatus)));
});

t.test('the demo says which names it has', async (t) => {
  const told = 'svc: the demo does not have www.google.com: svc traverse --demo lists its names\n';
  t.match(await demo('www.google.com --short'), { stderr: told, status: 0 });
  t.equal((await demo('nowhere.shop.example --short')).stderr, '');
});

t.test('no line in a pipe is wider than 100 columns, unless COLUMNS says so', async (t) => {
  const texts: readonly (readonly [args: readonly string[], stdin?: string])[] = [
    [['traverse', 'www.mixed.example', '--demo', '-v']],
    [
      ['traverse', '--demo', '--quick', '--format', 'text', '-f', '-'],
      'www.mixed.example\nwww.left.example\n',
    ],
    [['servers', 'www.mixed.example', '--demo', '-v']],
    [['when', 'www.moved.example', '--demo']],
  ];
  for (const [args, stdin] of texts) {
    const { stdout } = await inside(args, { env: { COLUMNS: '' }, ...(stdin !== undefined && { stdin }) });
    t.ok(stdout.length > 100, args.join(' '));
    t.same(
      stdout.split('\n').filter((line) => [...line].length > 100),
      [],
      args.join(' '),
    );
  }
});
