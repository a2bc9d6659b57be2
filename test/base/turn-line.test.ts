import fc from 'fast-check';
import t from 'tap';
import { type Bidder, TurnLine } from '../../src/base/turn-line.ts';
import { blocksOf } from '../../src/service/client.ts';

interface One extends Bidder {
  readonly name: string;
}

/** A job of a party; what follows # tells it from others of the party. */
function one(name: string): One {
  const [party = ''] = name.split('#');
  return { name, blocks: blocksOf(party) };
}

function lineOf(names: readonly string[]): TurnLine<One> {
  const line = new TurnLine<One>();
  for (const name of names) line.join(one(name));
  return line;
}

function order(line: TurnLine<One>): string[] {
  const names: string[] = [];
  for (let next = line.next(); next !== undefined; next = line.next()) names.push(next.name);
  return names;
}

const [V4, NEIGHBOUR, ELSEWHERE] = ['192.0.2.1', '192.0.2.2', '198.51.100.1'];
/** Of one /48, the first two also of one /56. */
const [HOME1, HOME2, HOME3] = ['2001:db8:0:1::/64', '2001:db8:0:2::/64', '2001:db8:0:100::/64'];

t.test('the order in which those go who wait', async (t) => {
  const rows: readonly (readonly [what: string, joined: readonly string[], expected: readonly string[]])[] = [
    ['of one party, first come first', ['a#1', 'a#2', 'a#3'], ['a#1', 'a#2', 'a#3']],
    [
      'parties take turns',
      ['a#1', 'a#2', 'a#3', 'b#1', 'b#2', 'c'],
      ['a#1', 'b#1', 'c', 'a#2', 'b#2', 'a#3'],
    ],
    [
      'a neighbour goes before the second of a party',
      [`${V4}#1`, `${V4}#2`, NEIGHBOUR],
      [`${V4}#1`, NEIGHBOUR, `${V4}#2`],
    ],
    [
      'whoever comes from elsewhere goes before a neighbour',
      [V4, NEIGHBOUR, ELSEWHERE],
      [V4, ELSEWHERE, NEIGHBOUR],
    ],
    ['a /56 has fewer turns than a /24', [HOME1, HOME2, V4, NEIGHBOUR], [HOME1, V4, NEIGHBOUR, HOME2]],
    ['a /48 has as many', [HOME1, HOME3, V4, NEIGHBOUR], [HOME1, V4, HOME3, NEIGHBOUR]],
  ];
  for (const [what, joined, expected] of rows) t.same(order(lineOf(joined)), expected, what);
});

t.test('who has to make room for a newcomer in a full line', async (t) => {
  for (const [what, waiting, newcomer, victim] of [
    ['the last of the party that has most', ['a#1', 'b#1', 'b#2', 'b#3', 'c#1', 'c#2'], 'd', 'b#3'],
    ['nobody for a party that has as many', ['a#1', 'a#2', 'b#1', 'b#2'], 'a#3', undefined],
    ['nobody for a party that would have as many', ['a#1', 'a#2', 'b#1'], 'b#2', undefined],
    [
      'the last of a /48 with a party for each job',
      times(9, (n) => `2001:db8:0:${n}00::/64`),
      'd',
      '2001:db8:0:800::/64',
    ],
    [
      'not a party with two jobs for a sixth of a /24',
      ['a#1', ...times(5, (n) => `192.0.2.${n}`)],
      '192.0.2.9',
      undefined,
    ],
  ] as const) {
    t.equal(lineOf(waiting).crowdedOutBy(one(newcomer))?.name, victim, what);
  }
});

t.test('who may not go is passed over, and who leaves is forgotten', async (t) => {
  const line = lineOf(['a#1', 'a#2', 'b#1']);
  const [, second] = [line.next(), line.next(({ name }) => name !== 'b#1')];
  t.equal(second?.name, 'a#2');
  const gone = one('a#3');
  line.join(gone);
  t.same([line.length, line.lengthOf('a')], [2, 1]);
  line.leave(gone);
  line.leave(gone);
  t.same([line.length, line.lengthOf('a'), order(line)], [1, 0, ['b#1']]);
});

const RUNS = { seed: 29, numRuns: 300 };
const PARTIES = ['a', 'b', V4, NEIGHBOUR, ELSEWHERE, HOME1, HOME2, HOME3];

t.test('nobody is overtaken for ever, whoever comes', async (t) => {
  const moves = fc.array(fc.option(fc.constantFrom(...PARTIES, 'new')), { maxLength: 400 });
  fc.assert(
    fc.property(moves, (moves) => {
      const line = new TurnLine<One>();
      const overtaken = new Map<One, { count: number; readonly most: number }>();
      for (const [number, party] of moves.entries()) {
        if (party === null) {
          const gone = line.next();
          if (gone === undefined) continue;
          const joined = [...overtaken.keys()];
          for (const earlier of joined.slice(0, joined.indexOf(gone))) {
            const entry = overtaken.get(earlier);
            if (entry !== undefined) entry.count += 1;
          }
          overtaken.delete(gone);
        } else {
          const item = one(party === 'new' ? `new${number}` : `${party}#${number}`);
          const own = line.lengthOf(item.blocks[0].name);
          overtaken.set(item, { count: 0, most: (own + 1) * 16 * PARTIES.length });
          line.join(item);
        }
      }
      return [...overtaken.values()].every(({ count, most }) => count <= most);
    }),
    RUNS,
  );
  t.pass();
});

t.test('an endless stream of new parties passes nobody more than a turn of each', async (t) => {
  const line = lineOf(['a#1', 'a#2']);
  let before = 0;
  for (let number = 0; line.lengthOf('a') > 0; number += 1) {
    line.join(one(`new${number}`));
    line.join(one(`newer${number}`));
    line.next();
    before += 1;
  }
  t.ok(before <= 130, `${before} went before the second job was over`);
});

t.test(
  'parties that always have somebody waiting go equally often, and a whole /48 four times as often',
  async (t) => {
    const served = new Map<string, number>();
    const line = new TurnLine<One>();
    const sites = times(100, (n) => `2001:db8:0:${(n * 256).toString(16)}::/64`);
    const single = ['a', 'b', ELSEWHERE];
    for (const party of [...sites, ...single, ...single]) line.join(one(party));
    for (let turn = 0; turn < 7_000; turn += 1) {
      const next = line.next();
      if (next === undefined) break;
      const who = next.name.startsWith('2001:') ? '/48' : next.name;
      served.set(who, (served.get(who) ?? 0) + 1);
      line.join(one(next.name));
    }
    t.same([...served.keys()].sort(), ['/48', ELSEWHERE, 'a', 'b'].sort());
    for (const party of single)
      t.ok(Math.abs((served.get(party) ?? 0) - 1_000) < 100, `${party}: ${served.get(party)}`);
  },
);

function times(count: number, make: (number: number) => string): string[] {
  return Array.from({ length: count }, (_, number) => make(number));
}
