import { join } from 'node:path';
import t from 'tap';
import { ROOT } from './sources.ts';

const { withSharedClasses }: { readonly withSharedClasses: (text: string, file: string) => string } =
  await import(join(ROOT, '.build-literals.js'));

const CASES = [
  ['a spread and a member', '({ ...a, b: 1 })', '({ ...null, ...a, b: 1 })'],
  ['two spreads', '({ ...a, ...b })', '({ ...null, ...a, ...b })'],
  [
    'one in another, over several lines',
    'f({\n  ...a,\n  b: { ...c, d },\n})',
    'f({\n  ...null, ...a,\n  b: { ...null, ...c, d },\n})',
  ],
  ['a copy, which is fast', '({ ...a })', '({ ...a })'],
  ['a spread behind a member', '({ a: 1, ...b })', '({ a: 1, ...b })'],
  ['the rest of an object', 'const { a, ...b } = c;', 'const { a, ...b } = c;'],
  ['a list', '[...a, b]', '[...a, b]'],
  ['text', "'{ ...a, b }'", "'{ ...a, b }'"],
] as const;

t.test('literals that begin with a spread and go on begin with a spread of nothing', async (t) => {
  for (const [what, text, rewritten] of CASES) t.equal(withSharedClasses(text, 'a.js'), rewritten, what);
});

t.test('no line is added, as source maps want it', async (t) => {
  for (const [what, text] of CASES)
    t.equal(withSharedClasses(text, `${ROOT}/a.js`).split('\n').length, text.split('\n').length, what);
});
