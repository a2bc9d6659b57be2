import t from 'tap';
import { elementPieces, type JsonForm, jsonPieces, PLAIN_JSON } from '../../src/base/json.ts';

const VALUES: readonly unknown[] = [
  null,
  true,
  -1.5e-7,
  'a "b"\n',
  [],
  {},
  [[]],
  [1, 'x', null, { a: [1, { b: {} }] }],
  { a: 1, left: undefined, b: [], c: {}, d: { e: [{ f: [1, 2] }, 'line\nend'], g: { h: null } } },
  { toJSON: () => ['own'] },
  { 'a "name"': { toJSON: () => ({ of: 'its own' }) } },
];

const FORMS: readonly JsonForm[] = [PLAIN_JSON, { ...PLAIN_JSON, indent: 2 }];

t.test('pieces are those of JSON.stringify', (t) => {
  for (const value of VALUES) {
    for (const form of FORMS) {
      const text = JSON.stringify(value, undefined, form.indent);
      t.equal([...jsonPieces(value, form)].join(''), text, text);
    }
  }
  t.end();
});

t.test('an element of a list is one piece', (t) => {
  t.same(
    [...jsonPieces({ list: [{ a: [1] }, { b: [2] }] })],
    ['{"list":', '[{"a":[1]}', ',{"b":[2]}', ']', '}'],
  );
  t.end();
});

t.test('an element with a long list is written some elements at once', (t) => {
  for (const length of [64, 65, 128, 129, 1_000]) {
    const numbers = Array.from({ length }, (_, at) => ({ at, of: ['a\nb', null] }));
    const passing = { length, toJSON: () => numbers, [Symbol.iterator]: () => numbers.values() };
    const document = { list: [{ a: 1, numbers, left: undefined, passing, b: [] }, numbers, 2] };
    for (const form of FORMS) {
      const pieces = [...jsonPieces(document, form)];
      t.equal(pieces.join(''), JSON.stringify(document, undefined, form.indent), `${length}`);
      const [element] = document.list;
      const longest = Math.max(...[...elementPieces(element, form)].map((piece) => piece.length));
      t.ok(length <= 64 || longest < 10_000, `${longest} characters`);
    }
  }
  t.end();
});

t.test('a form says what is written another way, and what stands at the end', (t) => {
  const form: JsonForm = { indent: 2, escape: (text) => text.replaceAll('é', '\\u00e9'), end: '\n' };
  t.equal([...jsonPieces({ é: ['é'] }, form)].join(''), '{\n  "\\u00e9": [\n    "\\u00e9"\n  ]\n}\n');
  t.end();
});

t.test('an element has the same text by itself', (t) => {
  for (const form of FORMS) {
    const element = { a: [{ b: 1 }] };
    t.match([...jsonPieces({ list: [element] }, form)].join(''), [...elementPieces(element, form)].join(''));
  }
  t.end();
});
