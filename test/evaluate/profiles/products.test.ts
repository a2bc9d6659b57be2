/** What users of each product get in small worlds of the kinds that products tell apart. */
import t from 'tap';
import { outcomesIn } from '../../../src/evaluate/evaluate.ts';
import { add, type Fraction, fractionText, lowestTerms, ZERO } from '../../../src/evaluate/fraction.ts';
import { DEFAULT_PROFILES, PROFILES } from '../../../src/explore/profiles/profiles.ts';
import { exploreTable, type TableWorld } from '../table-world.ts';

interface Case extends Pick<TableWorld, 'says' | 'ask' | 'scope'> {
  readonly shows: string;
  /** By product: what its users get, most of them first. `others`: those that are not named. */
  readonly users: Readonly<Record<string, string>>;
  /** The share of those who have to ask twice. Absent: nobody. */
  readonly late?: Readonly<Record<string, string>>;
}

/** The registry delegates z.t. to these, and p.t., the zone of a provider, to its two servers. */
function registry(
  z: string,
  p = 'ns1.p.t.=192.0.2.21 ns2.p.t.=192.0.2.22',
): Readonly<Record<string, string>> {
  const names = ['www.z.t. A', 'old.z.t. A', 'new.z.t. A', 'z.t. DS'];
  const hosts = ['ns1.p.t. A', 'ns2.p.t. A', 'www.p.t. A', 'to.p.t. A'];
  return {
    '192.0.2.1 *': 'referral t. ns.t.=192.0.2.2',
    ...Object.fromEntries(names.map((name) => [`192.0.2.2 ${name}`, `referral z.t. ${z}`])),
    ...Object.fromEntries(hosts.map((name) => [`192.0.2.2 ${name}`, `referral p.t. ${p}`])),
    '192.0.2.21 ns1.p.t. A': 'answer 192.0.2.21',
    '192.0.2.21 ns2.p.t. A': 'answer 192.0.2.22',
    '192.0.2.22 ns1.p.t. A': 'answer 192.0.2.21',
    '192.0.2.22 ns2.p.t. A': 'answer 192.0.2.22',
  };
}

const OWN_AND_PROVIDER = registry('ns.z.t.=192.0.2.11 ns1.p.t.=192.0.2.21');
const TWO = registry('ns1.z.t.=192.0.2.11 ns2.z.t.=192.0.2.12');

const CASES: readonly Case[] = [
  {
    shows: 'an old server of the zone itself beside a provider: BIND asks the one in the zone first',
    says: { ...OWN_AND_PROVIDER, '192.0.2.11 *': 'answer old', '192.0.2.21 www.z.t. A': 'answer new' },
    users: { bind: 'old', others: '1/2 new, 1/2 old' },
  },
  {
    shows: 'the other way round it takes the old data from nobody',
    says: { ...OWN_AND_PROVIDER, '192.0.2.11 *': 'answer new', '192.0.2.21 www.z.t. A': 'answer old' },
    users: { bind: 'new', others: '1/2 new, 1/2 old' },
  },
  {
    shows: 'the address of a host at the registry is old: who looks the host up gets the answer',
    says: {
      ...registry('ns1.p.t.=192.0.2.31', 'ns1.p.t.=192.0.2.31 ns2.p.t.=192.0.2.22'),
      '192.0.2.31 *': 'error REFUSED',
      '192.0.2.21 www.z.t. A': 'answer new',
    },
    users: { bind: 'new', unbound: 'new', others: 'servfail' },
  },
  {
    shows: 'each of two servers lacks the target of the alias of the other one, where it is asked for',
    says: {
      ...TWO,
      '192.0.2.11 www.z.t. A': 'after 10 alias new.z.t.',
      '192.0.2.11 new.z.t. A': 'after 10 answer new',
      '192.0.2.11 old.z.t. A': 'denied',
      '192.0.2.12 www.z.t. A': 'after 10 alias old.z.t.',
      '192.0.2.12 old.z.t. A': 'after 10 answer old',
      '192.0.2.12 new.z.t. A': 'denied',
    },
    users: { unbound: '1/4 new, 1/2 nxdomain, 1/4 old', others: 'nxdomain' },
  },
  {
    shows: 'Knot Resolver takes the records of a target beside the alias',
    says: {
      ...TWO,
      '192.0.2.11 www.z.t. A': 'after 10 alias new.z.t. new',
      '192.0.2.11 new.z.t. A': 'after 10 answer new',
      '192.0.2.11 old.z.t. A': 'denied',
      '192.0.2.12 www.z.t. A': 'after 10 alias old.z.t. old',
      '192.0.2.12 old.z.t. A': 'after 10 answer old',
      '192.0.2.12 new.z.t. A': 'denied',
    },
    users: { knot: '1/2 new, 1/2 old', unbound: '1/4 new, 1/2 nxdomain, 1/4 old', others: 'nxdomain' },
  },
  {
    shows: 'servers that two zones share are remembered from one zone to the other',
    says: {
      ...registry('ns1.p.t.=192.0.2.21 ns2.p.t.=192.0.2.22'),
      '192.0.2.21 www.z.t. A': 'after 10 alias to.p.t.',
      '192.0.2.22 www.z.t. A': 'after 10 alias to.p.t.',
      '192.0.2.21 to.p.t. A': 'after 10 answer one',
      '192.0.2.22 to.p.t. A': 'after 10 answer two',
    },
    users: { others: '1/2 one, 1/2 two' },
  },
  {
    shows: 'an alias of itself at one of two servers',
    says: { ...TWO, '192.0.2.11 *': 'alias www.z.t.', '192.0.2.12 *': 'answer new' },
    users: { knot: 'new', others: '1/2 alias-loop, 1/2 new' },
  },
  {
    shows: 'NOTIMP to EDNS at all servers',
    says: { ...TWO, '192.0.2.11 *': 'once NOTIMP answer new', '192.0.2.12 *': 'once NOTIMP answer new' },
    users: { unbound: 'new', others: 'servfail' },
  },
  {
    shows: 'FORMERR with an OPT record at one of two servers',
    says: { ...TWO, '192.0.2.11 *': 'once FORMERR+OPT answer old', '192.0.2.12 *': 'answer new' },
    users: { unbound: '1/2 new, 1/2 old', others: 'new' },
  },
  {
    shows: 'FORMERR without one: the same server is asked without EDNS, by Knot Resolver as a last resort',
    says: { ...TWO, '192.0.2.11 *': 'once FORMERR answer old', '192.0.2.12 *': 'answer new' },
    users: { knot: 'new', others: '1/2 new, 1/2 old' },
  },
  {
    shows: 'at both servers it is the last resort that all come to',
    says: { ...TWO, '192.0.2.11 *': 'once FORMERR answer new', '192.0.2.12 *': 'once case answer new' },
    users: { others: 'new' },
  },
  {
    shows:
      'one of two servers is truncated and silent over TCP: the other one has the answer, for Unbound late',
    says: { ...TWO, '192.0.2.11 *': 'once TC timeout', '192.0.2.12 *': 'answer new' },
    users: { others: 'new' },
    late: { unbound: '1/2' },
  },
  {
    shows: 'an address that is none at one of two servers',
    says: { ...TWO, '192.0.2.11 *': 'misfit', '192.0.2.12 *': 'answer new' },
    users: { others: 'new' },
  },
  {
    shows: 'servers of IPv6 have other data than those of IPv4',
    scope: { families: [4, 6] },
    says: {
      ...registry('ns1.z.t.=192.0.2.11,2001:db8::11 ns2.z.t.=192.0.2.12,2001:db8::12'),
      '192.0.2.11 *': 'answer four',
      '192.0.2.12 *': 'answer four',
      '2001:db8::11 *': 'answer six',
      '2001:db8::12 *': 'answer six',
    },
    users: { bind: 'six', powerdns: 'four', others: '1/2 four, 1/2 six' },
  },
];

for (const { shows, users, late, ...world } of CASES) {
  t.test(shows, async (t) => {
    const scope = { profiles: DEFAULT_PROFILES, ...world.scope };
    const { evaluation } = await exploreTable({ ask: 'www.z.t. A', roots: 'r.=192.0.2.1', ...world, scope });
    for (const name of DEFAULT_PROFILES) {
      const outcomes = outcomesIn(evaluation, name);
      const twice = evaluation.views.get(name)?.late;
      t.equal(twice && fractionText(twice), late?.[name], `${PROFILES[name].product}, late`);
      const shares = new Map<string, Fraction>();
      for (const { end, probability } of outcomes) {
        const said = end.kind === 'answer' ? end.records.map(({ data }) => data).join(' ') : end.kind;
        shares.set(said, add(shares.get(said) ?? ZERO, probability));
      }
      const spelled = [...shares]
        .sort()
        .map(([said, share]) => `${fractionText(lowestTerms(share))} ${said}`);
      const expected = users[name] ?? users.others;
      t.equal(spelled.join(', ').replace(/^1 /, ''), expected, PROFILES[name].product);
    }
  });
}
