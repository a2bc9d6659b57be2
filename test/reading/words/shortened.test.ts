import t from 'tap';
import { shortened, shortening } from '../../../src/reading/words/shortened.ts';

t.test('a long text is cut, and says so outside its quotes', async (t) => {
  const rows: readonly (readonly [what: string, text: string, expected: string])[] = [
    ['short enough', 'x'.repeat(56), 'x'.repeat(56)],
    ['too long', 'x'.repeat(1_234), `${'x'.repeat(32)}… (1,234 characters)`],
    ['a character string', `"${'x'.repeat(98)}"`, `"${'x'.repeat(31)}"… (100 characters)`],
    ['several', `"a" "${'x'.repeat(98)}"`, `"a" "${'x'.repeat(27)}"… (104 characters)`],
    [
      'no escape is cut in two',
      `"${'x'.repeat(30)}\\"${'y'.repeat(60)}"`,
      `"${'x'.repeat(30)}\\""… (94 characters)`,
    ],
    ['no character either', '😀'.repeat(60), `${'😀'.repeat(32)}… (120 characters)`],
  ];
  for (const [what, text, expected] of rows) t.equal(shortened(text, 'terse'), expected, what);
  t.equal(shortened('x'.repeat(1_234), 'full'), 'x'.repeat(1_234), 'but not where all is asked for');
});

t.test('texts that are compared show where they differ', async (t) => {
  const soa = (serial: number) => `ns.stale.example. hostmaster.stale.example. ${serial} 7200 900 1209600 60`;
  const rows: readonly (readonly [what: string, texts: readonly string[], expected: readonly string[]])[] = [
    [
      'in the middle',
      [soa(57), soa(41)],
      ['ns.stale.example… 57 7200 900 1209600 60', 'ns.stale.example… 41 7200 900 1209600 60'],
    ],
    [
      'in one long word',
      [`"${'x'.repeat(200)}1"`, `"${'x'.repeat(200)}2${'y'.repeat(90)}"`],
      [`"${'x'.repeat(15)}"… "1"`, `"${'x'.repeat(15)}"… "2${'y'.repeat(39)}"… (293 characters)`],
    ],
    [
      'at the beginning',
      [`a${'x'.repeat(80)}`, `b${'x'.repeat(80)}`],
      [`a${'x'.repeat(31)}… (81 characters)`, `b${'x'.repeat(31)}… (81 characters)`],
    ],
    [
      'in their length only',
      ['x'.repeat(80), 'x'.repeat(81)],
      [`${'x'.repeat(32)}… (80 characters)`, `${'x'.repeat(16)}… x`],
    ],
  ];
  for (const [what, texts, expected] of rows) t.same(texts.map(shortening(texts)), expected, what);
});

t.test('however texts differ, they look different', async (t) => {
  for (let at = 0; at < 120; at += 1) {
    const text = 'x'.repeat(120);
    const variants = ['a', 'b', 'c'].map(
      (letter, more) => text.slice(0, at) + letter + text.slice(at + 1 + more),
    );
    const all = [text, ...variants];
    t.equal(new Set(all.map(shortening(all))).size, all.length, `at ${at}`);
  }
});
