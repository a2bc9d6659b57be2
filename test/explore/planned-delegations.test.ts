import t from 'tap';
import { type Name, parseName } from '../../src/dns/name.ts';
import { outcomesIn } from '../../src/evaluate/evaluate.ts';
import { type Delegation, delegationOf } from '../../src/explore/delegation.ts';
import { exploreTable, spelledOutcomes, type TableWorld } from '../evaluate/table-world.ts';

interface Case {
  readonly shows: string;
  readonly ask?: string;
  /** "ZONE NAME=ADDRESS ..." */
  readonly planned: readonly string[];
  readonly says: TableWorld['says'];
  /** Ends of the path view, worked out by hand. */
  readonly path: readonly string[];
  /** An address that nobody has to ask any more. */
  readonly notAsked?: string;
}

const ROOT = { '192.0.2.1 *': 'referral a. ns1.a.=192.0.2.11 ns2.a.=192.0.2.12' };
const NEW = { '192.0.2.41 *': 'answer 192.0.2.80' };

const CASES: readonly Case[] = [
  {
    shows: 'referrals to the zone, and to zones below it, go to the new servers',
    ask: 'www.x.a. A',
    planned: ['x.a. ns.new.=192.0.2.41'],
    says: {
      ...ROOT,
      ...NEW,
      '192.0.2.11 *': 'referral x.a. ns.x.a.=192.0.2.31',
      '192.0.2.12 *': 'referral www.x.a. ns.x.a.=192.0.2.31',
    },
    path: ['1 answer 192.0.2.80 at x.a. by ns.new. 192.0.2.41'],
    notAsked: '192.0.2.31',
  },
  {
    shows: 'a zone that does not exist yet; a server that is of no use stays so',
    ask: 'www.x.a. A',
    planned: ['x.a. ns.new.=192.0.2.41'],
    says: { ...ROOT, ...NEW, '192.0.2.11 *': 'nxdomain', '192.0.2.12 *': 'error REFUSED' },
    path: [
      '1/2 answer 192.0.2.80 at x.a. by ns.new. 192.0.2.41',
      '1/2 error REFUSED at a. by ns2.a. 192.0.2.12',
    ],
  },
  {
    shows: 'where a server refers to a zone between, other replies stay, and its servers make the change',
    ask: 'www.y.x.a. A',
    planned: ['y.x.a. ns.new.=192.0.2.41'],
    says: {
      ...ROOT,
      ...NEW,
      '192.0.2.11 *': 'nxdomain',
      '192.0.2.12 *': 'referral x.a. ns.x.a.=192.0.2.31',
      '192.0.2.31 *': 'nodata',
    },
    path: [
      '1/2 answer 192.0.2.80 at y.x.a. by ns.new. 192.0.2.41',
      '1/2 nxdomain at a. by ns1.a. 192.0.2.11',
    ],
  },
  {
    shows: 'an alias at a server that others disagree with is followed',
    ask: 'www.y.x.a. A',
    planned: ['y.x.a. ns.new.=192.0.2.41'],
    says: {
      ...ROOT,
      ...NEW,
      '192.0.2.11 www.y.x.a. A': 'alias www.a.',
      '192.0.2.11 www.a. A': 'answer 192.0.2.81',
      '192.0.2.12 www.a. A': 'answer 192.0.2.81',
      '192.0.2.12 *': 'referral x.a. ns.x.a.=192.0.2.31',
      '192.0.2.31 *': 'nodata',
    },
    path: [
      '1/2 answer 192.0.2.80 at y.x.a. by ns.new. 192.0.2.41',
      '1/4 answer 192.0.2.81 at a. by ns1.a. 192.0.2.11',
      '1/4 answer 192.0.2.81 at a. by ns2.a. 192.0.2.12',
    ],
  },
  {
    shows: 'the DS records of the zone stay with its parent',
    ask: 'x.a. DS',
    planned: ['x.a. ns.new.=192.0.2.41'],
    says: { ...ROOT, '192.0.2.11 *': 'nodata', '192.0.2.12 *': 'nodata' },
    path: ['1/2 nodata at a. by ns1.a. 192.0.2.11', '1/2 nodata at a. by ns2.a. 192.0.2.12'],
  },
  {
    shows: 'of two zones the one nearer to the root goes first, and its servers make the other change',
    ask: 'www.y.x.a. A',
    planned: ['y.x.a. ns.new.=192.0.2.41', 'x.a. ns.mid.=192.0.2.42'],
    says: {
      ...ROOT,
      ...NEW,
      '192.0.2.11 *': 'nxdomain',
      '192.0.2.12 *': 'nxdomain',
      '192.0.2.42 *': 'nxdomain',
    },
    path: ['1 answer 192.0.2.80 at y.x.a. by ns.new. 192.0.2.41'],
  },
  {
    shows: 'a new server without an address is looked up',
    ask: 'www.x.a. A',
    planned: ['x.a. ns.a.'],
    says: {
      ...ROOT,
      ...NEW,
      '192.0.2.11 ns.a. A': 'answer 192.0.2.41',
      '192.0.2.12 ns.a. A': 'answer 192.0.2.41',
      '192.0.2.11 *': 'nxdomain',
      '192.0.2.12 *': 'nxdomain',
    },
    path: ['1 answer 192.0.2.80 at x.a. by ns.a. 192.0.2.41'],
  },
];

for (const { shows, path, notAsked, planned, ...world } of CASES) {
  t.test(shows, async (t) => {
    const scope = { planned: planned.map(delegation) };
    const { evaluation, asked } = await exploreTable({ roots: 'r1.=192.0.2.1', ...world, scope });
    t.same(spelledOutcomes(outcomesIn(evaluation, 'first-tries')), path);
    if (notAsked !== undefined) t.notOk(asked.some((one) => one.startsWith(`${notAsked} `)));
  });
}

t.test('warm: the planned delegation counts as come by referral', async (t) => {
  const { evaluation } = await exploreTable({
    ask: 'www.x.a. A',
    roots: 'r1.=192.0.2.1',
    scope: { planned: [delegation('x.a. ns.new.=192.0.2.41')], check: 'on' },
    says: {
      '192.0.2.1 . NS': 'own r1.=192.0.2.1',
      '192.0.2.1 *': 'referral x.a. ns.x.a.=192.0.2.31',
      '192.0.2.41 x.a. NS': 'own ns.x.a.=192.0.2.42',
      '192.0.2.41 *': 'answer 192.0.2.80',
      '192.0.2.42 *': 'answer 192.0.2.81',
    },
  });
  t.same(spelledOutcomes(outcomesIn(evaluation, 'first-tries/warm')), [
    '1 answer 192.0.2.81 at x.a. by ns.x.a. 192.0.2.42',
  ]);
});

function delegation(text: string): Delegation {
  const [zone = '', ...servers] = text.split(' ');
  const glue = servers.map((server): [Name, string[]] => {
    const [name = '', address] = server.split('=');
    return [parseName(name), address === undefined ? [] : [address]];
  });
  return delegationOf(parseName(zone), new Map(glue));
}
