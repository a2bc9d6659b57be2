import t from 'tap';
import {
  definitions,
  described,
  type Issue,
  later,
  type NamedShape,
  named,
  readShape,
  type Shape,
  ShapeError,
  turned,
} from '../../src/base/shape.ts';
import { alternatives, closed, object, optional, partial, variants } from '../../src/base/shape-object.ts';
import {
  alike,
  BOOLEAN,
  COUNT,
  choice,
  integer,
  list,
  matching,
  NUMBER,
  nullable,
  oneOf,
  parsed,
  someOf,
  TEXT,
} from '../../src/base/shape-values.ts';

/** A value that a shape takes, or what it says is wrong. */
type Row = readonly [shape: Shape<unknown>, value: unknown, read: unknown];

function issuesOf(shape: Shape<unknown>, value: unknown): readonly Issue[] {
  try {
    readShape(shape, value);
    return [];
  } catch (error) {
    if (error instanceof ShapeError) return error.issues;
    throw error;
  }
}

const at = (pointer: string, detail: string): readonly Issue[] => [{ pointer, detail }];

const SHOUTED = parsed((text) => {
  if (text === '') throw new Error('must not be empty');
  return text.toUpperCase();
});
const POINT = object({ x: NUMBER, y: optional(NUMBER) });
const SWITCH = variants('kind', { id: TEXT }, { on: { since: COUNT }, off: {} });
const ONWARD = alternatives({ weight: NUMBER }, { step: TEXT, end: TEXT });

t.test('what fits is read', async (t) => {
  const rows: readonly Row[] = [
    [TEXT, '', ''],
    [BOOLEAN, false, false],
    [NUMBER, 1.5, 1.5],
    [COUNT, 0, 0],
    [integer(2, 4), 4, 4],
    [oneOf(4, 6), 6, 6],
    [choice<'a' | 'b'>({ a: true, b: true }), 'b', 'b'],
    [matching(/^x\d$/, 'x and a digit'), 'x1', 'x1'],
    [SHOUTED, 'a', 'A'],
    [nullable(TEXT), null, null],
    [list(SHOUTED), ['a', 'b'], ['A', 'B']],
    [someOf(4, 6), [6, 4, 6], [4, 6]],
    [POINT, { x: 1, strange: 2 }, { x: 1 }],
    [closed({ x: NUMBER }), { x: 1 }, { x: 1 }],
    [object(partial({ x: NUMBER })), {}, {}],
    [SWITCH, { id: 'a', kind: 'on', since: 3 }, { kind: 'on', id: 'a', since: 3 }],
    [SWITCH, { kind: 'off', id: 'a', since: 'x' }, { kind: 'off', id: 'a' }],
    [ONWARD, { weight: 1, end: 'e1' }, { weight: 1, end: 'e1' }],
    [turned(COUNT, (count) => count * 2), 4, 8],
  ];
  for (const [shape, value, read] of rows) t.strictSame(readShape(shape, value), read);
});

t.test('what does not fit is told, all of it and where', async (t) => {
  const rows: readonly (readonly [shape: Shape<unknown>, value: unknown, issues: readonly Issue[]])[] = [
    [TEXT, 1, at('', 'must be a string')],
    [BOOLEAN, 'true', at('', 'must be true or false')],
    [NUMBER, -1, at('', 'must be a number, 0 or more')],
    [NUMBER, Number.NaN, at('', 'must be a number, 0 or more')],
    [COUNT, 1.5, at('', 'must be an integer, 0 or more')],
    [integer(2, 4), 5, at('', 'must be an integer from 2 to 4')],
    [oneOf(4, 6), 5, at('', 'must be one of 4, 6')],
    [choice({ a: true, b: true }), 'toString', at('', 'must be one of a, b')],
    [matching(/^x\d$/, 'x and a digit'), 'y', at('', 'must be x and a digit')],
    [SHOUTED, '', at('', 'must not be empty')],
    [SHOUTED, 7, at('', 'must be a string')],
    [nullable(TEXT), 1, at('', 'must be a string')],
    [list(TEXT), {}, at('', 'must be an array')],
    [someOf(4, 6), [], at('', 'must hold at least one of 4, 6')],
    [POINT, null, at('', 'must be an object')],
    [POINT, [], at('', 'must be an object')],
    [POINT, {}, at('/x', 'is missing')],
    [
      POINT,
      { x: 'a', y: null },
      [...at('/x', 'must be a number, 0 or more'), ...at('/y', 'must be a number, 0 or more')],
    ],
    [list(POINT), [{ x: 1 }, {}, 3], [...at('/1/x', 'is missing'), ...at('/2', 'must be an object')]],
    [
      closed({ x: NUMBER }),
      { 'a/b~': 1 },
      [...at('/x', 'is missing'), ...at('/a~1b~0', 'is unknown (known: x)')],
    ],
    [SWITCH, { kind: 'up' }, at('/kind', 'must be one of on, off')],
    [SWITCH, { kind: 'on', id: 1 }, [...at('/id', 'must be a string'), ...at('/since', 'is missing')]],
    [ONWARD, { weight: 1 }, at('', 'must have one of step, end')],
    [ONWARD, { weight: 1, step: 's1', end: 'e1' }, at('', 'must have one of step, end')],
    [turned(COUNT, (_, pointer, note) => note(pointer, 'is never right')), 1, at('', 'is never right')],
  ];
  for (const [shape, value, issues] of rows) t.same(issuesOf(shape, value), issues, JSON.stringify(value));
  t.equal(issuesOf(list(TEXT), Array(1_000).fill(1)).length, 20, 'not an issue for each of a thousand');
});

t.test('equal lists are read as one', async (t) => {
  const shape = object({ all: list(alike(list(object({ a: COUNT, b: optional(list(COUNT)) })))) });
  const rows = [
    [[{ a: 1 }], [{ a: 1 }], 'one'],
    [[{ a: 1, b: [2] }], [{ a: 1, b: [2] }], 'one'],
    [[{ a: 1 }, { a: 2 }], [{ a: 1 }, { a: 3 }], 'two'],
    [[{ a: 1 }, { a: 2 }], [{ a: 1 }, { a: 2, b: [] }], 'two'],
    [[{ a: 1 }, { a: 2, b: [1] }], [{ a: 1 }, { a: 2, b: [1, 2] }], 'two'],
    [[{ a: 1 }], [{ a: 1 }, { a: 1 }], 'two'],
    [[], [], 'one'],
  ] as const;
  for (const [first, second, read] of rows) {
    const { all } = readShape(shape, { all: [first, second] });
    t.strictSame(all, [first, second]);
    t.equal(all[0] === all[1] ? 'one' : 'two', read, JSON.stringify([first, second]));
  }
  t.strictSame(
    issuesOf(shape, { all: [[{ a: -1 }], [{ a: -1 }], 3] }).map(({ pointer }) => pointer),
    ['/all/0/0/a', '/all/1/0/a', '/all/2'],
  );
});

t.test('an error tells the first issue, and holds the others', async (t) => {
  const error = new ShapeError({ pointer: '/a', detail: 'is wrong' }, { pointer: '/b', detail: 'is worse' });
  t.match(error, { message: '/a: is wrong', pointer: '/a', detail: 'is wrong', issues: { length: 2 } });
  t.equal(new ShapeError({ pointer: '', detail: 'is wrong' }).message, 'the document: is wrong');
});

interface Tree {
  readonly leaf: string;
  readonly below?: Tree;
}

t.test('shapes are JSON Schemas too', async (t) => {
  const LEAF = named('Leaf', described(TEXT, 'It is green.'));
  const TREE: NamedShape<Tree> = named(
    'Tree',
    object({ leaf: LEAF, below: optional(later('Tree', () => TREE)) }),
  );
  t.same(TREE.schema(), { $ref: '#/components/schemas/Tree' });
  t.same(definitions([TREE]), {
    Leaf: { type: 'string', description: 'It is green.' },
    Tree: {
      type: 'object',
      properties: {
        leaf: { $ref: '#/components/schemas/Leaf' },
        below: { $ref: '#/components/schemas/Tree' },
      },
      required: ['leaf'],
    },
  });
  t.strictSame(readShape(TREE, { leaf: 'a', below: { leaf: 'b' } }), { leaf: 'a', below: { leaf: 'b' } });
  t.same(
    issuesOf(TREE, { leaf: 'a', below: { leaf: 'b', below: {} } }),
    at('/below/below/leaf', 'is missing'),
  );
  t.same(SWITCH.schema(), {
    oneOf: [
      {
        type: 'object',
        properties: {
          kind: { enum: ['on'] },
          id: { type: 'string' },
          since: { type: 'integer', minimum: 0 },
        },
        required: ['kind', 'id', 'since'],
      },
      {
        type: 'object',
        properties: { kind: { enum: ['off'] }, id: { type: 'string' } },
        required: ['kind', 'id'],
      },
    ],
  });
  t.same(closed({ x: NUMBER }).schema(), {
    type: 'object',
    properties: { x: { type: 'number', minimum: 0 } },
    required: ['x'],
    additionalProperties: false,
  });
  t.throws(() => definitions([LEAF, named('Leaf', NUMBER)]), /two shapes are called Leaf/);
});
