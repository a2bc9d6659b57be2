import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { startLab } from '../../src/lab/lab.ts';
import type { ServerSpec } from '../../src/lab/world.ts';
import { inside, linesOf } from './inside.ts';

const ROOT = '127.20.0.1';
const TLD = '127.20.0.2';
const HOSTERS = ['one', 'other'];
const ZONES = ['a', 'b', 'c', 'd', 'e', 'f'];
const NAMES = ['www', 'mail', 'ftp'];

/** A zone file; its SOA record is there already. */
function zone(origin: string, lines: readonly string[]): string {
  return [`$ORIGIN ${origin}`, '$TTL 3600', '@ SOA ns.root. h. 1 2 3 4 300', ...lines].join('\n');
}

function hosterAddress(hoster: number, server: number): string {
  return `127.20.${hoster + 1}.${server}`;
}

/** The zones of two hosters, by turns. A name at the first leads to one at the other. */
function hosterOf(at: number): number {
  return at % HOSTERS.length;
}

function hosterServers(hoster: number): readonly ServerSpec[] {
  const name = HOSTERS[hoster];
  const own = zone(`${name}.test.`, [
    '@ NS ns1',
    '@ NS ns2',
    `ns1 A ${hosterAddress(hoster, 1)}`,
    `ns2 A ${hosterAddress(hoster, 2)}`,
  ]);
  const served = ZONES.filter((_, at) => hosterOf(at) === hoster).map((label) =>
    zone(`${label}.test.`, [
      `@ NS ns1.${name}.test.`,
      `@ NS ns2.${name}.test.`,
      'www A 192.0.2.1',
      'mail A 192.0.2.2',
      'ftp CNAME www.b.test.',
    ]),
  );
  return [1, 2].map((server) => ({
    name: `ns${server}.${name}.test.`,
    addresses: [hosterAddress(hoster, server)],
    zones: [own, ...served],
  }));
}

const WORLD: readonly ServerSpec[] = [
  {
    name: 'a.root.',
    addresses: [ROOT],
    zones: [zone('.', ['@ NS a.root.', `a.root. A ${ROOT}`, 'test NS a.nic.test.', `a.nic.test. A ${TLD}`])],
  },
  {
    name: 'a.nic.test.',
    addresses: [TLD],
    zones: [
      zone('test.', [
        '@ NS a.nic',
        `a.nic A ${TLD}`,
        ...HOSTERS.flatMap((name, hoster) =>
          [1, 2].flatMap((server) => [
            `${name} NS ns${server}.${name}`,
            `ns${server}.${name} A ${hosterAddress(hoster, server)}`,
          ]),
        ),
        ...ZONES.flatMap((label, at) =>
          [1, 2].map((server) => `${label} NS ns${server}.${HOSTERS[hosterOf(at)]}.test.`),
        ),
      ]),
    ],
  },
  ...HOSTERS.flatMap((_, hoster) => hosterServers(hoster)),
];

t.test('a run that shares asks each question once, and finds the same for each name', async (t) => {
  const lab = await startLab({ servers: WORLD });
  t.teardown(lab.close);
  const dir = t.testdir({ 'named.root': lab.hints });
  const list = join(dir, 'names.txt');
  writeFileSync(list, NAMES.flatMap((name) => ZONES.map((label) => `${name}.${label}.test\n`)).join(''));
  const there = ['--root-hints', join(dir, 'named.root'), '--port', `${lab.port}`, '--allow-special-targets'];
  const run = async (...words: readonly string[]) => {
    const before = new Map(lab.counts().map((row) => [keyOf(row), row.count]));
    const { status, stdout } = await inside([
      'traverse',
      '--full',
      '-f',
      list,
      '--ordered',
      '--rate',
      '0',
      ...there,
      ...words,
    ]);
    // The top-level domain has a single server.
    t.equal(status, 1);
    const asked = lab.counts().map((row) => [keyOf(row), row.count - (before.get(keyOf(row)) ?? 0)] as const);
    return { lines: linesOf(stdout), asked: new Map(asked.filter(([, count]) => count > 0)) };
  };
  const alone = await run('--quick');
  const { lines, asked } = await run('--quick', '--share');
  t.same([...new Set(asked.values())], [1], 'no question twice');
  const atRoot = [...asked.keys()].filter((key) => key.startsWith(`${ROOT} `));
  t.equal(atRoot.length, 1, 'its referral stands for all others');
  t.same(
    lines.map(({ views }) => views),
    alone.lines.map(({ views }) => views),
  );
  const sent = lines.flatMap(({ exchanges }) => exchanges).filter(({ shared }) => !shared);
  t.equal(sent.length, asked.size, 'what is not marked was asked');
  t.ok(lines.every(({ options }) => options.share));
  const whole = await run('--share');
  t.same([...new Set(whole.asked.values())], [1], 'nor in all views');
});

function keyOf({ address, name, type }: { address: string; name: string; type: string }): string {
  return `${address} ${name} ${type}`;
}
