import { address } from './addresses.ts';
import {
  alias,
  care,
  echo,
  gone,
  half,
  hoster,
  lame,
  market,
  messFresh,
  messStale,
  news,
  noglue,
  old,
  ringExample,
  ringTest,
  shopFresh,
  shopStale,
  splitFresh,
  splitStale,
  sunk,
} from './hosted.ts';
import { ownSetZonesOn } from './own-sets.ts';
import { example, root, test } from './registries.ts';
import { lostZone, type NameServer } from './zone.ts';

/**
 * Who serves what. No server has a zone and one below it: it would answer for both at once, and
 * the cut between them would be seen on some paths only.
 */
export const nameServers: readonly NameServer[] = [
  { software: 'bind', address: address.rootBind, zones: [root] },
  { software: 'nsd', address: address.rootNsd, zones: [root] },
  { software: 'knot', address: address.testKnot, zones: [test] },
  { software: 'powerdns', address: address.testPowerdns, zones: [test] },
  { software: 'nsd', address: address.exampleNsd, zones: [example] },
  { software: 'bind', address: address.exampleBind, zones: [example] },
  {
    software: 'nsd',
    address: address.nsd,
    zones: [
      shopFresh,
      splitFresh,
      market,
      gone,
      messFresh,
      ringExample,
      noglue,
      lostZone('lame.test.'),
      ...ownSetZonesOn('nsd'),
    ],
  },
  {
    software: 'knot',
    address: address.knot,
    zones: [shopStale, splitStale, half, alias, echo, messStale, noglue, sunk, ...ownSetZonesOn('knot')],
  },
  {
    software: 'powerdns',
    address: address.powerdns,
    zones: [care, hoster, news, alias, old, ringTest, ...ownSetZonesOn('powerdns')],
  },
  {
    software: 'bind',
    address: address.bind,
    zones: [lame, hoster, news, market, old, ringTest, ...ownSetZonesOn('bind')],
  },
];
