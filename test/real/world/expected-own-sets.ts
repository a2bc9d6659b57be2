import { type Expectation, type ExpectedEnd, type ExpectedViews, toTest } from './expectation.ts';
import { answerOf, type Host } from './own-sets.ts';
import { address } from './zone.ts';

/** A question in a zone whose own NS RRset names other servers than its delegation. */
export interface OwnSetExpectation extends Expectation {
  readonly zone: string;
  /** Whether the delegation's servers put the zone's own NS RRset into their answers. */
  readonly told: 'with a cookie' | 'without a cookie' | 'by some with a cookie' | 'not at all';
  /** What the zone's own NS RRset names. */
  readonly own: 'other servers' | 'servers elsewhere' | 'other addresses' | 'servers that refuse';
  /** The views of the warm walk; those of the cold one are beside. */
  readonly warm: ExpectedViews;
}

/** A name server, its address for the walk in question, and what it does there. */
type At = readonly [server: string, host: Host];

export const expectedOwnSets: readonly OwnSetExpectation[] = [
  ownSet('told.test.', 'with a cookie', 'other servers', {
    cold: [['ns1.told.test.', 'bind']],
    warm: [
      ['ns3.told.test.', 'knot'],
      ['ns4.told.test.', 'powerdns'],
    ],
  }),
  ownSet('nocookie.test.', 'without a cookie', 'other servers', {
    cold: [['ns1.nocookie.test.', 'nsd']],
    warm: [
      ['ns3.nocookie.test.', 'knot'],
      ['ns4.nocookie.test.', 'powerdns'],
    ],
  }),
  ownSet('quiet.test.', 'not at all', 'other servers', {
    cold: [
      ['ns1.quiet.test.', 'knot'],
      ['ns2.quiet.test.', 'powerdns'],
    ],
    warm: [
      ['ns3.quiet.test.', 'nsd'],
      ['ns4.quiet.test.', 'bind'],
    ],
  }),
  ownSet('shared.test.', 'by some with a cookie', 'other servers', {
    cold: [
      ['ns1.shared.test.', 'nsd'],
      ['ns2.shared.test.', 'bind'],
    ],
    warm: [
      ['ns2.shared.test.', 'bind'],
      ['ns3.shared.test.', 'knot'],
    ],
  }),
  ownSet('moved.test.', 'by some with a cookie', 'other addresses', {
    cold: [
      ['ns1.moved.test.', 'nsd'],
      ['ns2.moved.test.', 'bind'],
    ],
    warm: [
      ['ns1.moved.test.', 'knot'],
      ['ns2.moved.test.', 'powerdns'],
    ],
  }),
  // The registry's server gives the own set, whose two servers refuse: a resolver that keeps to them has none.
  {
    ...ownSet('early.test.', 'with a cookie', 'servers that refuse', {
      cold: [['ns1.early.test.', 'bind']],
      warm: [],
    }),
    warm: {
      path: [
        ['1/2', 'error REFUSED', 'first.early.test. A in early.test.', `ns3.early.test. ${address.knot}`],
        ['1/2', 'error REFUSED', 'first.early.test. A in early.test.', `ns4.early.test. ${address.powerdns}`],
      ],
      resolver: [['1', 'servfail', 'first.early.test. A in early.test.', '-']],
    },
  },
  ownSet('away.test.', 'without a cookie', 'servers elsewhere', {
    cold: [['ns1.away.test.', 'nsd']],
    warm: [
      ['ns1.hoster.example.', 'powerdns'],
      ['ns2.hoster.example.', 'bind'],
    ],
  }),
];

/** A zone where every server that is asked answers: one pick decides, and both views of a walk are the same. */
function ownSet(
  zone: string,
  told: OwnSetExpectation['told'],
  own: OwnSetExpectation['own'],
  { cold, warm }: { readonly cold: readonly At[]; readonly warm: readonly At[] },
): OwnSetExpectation {
  return {
    zone,
    told,
    own,
    name: `first.${zone}`,
    type: 'A',
    status: 1,
    paths: `${toTest * cold.length}`,
    ...viewsOf(zone, cold),
    warm: viewsOf(zone, warm),
  };
}

function viewsOf(zone: string, servers: readonly At[]): ExpectedViews {
  const ends = servers.map(
    ([server, host]): ExpectedEnd => [
      servers.length === 1 ? '1' : `1/${servers.length}`,
      `answer ${answerOf[host]}`,
      `first.${zone} A in ${zone}`,
      `${server} ${address[host]}`,
    ],
  );
  return { path: ends, resolver: ends };
}
