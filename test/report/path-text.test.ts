import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { readResult } from '../../src/document/read-result.ts';
import type { TraversalResult } from '../../src/document/result.ts';
import { type Fraction, fractionText, readFraction, sum } from '../../src/evaluate/fraction.ts';
import { onePath, traceText } from '../../src/report/path-text.ts';
import { contentKey } from '../../src/report/views/effects.ts';
import { replay } from '../../src/traversal/node-replay.ts';
import { inside } from '../cli/inside.ts';

const FIXTURES = new URL('../fixtures/text/', import.meta.url);

function saved(name: string): TraversalResult {
  return replay(readResult(JSON.parse(readFileSync(new URL(`${name}.json`, FIXTURES), 'utf8'))));
}

/** How paths end, and how likely, when every draw comes out in every way. */
function everyPath(result: TraversalResult): ReadonlyMap<string, Fraction> {
  const ends = new Map<string, Fraction[]>();
  const follow = (script: readonly bigint[]) => {
    const asked: bigint[] = [];
    const path = onePath(result, (below) => {
      asked.push(below);
      return script[asked.length - 1] ?? 0n;
    });
    const below = asked[script.length];
    if (below !== undefined) {
      for (let value = 0n; value < below; value += 1n) follow([...script, value]);
    } else if (path !== undefined) {
      const key = contentKey(path.end);
      const denominator = asked.reduce((product, one) => product * one, 1n);
      ends.set(key, [...(ends.get(key) ?? []), { numerator: 1n, denominator }]);
    }
  };
  follow([]);
  return new Map([...ends].map(([key, each]) => [key, sum(each)]));
}

t.test('paths are drawn with exactly the shares of the path view', async (t) => {
  for (const name of ['mixed', 'alias', 'missing-glue', 'cut-short', 'registries-differ', 'circular']) {
    const result = saved(name);
    const expected = new Map<string, Fraction[]>();
    for (const { fraction, ...end } of result.outcomes) {
      const key = contentKey(end);
      expected.set(key, [...(expected.get(key) ?? []), readFraction(fraction)]);
    }
    const texts = (shares: Iterable<readonly [string, Fraction]>) =>
      [...shares].map(([key, share]) => `${fractionText(share)} ${key}`).sort();
    t.same(
      texts(everyPath(result)),
      texts([...expected].map(([key, each]) => [key, sum(each)] as const)),
      name,
    );
  }
});

t.test('one path, as dig +trace prints it', async (t) => {
  const rows: readonly (readonly [name: string, seed: number, expected: readonly string[]])[] = [
    [
      'alias',
      4,
      [
        '; www.magazine.example. A: one path, seed 4',
        ';; Alias: now magazine.cdn.test. A, from the servers of .',
        ';; timeout: 203.0.113.24#53(ns4.cdn.test), 2 tries in 602 ms',
        ';; End: timeout: no reply',
        ';; One of 288 paths; 75 % of them end otherwise',
      ],
    ],
    [
      'alias',
      1,
      [
        'magazine.cdn.test.\t60\tIN\tA\t203.0.113.200',
        ';; Received 62 B from 203.0.113.23#53(ns3.cdn.test) in 10 ms',
        ';; End: 203.0.113.200',
        ';; One of 288 paths; 25 % of them end otherwise',
      ],
    ],
    [
      'missing-glue',
      3,
      [
        ';; ns2.missing-glue.example. of missing-glue.example.: no glue',
        ';; One of 5,040 paths; 87.5 % of them end otherwise',
      ],
    ],
    ['missing-glue', 4, [';; The address of ns2.missing-glue.example. was looked up']],
    ['cut-short', 1, [';; unknown: limit of 8 queries reached: 198.51.100.2#53(ns2.harbour.example)']],
    ['healthy', 1, ['; www.shop.example. A: one path, seed 1', ';; One of 12 paths; all of them end so']],
  ];
  for (const [name, seed, expected] of rows) {
    const result = saved(name);
    const text = traceText(result, seed);
    const lines = text.split('\n');
    t.same(
      lines.filter((line) => expected.includes(line)),
      expected,
      `${name}, seed ${seed}`,
    );
    t.equal(traceText(result, seed), text, 'the same seed, the same path');
  }
});

t.test('one path of an imagined world', async (t) => {
  const file = fileURLToPath(new URL('mixed.json', FIXTURES));
  const imagined = ['--replay', file, '--down', 'ns1.harbour.example', '--one', '--seed', '5'];
  const { stdout } = await inside(['traverse', ...imagined]);
  t.match(stdout, /^;; timeout, imagined: 198\.51\.100\.1#53\(ns1\.harbour\.example\)$/m);
  t.match(stdout, /^;; End: timeout: no reply\n;; One of 442,512 paths; 62\.5 % of them end otherwise\n$/m);
});

t.test('a reply that a plan takes the place of is told apart', async (t) => {
  const plan = ['--delegate', 'mixed.example=ns1.harbour.example', '--delegate', 'mixed.example=ns.b.test'];
  const { stdout } = await inside(['traverse', 'www.mixed.example', '--demo', '-4', ...plan, '--one']);
  const lines = stdout.split('\n');
  const instead =
    ';; Planned instead of this reply: mixed.example is delegated to ns.b.test and ns1.harbour.example';
  t.equal(lines.filter((line) => line === instead).length, 1, stdout);
  t.match(lines[lines.indexOf(instead) - 1], /^;; Received .* from \S+\.nic\.example\) in /);
});

t.test('what replies hold cannot reach the terminal', async (t) => {
  const result = saved('healthy');
  const exchanges = result.exchanges.map((one) => ({
    ...one,
    authority: [],
    answer: [{ name: result.query.name, type: 'TXT', ttl: 1, data: '"\u001b[2J\n\t\u202e"' }],
  }));
  const text = traceText({ ...result, exchanges }, 1);
  t.match(text, /\\u\{1b\}\[2J/);
  t.notMatch(text.replaceAll('\n', '').replaceAll('\t', ''), /[\p{C}\p{Zl}\p{Zp}]/u);
});

t.test('a result without steps', async (t) => {
  const result = { ...saved('healthy'), steps: [], ends: [] };
  t.match(traceText(result, 1), /^; www\.shop\.example\. A: one path, seed 1\n;; no step was made\n$/);
});
