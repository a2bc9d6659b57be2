import { address, zone } from './zone.ts';

const shopServers = `
  @   NS ns1
  @   NS ns2
  ns1 A  ${address.nsd}
  ns2 A  ${address.knot}`;

/** shop.test: one of its two servers is stale. */
export const shopFresh = zone(
  'shop.test.',
  `${shopServers}
   www A 192.0.2.10
   www A 192.0.2.11
   new A 192.0.2.12`,
);
export const shopStale = zone('shop.test.', `${shopServers}\nwww A 192.0.2.99`);

/** care.test: one server works, one refuses, one is silent, one is not there. */
export const care = zone(
  'care.test.',
  `@   NS ns1
   @   NS ns2
   @   NS ns3
   @   NS ns4
   ns1 A  ${address.powerdns}
   ns2 A  ${address.bind}
   ns3 A  ${address.silent}
   ns4 A  ${address.closed}
   www A  192.0.2.20`,
);

/** lame.test: one server works, one is the root's and refers upward, one lost the zone. */
export const lame = zone(
  'lame.test.',
  `@   NS ns1
   @   NS ns2
   @   NS ns3
   ns1 A  ${address.bind}
   ns2 A  ${address.rootNsd}
   ns3 A  ${address.nsd}
   www A  192.0.2.30`,
);

/** echo.test: one server works, one is the registry's and refers to the zone itself. */
export const echo = zone(
  'echo.test.',
  `@   NS ns1
   @   NS ns2
   ns1 A  ${address.knot}
   ns2 A  ${address.testPowerdns}
   www A  192.0.2.35`,
);

/** hoster.example: healthy; its servers host other people's zones. */
export const hoster = zone(
  'hoster.example.',
  `@   NS ns1
   @   NS ns2
   ns1 A  ${address.powerdns}
   ns2 A  ${address.bind}`,
);

/** news.test: healthy, without glue: both servers are the hoster's. The name asked is an alias in the zone. */
export const news = zone(
  'news.test.',
  `@   NS    ns1.hoster.example.
   @   NS    ns2.hoster.example.
   www CNAME web
   web A     192.0.2.40`,
);

const splitServers = `
  @   NS ns1
  @   NS ns2
  ns1 A  ${address.nsd}
  ns2 A  ${address.knot}`;

/** split.example: its two servers disagree about where half.test's only server is; one is wrong, and refuses. */
export const splitFresh = zone('split.example.', `${splitServers}\nns A ${address.knot}`);
export const splitStale = zone('split.example.', `${splitServers}\nns A ${address.nsd}`);
export const half = zone('half.test.', '@ NS ns.split.example.\nwww A 192.0.2.50');

/** alias.test: an alias within the zone, then one across to market.example. */
export const alias = zone(
  'alias.test.',
  `@    NS    ns1
   @    NS    ns1.hoster.example.
   ns1  A     ${address.knot}
   www  CNAME shop
   shop CNAME www.market.example.`,
);
export const market = zone(
  'market.example.',
  `@   NS ns1
   @   NS ns2.hoster.example.
   ns1 A  ${address.nsd}
   www A  192.0.2.60`,
);

/** old.test: renamed to shop.test as a whole. */
export const old = zone(
  'old.test.',
  `@ NS    ns1.hoster.example.
   @ NS    ns2.hoster.example.
   @ DNAME shop.test.`,
);

/** gone.test: the name of one of its servers no longer exists. */
export const gone = zone(
  'gone.test.',
  `@   NS ns1
   @   NS ns.vanished.example.
   ns1 A  ${address.nsd}
   www A  192.0.2.70`,
);

/** sunk.test: the name of one of its servers is in a zone that no server serves. */
export const sunk = zone(
  'sunk.test.',
  `@   NS ns1
   @   NS ns.down.test.
   ns1 A  ${address.knot}
   www A  192.0.2.75`,
);

const messServers = `
  @   NS ns1
  @   NS ns2
  @   NS ns3
  @   NS ns4
  @   NS ns.vanished.example.
  ns1 A  ${address.nsd}
  ns2 A  ${address.knot}
  ns3 A  ${address.powerdns}
  ns4 A  ${address.silent}`;

/** mess.test: of five servers one works, one is stale, one refuses, one is dead, one has no address. */
export const messFresh = zone('mess.test.', `${messServers}\nwww A 192.0.2.100`);
export const messStale = zone('mess.test.', `${messServers}\nwww A 192.0.2.101`);

/** ring.test and ring.example: each needs the other for a server's address; ring.test has one more. */
export const ringTest = zone(
  'ring.test.',
  `@   NS ns1
   @   NS ns.ring.example.
   ns1 A  ${address.powerdns}
   ns  A  ${address.nsd}
   www A  192.0.2.80`,
);
export const ringExample = zone('ring.example.', `@ NS ns.ring.test.\nns A ${address.bind}`);

/** noglue.test: the registry has the address of only one of its two servers. */
export const noglue = zone(
  'noglue.test.',
  `@   NS ns1
   @   NS ns2
   ns1 A  ${address.knot}
   ns2 A  ${address.nsd}
   www A  192.0.2.90`,
);
