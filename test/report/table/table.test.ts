import t from 'tap';
import { wrapped } from '../../../src/reading/words/wrapped.ts';
import { stacked } from '../../../src/report/table/stacked.ts';
import { type Rows, table } from '../../../src/report/table/table.ts';

const PLAIN = (text: string) => text;

t.test('tables', async (t) => {
  const rows: Rows = [
    [{ text: 'zone' }, { text: '9 ms', align: 'right' }, { text: '' }, { text: 'said something' }],
    [{ text: 'longer' }, { text: '10 ms', align: 'right' }, { text: '' }, { text: '  said this' }],
  ];
  const cases: readonly (readonly [string, Rows, number, string])[] = [
    ['empty columns take no room', rows, 80, 'zone     9 ms  said something\nlonger  10 ms    said this\n'],
    [
      'what does not fit goes below',
      rows,
      25,
      'zone     9 ms\n        said something\nlonger  10 ms\n        said this\n',
    ],
    ['words are kept whole', [[{ text: 'one two three four' }]], 9, 'one two\nthree\nfour\n'],
    ['words that cannot be are broken', [[{ text: 'abcdefghij' }]], 4, 'abcd\nefgh\nij\n'],
    [
      'stacked',
      stacked(rows),
      20,
      'zone\n   9 ms\n        said\n        something\nlonger\n  10 ms    said this\n',
    ],
  ];
  for (const [name, given, width, expected] of cases) t.equal(table(given, width, PLAIN), expected, name);
  t.same(wrapped('  a  bc\td ', 4), ['a bc', 'd']);
});
