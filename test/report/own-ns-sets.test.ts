/** What users get once their resolver knows a zone's own NS set, which is no better than its delegation. */

import t from 'tap';
import { summaryOf } from '../../src/document/ends.ts';
import { CHOSEN_VIEWS } from '../../src/evaluate/views.ts';
import { DEFAULT_PROFILES, PROFILES } from '../../src/explore/profiles/profiles.ts';
import { verdictRow } from '../../src/report/views/conclusion.ts';
import { answer, type FindingsWorld, rcode, referral, reply, traverseWorld } from '../findings/world.ts';

interface Row {
  readonly shows: string;
  readonly world: FindingsWorld;
}

const answering = answer('192.0.2.80');

const ROWS: readonly Row[] = [
  {
    shows: 'the only server names itself by another name, which it refuses to look up',
    world: {
      says: {
        '192.0.2.1 *': referral('a. ns1.b.=192.0.2.11'),
        '192.0.2.2 *': referral('a. ns1.b.=192.0.2.11'),
        '192.0.2.11 *': answering,
        '192.0.2.11 a. NS': answer('ns-1.a.'),
        '192.0.2.11 ns-1.a. A': rcode('REFUSED'),
        '192.0.2.11 ns-1.a. AAAA': rcode('REFUSED'),
      },
    },
  },
  {
    shows: 'its NS set names servers that do not exist',
    world: {
      says: {
        '192.0.2.11 *': answering,
        '192.0.2.12 *': answering,
        '192.0.2.11 a. NS': answer('ns1.gone.', 'ns2.gone.'),
        '192.0.2.12 a. NS': answer('ns1.gone.', 'ns2.gone.'),
        ...Object.fromEntries(
          ['192.0.2.1', '192.0.2.2'].flatMap((root) =>
            ['ns1.gone.', 'ns2.gone.'].flatMap((name) =>
              ['A', 'AAAA'].map((type) => [
                `${root} ${name} ${type}`,
                reply({ rcode: 'NXDOMAIN', authority: ['. SOA m. h. 1 2 3 4 5'] }),
              ]),
            ),
          ),
        ),
      },
    },
  },
  {
    shows: 'the servers of its NS set refuse',
    world: {
      says: {
        '192.0.2.11 *': answering,
        '192.0.2.12 *': answering,
        '192.0.2.11 a. NS': reply({ answer: ['a. NS x.a.'], additional: ['x.a. A 192.0.2.99'] }),
        '192.0.2.12 a. NS': reply({ answer: ['a. NS x.a.'], additional: ['x.a. A 192.0.2.99'] }),
        '192.0.2.99 *': rcode('REFUSED'),
      },
    },
  },
];

for (const { shows, world } of ROWS)
  t.test(`BIND and Knot Resolver fail where ${shows}`, async (t) => {
    const result = await traverseWorld({ ...world, options: { views: CHOSEN_VIEWS } });
    const { text: words } = verdictRow(result);
    t.match(
      words,
      /^users of BIND and Knot Resolver get SERVFAIL .*once the zone's own NS records are known, others 192\.0\.2\.80/,
    );
    for (const name of DEFAULT_PROFILES) {
      const { product } = PROFILES[name];
      const { [name]: cold, [`${name}/warm` as const]: warm } = result.views;
      t.same(
        cold && summaryOf(cold).map(({ kind, fraction }) => `${fraction} ${kind}`),
        ['1 answer'],
        `${product}, cold`,
      );
      const fails = product === 'BIND' || product === 'Knot Resolver';
      t.same(
        warm && summaryOf(warm).map(({ kind, fraction }) => `${fraction} ${kind}`),
        [fails ? '1 servfail' : '1 answer'],
        `${product}, warm`,
      );
    }
  });
