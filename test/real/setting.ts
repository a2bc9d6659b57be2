import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { Cleanup } from './daemon.ts';
import { startHierarchy } from './hierarchy.ts';
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
} from './world/hosted.ts';
import { ownSetZonesOn } from './world/own-sets.ts';
import { example, root, rootHints, test } from './world/registries.ts';
import { address, lostZone, type NameServer } from './world/zone.ts';

/**
 * Who serves what. No server has a zone and one below it: it would answer for both at once, and
 * the cut between them would be seen on some paths only.
 */
const nameServers: readonly NameServer[] = [
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

/** A hierarchy that runs until the test ends, and where those that use it may put their files. */
export interface Setting {
  readonly rootHints: string;
  /** A file with the root's DS or DNSKEY records; absent if nothing is signed. */
  readonly trustAnchors?: string | undefined;
  readonly directory: string;
  readonly cleanup: Cleanup;
}

/** Starts the hierarchy in which nothing is signed for this test. */
export async function settingFor(t: Test): Promise<Setting> {
  const { directory, cleanup } = await placeFor(t);
  const hierarchy = { nameServers, rootHints };
  return { rootHints: await startHierarchy(hierarchy, directory, cleanup), directory, cleanup };
}

/** Where a test may put its files, and what is to be undone at its end. */
export async function placeFor(t: Test): Promise<Pick<Setting, 'directory' | 'cleanup'>> {
  const cleanup = new Cleanup();
  const directory = await mkdtemp(join(tmpdir(), 'svc-real-'));
  cleanup.add(() => rm(directory, { recursive: true }));
  t.teardown(() => cleanup.run());
  return { directory, cleanup };
}
