import { type Expectation, toTest } from './expectation.ts';
import { address } from './zone.ts';

/** The two ends of www.shop.test, also where an alias leads there. */
export const shop = [
  ['1/2', 'answer 192.0.2.10 192.0.2.11', 'www.shop.test. A in shop.test.', `ns1.shop.test. ${address.nsd}`],
  ['1/2', 'answer 192.0.2.99', 'www.shop.test. A in shop.test.', `ns2.shop.test. ${address.knot}`],
] as const;

const fresh = [
  ['1/2', 'answer 192.0.2.12', 'new.shop.test. A in shop.test.', `ns1.shop.test. ${address.nsd}`],
  ['1/2', 'nxdomain', 'new.shop.test. A in shop.test.', `ns2.shop.test. ${address.knot}`],
] as const;

const noMail = [
  ['1/2', 'nodata', 'www.shop.test. MX in shop.test.', `ns1.shop.test. ${address.nsd}`],
  ['1/2', 'nodata', 'www.shop.test. MX in shop.test.', `ns2.shop.test. ${address.knot}`],
] as const;

const nosuch = [
  ['1/2', 'nxdomain', 'nosuch.shop.test. A in shop.test.', `ns1.shop.test. ${address.nsd}`],
  ['1/2', 'nxdomain', 'nosuch.shop.test. A in shop.test.', `ns2.shop.test. ${address.knot}`],
] as const;

/** Zones whose servers all have their names in the zone, with glue: one pick decides. */
export const inDomain: readonly Expectation[] = [
  // Healthy or stale servers: one pick of two decides, in both views.
  { name: 'www.shop.test.', type: 'A', status: 1, paths: `${toTest * 2}`, path: shop, resolver: shop },
  { name: 'new.shop.test.', type: 'A', status: 1, paths: `${toTest * 2}`, path: fresh, resolver: fresh },
  { name: 'www.shop.test.', type: 'MX', status: 0, paths: `${toTest * 2}`, path: noMail, resolver: noMail },
  { name: 'nosuch.shop.test.', type: 'A', status: 0, paths: `${toTest * 2}`, path: nosuch, resolver: nosuch },
  {
    // Four servers, of which a resolver can use one.
    name: 'www.care.test.',
    type: 'A',
    status: 1,
    paths: `${toTest * 4}`,
    path: [
      ['1/4', 'answer 192.0.2.20', 'www.care.test. A in care.test.', `ns1.care.test. ${address.powerdns}`],
      ['1/4', 'error REFUSED', 'www.care.test. A in care.test.', `ns2.care.test. ${address.bind}`],
      ['1/4', 'timeout', 'www.care.test. A in care.test.', `ns3.care.test. ${address.silent}`],
      ['1/4', 'unreachable', 'www.care.test. A in care.test.', `ns4.care.test. ${address.closed}`],
    ],
    resolver: [
      ['1', 'answer 192.0.2.20', 'www.care.test. A in care.test.', `ns1.care.test. ${address.powerdns}`],
    ],
  },
  {
    // Three servers. The root's answers with the NS records of test., which encloses lame.test.
    name: 'www.lame.test.',
    type: 'A',
    status: 1,
    paths: `${toTest * 3}`,
    path: [
      ['1/3', 'answer 192.0.2.30', 'www.lame.test. A in lame.test.', `ns1.lame.test. ${address.bind}`],
      ['1/3', 'lame upward to test.', 'www.lame.test. A in lame.test.', `ns2.lame.test. ${address.rootNsd}`],
      ['1/3', 'error SERVFAIL', 'www.lame.test. A in lame.test.', `ns3.lame.test. ${address.nsd}`],
    ],
    resolver: [
      ['1', 'answer 192.0.2.30', 'www.lame.test. A in lame.test.', `ns1.lame.test. ${address.bind}`],
    ],
  },
  {
    // The registry's server answers with the delegation of echo.test, which is where the path is already.
    name: 'www.echo.test.',
    type: 'A',
    status: 1,
    paths: `${toTest * 2}`,
    path: [
      ['1/2', 'answer 192.0.2.35', 'www.echo.test. A in echo.test.', `ns1.echo.test. ${address.knot}`],
      [
        '1/2',
        'lame self to echo.test.',
        'www.echo.test. A in echo.test.',
        `ns2.echo.test. ${address.testPowerdns}`,
      ],
    ],
    resolver: [
      ['1', 'answer 192.0.2.35', 'www.echo.test. A in echo.test.', `ns1.echo.test. ${address.knot}`],
    ],
  },
  {
    // Both servers refuse: a resolver has none left.
    name: 'www.down.test.',
    type: 'A',
    status: 1,
    paths: `${toTest * 2}`,
    path: [
      ['1/2', 'error REFUSED', 'www.down.test. A in down.test.', `ns1.down.test. ${address.nsd}`],
      ['1/2', 'error REFUSED', 'www.down.test. A in down.test.', `ns2.down.test. ${address.knot}`],
    ],
    resolver: [['1', 'servfail', 'www.down.test. A in down.test.', '-']],
  },
];
