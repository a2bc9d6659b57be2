import t from 'tap';
import type { TraversalResult } from '../../../src/document/result.ts';
import { judgeIn } from '../../../src/page/result/judging.ts';
import { viewShares } from '../../../src/page/result/shares.ts';
import { shownViews } from '../../../src/page/result/views.ts';
import { wordingFor } from '../../../src/reading/wording.ts';
import { inside } from '../../cli/inside.ts';
import { validatedResult } from '../../reading/validated/validated-result.ts';

/** A view in a few words: its title, then each share with its sign. */
type Brief = readonly [title: string, ...shares: readonly string[]];

t.test('who gets what, view by view', async (t) => {
  const rows: readonly (readonly [title: string, args: readonly string[], views: readonly Brief[]])[] = [
    [
      'one answer',
      ['www.shop.example'],
      [
        ['Paths end in', '100 % 198.51.100.80'],
        ['A resolver gets', '100 % 198.51.100.80'],
      ],
    ],
    [
      'a bit of everything',
      ['www.mixed.example'],
      [
        [
          'Paths end in',
          '75 % (3/4) 198.51.100.110',
          '12.5 % (1/8) ≠ 192.0.2.110',
          '12.5 % (1/8) ✗ timeout: no reply',
        ],
        ['A resolver gets', '75 % (3/4) 198.51.100.110', '25 % (1/4) ≠ 192.0.2.110'],
      ],
    ],
    [
      'warm as cold: once is enough',
      ['www.shop.example', '--check'],
      [
        ['Paths end in', '100 % 198.51.100.80'],
        ['A resolver gets', '100 % 198.51.100.80'],
      ],
    ],
    [
      'warm otherwise: what no cold path ends in differs',
      ['www.moved.example', '--check'],
      [
        ['Paths end in', '100 % 203.0.113.103'],
        ['A cold resolver gets', '100 % 203.0.113.103'],
        ['Warm paths end in', '100 % ≠ 198.51.100.103'],
        ['A warm resolver gets', '100 % ≠ 198.51.100.103'],
      ],
    ],
    [
      'imagined: what it was stands before it',
      ['www.mixed.example', '--down', 'ns.mixed.example'],
      [
        [
          'Paths end in',
          'was 75 % (3/4) 198.51.100.110',
          'was 12.5 % (1/8) ≠ 192.0.2.110',
          'was 12.5 % (1/8) ✗ timeout: no reply',
          '75 % (3/4) 198.51.100.110',
          '25 % (1/4) ✗ timeout: no reply',
        ],
        [
          'A resolver gets',
          'was 75 % (3/4) 198.51.100.110',
          'was 25 % (1/4) ≠ 192.0.2.110',
          '100 % 198.51.100.110',
        ],
      ],
    ],
  ];
  for (const [title, args, views] of rows) t.same(briefly(await traversed(args)), views, title);
});

t.test('who gets what behind resolvers that validate', async (t) => {
  const rows: readonly (readonly [title: string, result: TraversalResult, views: readonly Brief[]])[] = [
    [
      'once, where it makes no difference whether they retry',
      validatedResult('1 secure'),
      [['One that validates gets', '100 % 198.51.100.80, secure']],
    ],
    [
      'secure and insecure are told apart, and those that never retry',
      validatedResult('1/2 secure, 1/2 insecure', '1/2 insecure, 1/2 expired'),
      [
        ['One that validates gets', '50 % (1/2) 198.51.100.80, secure', '50 % (1/2) 198.51.100.80, insecure'],
        [
          'If it never retries, it gets',
          '50 % (1/2) 198.51.100.80, insecure',
          '50 % (1/2) ✗ SERVFAIL at shop.example. (bogus: the signature has expired)',
        ],
      ],
    ],
  ];
  for (const [title, result, views] of rows) t.same(briefly(result).slice(2), views, title);
});

t.test('what those get that never retry is there as long as it was another', async (t) => {
  const result = await traversed(['www.expired.example', '--dnssec', '--down', 'ns1.harbour.example']);
  const failure = '✗ SERVFAIL at expired.example. (bogus: the signature has expired)';
  t.same(briefly(result).slice(2), [
    ['One that validates gets', 'was 100 % 198.51.100.117, secure', `100 % ${failure}`],
    [
      'If it never retries, it gets',
      `was 75 % (3/4) ${failure}`,
      'was 25 % (1/4) 198.51.100.117, secure',
      `100 % ${failure}`,
    ],
  ]);
});

t.test('where each share ends', async (t) => {
  const result = await traversed(['www.mixed.example']);
  const [paths] = shownViews(result);
  if (paths === undefined) throw new Error('there is no view');
  const { now } = viewShares(paths, judgeIn(result), wordingFor(result, 'terse'));
  t.same(
    now.map(({ places }) => places.map(({ percent, words }) => `${percent} ${words}`)),
    [
      [
        '25 % ns1.harbour.example. 198.51.100.1, 2001:db8:1::1 of mixed.example.',
        '25 % ns1.meadow.test. 203.0.113.1, 2001:db8:2::1 of mixed.example.',
        '25 % ns2.harbour.example. 198.51.100.2, 2001:db8:1::2 of mixed.example.',
      ],
      ['12.5 % ns.mixed.example. 198.51.100.81 of mixed.example.'],
      ['12.5 % ns.mixed.example. 198.51.100.82 of mixed.example.'],
    ],
  );
  t.same(
    now.map(({ size }) => size),
    [0.75, 0.125, 0.125],
    'as parts of a bar',
  );
});

t.test('exact shares that are too long to stand beside others are told apart', async (t) => {
  const result = await traversed(['www.stale.example']);
  const [first, second] = [result.outcomes[0], result.outcomes.at(-1)];
  if (first === undefined || second === undefined) throw new Error('there are two answers');
  const outcomes = [
    { ...first, fraction: '1000000007/1000000008' },
    { ...second, fraction: '1/1000000008' },
  ];
  const view = { key: 'paths', title: '', note: '', view: { outcomes, summary: result.summary } };
  t.match(viewShares(view, judgeIn(result), wordingFor(result, 'terse')).now, [
    { percent: '>99.99 %', fraction: '', longFraction: '1000000007/1000000008' },
    { percent: '<0.01 %', fraction: '', longFraction: '1/1000000008' },
  ]);
});

function briefly(result: TraversalResult): readonly Brief[] {
  const [judge, wording] = [judgeIn(result), wordingFor(result, 'terse')];
  return shownViews(result).map((view) => {
    const { now, before = [] } = viewShares(view, judge, wording);
    const brief = ({ percent, fraction, mark, words }: (typeof now)[number]) =>
      [percent, fraction === '' ? '' : `(${fraction})`, mark, words].filter((part) => part !== '').join(' ');
    return [view.title, ...before.map((share) => `was ${brief(share)}`), ...now.map(brief)];
  });
}

async function traversed(args: readonly string[]): Promise<TraversalResult> {
  const { stdout } = await inside(['traverse', '--demo', '--json', '-46', ...args]);
  return JSON.parse(stdout);
}
