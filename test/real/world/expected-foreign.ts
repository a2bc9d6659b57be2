import { type Expectation, toExample, toHosterAddress, toTest, vanishedBy } from './expectation.ts';
import { shop } from './expected-in-domain.ts';
import { address } from './zone.ts';

const news = [
  ['1/2', 'answer 192.0.2.40', 'web.news.test. A in news.test.', `ns1.hoster.example. ${address.powerdns}`],
  ['1/2', 'answer 192.0.2.40', 'web.news.test. A in news.test.', `ns2.hoster.example. ${address.bind}`],
] as const;

const market = [
  [
    '1/2',
    'answer 192.0.2.60',
    'www.market.example. A in market.example.',
    `ns1.market.example. ${address.nsd}`,
  ],
  [
    '1/2',
    'answer 192.0.2.60',
    'www.market.example. A in market.example.',
    `ns2.hoster.example. ${address.bind}`,
  ],
] as const;

/** Zones that need another one: for a server's address, or for the target of an alias. */
export const foreign: readonly Expectation[] = [
  {
    // For either server its address is looked up from the root, where all paths give the same one: for the alias, and
    // again for its target.
    name: 'www.news.test.',
    type: 'A',
    status: 0,
    paths: `${toTest * (2 * toHosterAddress) ** 2}`,
    path: news,
    resolver: news,
  },
  {
    // The only server's address comes from split.example, whose two servers differ: 1/2 each. With the
    // wrong one the resolver has no usable server, so its chance of one is 1/2 too.
    name: 'www.half.test.',
    type: 'A',
    status: 1,
    paths: `${toTest * toExample * 2}`,
    path: [
      ['1/2', 'answer 192.0.2.50', 'www.half.test. A in half.test.', `ns.split.example. ${address.knot}`],
      ['1/2', 'error REFUSED', 'www.half.test. A in half.test.', `ns.split.example. ${address.nsd}`],
    ],
    resolver: [
      ['1/2', 'answer 192.0.2.50', 'www.half.test. A in half.test.', `ns.split.example. ${address.knot}`],
      ['1/2', 'servfail', 'www.half.test. A in half.test.', '-'],
    ],
  },
  {
    // alias.test: one server with glue, one looked up, for either alias. Then from the root again to market.example, whose
    // delegation comes with both addresses: ns2.hoster.example is within example., so its glue counts.
    name: 'www.alias.test.',
    type: 'A',
    status: 0,
    paths: `${toTest * (1 + toHosterAddress) ** 2 * (toExample * 2)}`,
    path: market,
    resolver: market,
  },
  {
    // The DNAME leads below test., so the walk goes on at the registry of test., not at the root.
    name: 'www.old.test.',
    type: 'A',
    status: 1,
    paths: `${toTest * (2 * toHosterAddress) * (2 * 2)}`,
    path: shop,
    resolver: shop,
  },
  {
    // The second server's name is denied by either server of example.: 1/2 · 1/2 each.
    name: 'www.gone.test.',
    type: 'A',
    status: 1,
    paths: `${toTest * (1 + toExample)}`,
    path: [
      ['1/2', 'answer 192.0.2.70', 'www.gone.test. A in gone.test.', `ns1.gone.test. ${address.nsd}`],
      ['1/4', vanishedBy(`a.nic.example. ${address.exampleNsd}`), 'www.gone.test. A in gone.test.', '-'],
      ['1/4', vanishedBy(`b.nic.example. ${address.exampleBind}`), 'www.gone.test. A in gone.test.', '-'],
    ],
    resolver: [['1', 'answer 192.0.2.70', 'www.gone.test. A in gone.test.', `ns1.gone.test. ${address.nsd}`]],
  },
];
