/** A question worth asking in the demo, and what it shows, in one line. */
export interface Showcase {
  readonly name: string;
  readonly type: string;
  readonly line: string;
  /** The option without which it does not show. */
  readonly option?: '--check';
}

const shown = (name: string, line: string, type = 'A'): Showcase => ({ name, type, line });

/** What the demo shows, the healthy names first. */
export const showcases: readonly Showcase[] = [
  shown('www.shop.example', 'healthy: every path ends in the same answer'),
  shown('www.blog.test', 'healthy, over IPv6 as well', 'AAAA'),
  shown('nowhere.shop.example', 'healthy: every server agrees that there is no such name'),
  shown('80.100.51.198.in-addr.arpa', 'an address: -x 198.51.100.80 asks its reverse zone', 'PTR'),
  shown('www.lame.example', 'a lame server: one of two refers back to the root'),
  shown('www.forgotten.example', 'one of two servers refuses: the zone was never set up there'),
  shown('www.dead.example', 'a dead server: half of all first attempts time out'),
  shown('www.stale.example', 'a stale server: half of all users get an old address'),
  shown('spring.sale.example', 'a new name that one of two servers says does not exist'),
  shown('www.launch.test', 'a new domain that one of the two registry servers does not know'),
  shown('www.moved.example', 'a move of which the registry knows nothing: cold wrong, warm right'),
  shown('www.copied.example', "a move with the old hoster's NS records: cold right, warm wrong"),
  shown('www.berlin.offices.example', 'one of two servers denies a name that only has names below it'),
  shown('www.paris.offices.example', 'servers silent to the short questions of some resolver products'),
  shown('www.missing-glue.example', 'missing glue: ns2 can only be found by way of ns1'),
  shown('www.wrong-glue.example', 'wrong glue: the address of ns2 now belongs to somebody else'),
  shown('www.left.example', 'two domains that depend on each other: neither resolves'),
  shown('www.circle.example', 'an alias loop across two zones and two hosters'),
  shown('www.magazine.example', 'an alias to a content network with one dead server of four'),
  shown('www.six.example', 'a server with dead IPv6: a quarter of first attempts time out'),
  shown('www.intranet.example', 'a name server with a private address'),
  shown('www.old.example', 'a server that rejects EDNS: right answers, one query later'),
  shown('post.letters.example', 'an answer too large for UDP, and a server that refuses TCP', 'TXT'),
  shown('www.hotel.example', 'DNS intercepted on the way: a resolver answers for the root servers'),
  shown('www.expired.example', 'old signatures at one of two servers: not all resolvers retry'),
  shown('www.firewall.example', 'a firewall that holds back the keys of one of two servers'),
  shown('www.rollover.example', 'a half-done change of keys: one server has the old one, one the new'),
  shown('www.new-key.example', 'a change of keys: the new one signs, and has no DS record yet'),
  shown('www.lost-key.example', 'the registry names a key that the zone does not have'),
  shown('nowhere.denial.example', 'a name that does not exist, but nobody proves that'),
  shown('www.unsigned.example', 'healthy: not signed, and the registry proves that'),
  shown('www.pool.example', 'healthy: rotating, each reply has 4 of 16 addresses'),
  shown('www.sealed.example', 'healthy: rotating, and each answer signed as it is given'),
  shown('www.cached.example', 'healthy: rotating, with a cache in front of one of two servers'),
  shown('www.weighted.example', 'healthy: an alias of one of two networks by turns'),
  shown('www.regional.example', 'another answer from each server, from one version of the zone'),
  shown('www.machine.example', 'a stale machine: one of two behind one address'),
  shown('www.stray.example', 'rotating, and one server of three is stale'),
  shown('www.behind.example', 'rotating, and one server of three is stale and rotates, too'),
  shown('www.mixed.example', 'a bit of everything: 75 % right, 12.5 % stale, 12.5 % time out'),
];
