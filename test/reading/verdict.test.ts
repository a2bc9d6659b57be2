import t from 'tap';
import type { Finding } from '../../src/document/findings.ts';
import { verdictOn } from '../../src/reading/verdict.ts';
import { savedResult } from '../report/graph/results.ts';

function finding(code: string, more: Partial<Finding> = {}): Finding {
  return { id: 'f1', code, severity: 'error', message: 'It is wrong.', exchanges: [], ...more };
}

t.test('the verdict', async (t) => {
  const rows: readonly (readonly [name: string, words: string, bearing: string])[] = [
    ['healthy', 'every path gets the same answer', 'ends-well'],
    ['mixed', '2 different answers, 12.5 % of paths fail', 'fails'],
    ['folded', '12.5 % of paths fail', 'fails'],
    ['circular', 'every path fails', 'fails'],
    ['registries-differ', '2 different answers', 'differs'],
    ['cut-short', '2 different answers, 12.5 % of paths fail, 50 % of paths are unknown', 'fails'],
  ];
  for (const [name, words, bearing] of rows)
    t.same(verdictOn({ ...savedResult(name), findings: [] }), { words, bearing }, name);
});

t.test('findings in the verdict', async (t) => {
  const healthy = savedResult('healthy');
  const rows: readonly (readonly [findings: readonly Finding[], words: string, bearing: string])[] = [
    [
      [
        finding('EDNS_BREAKS'),
        finding('NS_LOSSY', { severity: 'notice' }),
        finding('X', { consequenceOf: 'f1' }),
      ],
      'every path gets the same answer; still to repair: EDNS_BREAKS',
      'differs',
    ],
    [
      [finding('PATH_INTERCEPTED', { severity: 'critical' })],
      'DNS is intercepted on the way: nothing here can be trusted',
      'fails',
    ],
  ];
  for (const [findings, words, bearing] of rows) {
    t.same(verdictOn({ ...healthy, findings }), { words, bearing }, words);
  }
});
