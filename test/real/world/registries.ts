import { address, zone } from './zone.ts';

/** The root, on two servers. */
export const root = zone(
  '.',
  `@              NS a.root.
   @              NS b.root.
   a.root.        A  ${address.rootBind}
   b.root.        A  ${address.rootNsd}
   test.          NS a.nic.test.
   test.          NS b.nic.test.
   a.nic.test.    A  ${address.testKnot}
   b.nic.test.    A  ${address.testPowerdns}
   example.       NS a.nic.example.
   example.       NS b.nic.example.
   a.nic.example. A  ${address.exampleNsd}
   b.nic.example. A  ${address.exampleBind}`,
);

/** The same as a root hints file. */
export const rootHints = `. 3600000 NS a.root.
. 3600000 NS b.root.
a.root. 3600000 A ${address.rootBind}
b.root. 3600000 A ${address.rootNsd}
`;

/** The registry of test., where the asked names are. What is wrong with each is told in hosted.ts and own-sets.ts. */
export const test = zone(
  'test.',
  `@          NS a.nic
   @          NS b.nic
   a.nic      A  ${address.testKnot}
   b.nic      A  ${address.testPowerdns}

   shop       NS ns1.shop
   shop       NS ns2.shop
   ns1.shop   A  ${address.nsd}
   ns2.shop   A  ${address.knot}

   care       NS ns1.care
   care       NS ns2.care
   care       NS ns3.care
   care       NS ns4.care
   ns1.care   A  ${address.powerdns}
   ns2.care   A  ${address.bind}
   ns3.care   A  ${address.silent}
   ns4.care   A  ${address.closed}

   lame       NS ns1.lame
   lame       NS ns2.lame
   lame       NS ns3.lame
   ns1.lame   A  ${address.bind}
   ns2.lame   A  ${address.rootNsd}
   ns3.lame   A  ${address.nsd}

   echo       NS ns1.echo
   echo       NS ns2.echo
   ns1.echo   A  ${address.knot}
   ns2.echo   A  ${address.testPowerdns}

   down       NS ns1.down
   down       NS ns2.down
   ns1.down   A  ${address.nsd}
   ns2.down   A  ${address.knot}

   news       NS ns1.hoster.example.
   news       NS ns2.hoster.example.

   half       NS ns.split.example.

   alias      NS ns1.alias
   alias      NS ns1.hoster.example.
   ns1.alias  A  ${address.knot}

   old        NS ns1.hoster.example.
   old        NS ns2.hoster.example.

   gone       NS ns1.gone
   gone       NS ns.vanished.example.
   ns1.gone   A  ${address.nsd}

   sunk       NS ns1.sunk
   sunk       NS ns.down
   ns1.sunk   A  ${address.knot}

   mess       NS ns1.mess
   mess       NS ns2.mess
   mess       NS ns3.mess
   mess       NS ns4.mess
   mess       NS ns.vanished.example.
   ns1.mess   A  ${address.nsd}
   ns2.mess   A  ${address.knot}
   ns3.mess   A  ${address.powerdns}
   ns4.mess   A  ${address.silent}

   ring       NS ns1.ring
   ring       NS ns.ring.example.
   ns1.ring   A  ${address.powerdns}

   noglue     NS ns1.noglue
   noglue     NS ns2.noglue
   ns2.noglue A  ${address.nsd}

   told       NS ns1.told
   ns1.told   A  ${address.bind}

   nocookie     NS ns1.nocookie
   ns1.nocookie A  ${address.nsd}

   quiet      NS ns1.quiet
   quiet      NS ns2.quiet
   ns1.quiet  A  ${address.knot}
   ns2.quiet  A  ${address.powerdns}

   shared     NS ns1.shared
   shared     NS ns2.shared
   ns1.shared A  ${address.nsd}
   ns2.shared A  ${address.bind}

   moved      NS ns1.moved
   moved      NS ns2.moved
   ns1.moved  A  ${address.nsd}
   ns2.moved  A  ${address.bind}

   early      NS ns1.early
   ns1.early  A  ${address.bind}

   away       NS ns1.away
   ns1.away   A  ${address.nsd}`,
);

/** The registry of example., where the hosters are. */
export const example = zone(
  'example.',
  `@          NS a.nic
   @          NS b.nic
   a.nic      A  ${address.exampleNsd}
   b.nic      A  ${address.exampleBind}

   hoster     NS ns1.hoster
   hoster     NS ns2.hoster
   ns1.hoster A  ${address.powerdns}
   ns2.hoster A  ${address.bind}

   split      NS ns1.split
   split      NS ns2.split
   ns1.split  A  ${address.nsd}
   ns2.split  A  ${address.knot}

   market     NS ns1.market
   market     NS ns2.hoster
   ns1.market A  ${address.nsd}

   ring       NS ns.ring.test.`,
);
