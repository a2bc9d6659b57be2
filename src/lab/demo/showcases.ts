/** A question worth asking in the demo, and what it shows, in one line. */
export interface Showcase {
  readonly name: string;
  readonly type: string;
  readonly line: string;
  /** The option without which it does not show. */
  readonly option?: '--check' | '--dnssec';
}

/** What the demo shows, the healthy names first. */
export const showcases: readonly Showcase[] = [
  { name: 'www.shop.example', type: 'A', line: 'healthy: every path ends in the same answer' },
  { name: 'www.blog.test', type: 'AAAA', line: 'healthy, over IPv6 as well' },
  {
    name: 'nowhere.shop.example',
    type: 'A',
    line: 'healthy: every server agrees that there is no such name',
  },
  {
    name: '80.100.51.198.in-addr.arpa',
    type: 'PTR',
    line: 'an address: -x 198.51.100.80 asks its reverse zone',
  },
  { name: 'www.lame.example', type: 'A', line: 'a lame server: one of two refers back to the root' },
  {
    name: 'www.forgotten.example',
    type: 'A',
    line: 'one of two servers refuses: the zone was never set up there',
  },
  { name: 'www.dead.example', type: 'A', line: 'a dead server: half of all first attempts time out' },
  { name: 'www.stale.example', type: 'A', line: 'a stale server: half of all users get an old address' },
  { name: 'spring.sale.example', type: 'A', line: 'a new name that one of two servers says does not exist' },
  {
    name: 'www.launch.test',
    type: 'A',
    line: 'a new domain that one of the two registry servers does not know',
  },
  {
    name: 'www.moved.example',
    type: 'A',
    option: '--check',
    line: 'a move of which the registry knows nothing: cold wrong, warm right',
  },
  {
    name: 'www.copied.example',
    type: 'A',
    option: '--check',
    line: "a move with the old hoster's NS records: cold right, warm wrong",
  },
  {
    name: 'www.berlin.offices.example',
    type: 'A',
    option: '--check',
    line: 'one of two servers denies a name that only has names below it',
  },
  {
    name: 'www.missing-glue.example',
    type: 'A',
    line: 'missing glue: ns2 can only be found by way of ns1',
  },
  {
    name: 'www.wrong-glue.example',
    type: 'A',
    line: 'wrong glue: the address of ns2 now belongs to somebody else',
  },
  { name: 'www.left.example', type: 'A', line: 'two domains that depend on each other: neither resolves' },
  { name: 'www.circle.example', type: 'A', line: 'an alias loop across two zones and two hosters' },
  {
    name: 'www.magazine.example',
    type: 'A',
    line: 'an alias to a content network with one dead server of four',
  },
  {
    name: 'www.six.example',
    type: 'A',
    line: 'a server with dead IPv6: a quarter of first attempts time out',
  },
  { name: 'www.intranet.example', type: 'A', line: 'a name server with a private address' },
  { name: 'www.old.example', type: 'A', line: 'a server that rejects EDNS: right answers, one query later' },
  {
    name: 'post.letters.example',
    type: 'TXT',
    line: 'an answer too large for UDP, and a server that refuses TCP',
  },
  {
    name: 'www.hotel.example',
    type: 'A',
    line: 'DNS intercepted on the way: a resolver answers for the root servers',
  },
  {
    name: 'www.expired.example',
    type: 'A',
    option: '--dnssec',
    line: 'old signatures at one of two servers: not all resolvers retry',
  },
  {
    name: 'www.rollover.example',
    type: 'A',
    option: '--dnssec',
    line: 'a half-done change of keys: one server has the old one, one the new',
  },
  {
    name: 'www.lost-key.example',
    type: 'A',
    option: '--dnssec',
    line: 'the registry names a key that the zone does not have',
  },
  {
    name: 'nowhere.denial.example',
    type: 'A',
    option: '--dnssec',
    line: 'a name that does not exist, but nobody proves that',
  },
  {
    name: 'www.unsigned.example',
    type: 'A',
    option: '--dnssec',
    line: 'healthy: not signed, and the registry proves that',
  },
  {
    name: 'www.mixed.example',
    type: 'A',
    line: 'a bit of everything: 75 % right, 12.5 % stale, 12.5 % time out',
  },
];
