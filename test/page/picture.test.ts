import t from 'tap';
import type { TraversalResult } from '../../src/document/result.ts';
import { type PictureZone, pictureOf } from '../../src/page/model/picture.ts';
import { wordingFor } from '../../src/report/views/wording.ts';
import { inside } from '../cli/inside.ts';
import { savedResult } from '../report/graph-results.ts';

const picture = (result: TraversalResult) => pictureOf({ result, wording: wordingFor(result, 'terse') });

/** The lanes of a zone in a line each: share, number of marks, reply, who. */
function lanes({ lanes }: PictureZone): readonly string[] {
  return lanes.map(({ share, servers, effect, reply, who, leaves }) =>
    [share, `${servers.length} ×`, effect, reply, 'from', who, leaves ? '(looked up)' : ''].join(' ').trim(),
  );
}

/** The rows of the first way: names of a run together, or a zone with its lanes. */
function rows(result: TraversalResult): readonly unknown[] {
  return (picture(result).ways[0]?.rows ?? []).map((row) =>
    row.kind === 'run'
      ? row.zones.map(({ zone }) => zone)
      : [row.zone.zone, row.zone.size, ...lanes(row.zone)],
  );
}

async function traversed(...args: readonly string[]): Promise<TraversalResult> {
  const { stdout } = await inside(['traverse', '--demo', '--json', '--full', '-46', ...args]);
  return JSON.parse(stdout);
}

t.test(
  'zones in order are one run; where paths part there is a lane for each reply, the worst first',
  async (t) => {
    t.same(rows(savedResult('mixed')), [
      ['.', 'example.'],
      [
        'mixed.example.',
        '4 servers, 8 addresses',
        '12.5 % 1 × fails timeout: no reply (2 tries) from ns.mixed.example (198.51.100.82)',
        '12.5 % 1 × differs 192.0.2.110 from ns.mixed.example (198.51.100.81)',
        '75 % 6 × differs 198.51.100.110 from ns1.harbour.example, ns1.meadow.test and ns2.harbour.example (looked up)',
      ],
    ]);
  },
);

t.test('nothing wrong: one run, down to the answer', async (t) => {
  t.same(rows(await traversed('www.shop.example')), [['.', 'example.', 'shop.example.']]);
});

t.test('an alias begins a way of its own', async (t) => {
  const { ways } = picture(savedResult('alias'));
  t.same(
    ways.map(({ question }) => question.name),
    ['www.magazine.example.', 'magazine.cdn.test.'],
  );
});

t.test(
  'a lookup of a server name branches off its zone: with trouble into zones, else in a line',
  async (t) => {
    const branches = (result: TraversalResult) =>
      picture(result).ways.flatMap((way) =>
        way.rows.flatMap((row) => (row.kind === 'zone' ? [row.zone.branches] : [])),
      );
    t.same(branches(savedResult('mixed')), [
      { lookups: [], lookedUp: ['ns1.meadow.test (203.0.113.1 and 2001:db8:2::1)'] },
    ]);
    const lookups = branches(await traversed('www.left.example')).flatMap((one) => one.lookups);
    t.same(
      lookups.map(({ name, found }) => [name, found]),
      [
        ['ns.right.test.', 'no address'],
        ['ns.left.example.', 'no address'],
      ],
    );
    for (const { zones } of lookups)
      t.ok(zones.every((zone) => zone.lanes.some(({ effect }) => effect !== 'leads-on')));
  },
);

t.test('where answers differ and none is expected, none looks right', async (t) => {
  const last = picture(await traversed('www.moved.example')).ways[0]?.rows.at(-1);
  if (last?.kind === 'zone') t.match(lanes(last.zone), [/differs 203\.0\.113\.103/]);
  t.equal(last?.kind, 'zone');
});

t.test('what does not verify is trouble, and told by more than its colour', async (t) => {
  const last = picture(await traversed('www.expired.example')).ways[0]?.rows.at(-1);
  t.equal(last?.kind, 'zone');
  if (last?.kind === 'zone')
    t.match(lanes(last.zone), [
      /^50 % 2 × fails .*bogus: the signature has expired.* from ns2\.harbour\.example/,
      /^50 % 2 × ends-well 198\.51\.100\.117 from ns1\.harbour\.example/,
    ]);
});

t.test('a server that is imagined to be gone is not shown, one that is down fails', async (t) => {
  const gone = await traversed('www.mixed.example', '--without', 'ns.mixed.example');
  t.notMatch(JSON.stringify(rows(gone)), 'ns.mixed.example (');
  const down = await traversed('www.mixed.example', '--down', 'ns.mixed.example');
  t.match(
    JSON.stringify(rows(down)),
    /1 × fails timeout: no reply from ns\.mixed\.example \(198\.51\.100\.81\)/,
  );
});
