import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Test } from 'tap';
import { nsec3Text } from '../configure-server.ts';
import { all } from '../daemon.ts';
import { type Hierarchy, startHierarchy } from '../hierarchy.ts';
import { placeFor, type Setting } from '../setting.ts';
import type { NameServer, Signing, Zone } from '../world/zone.ts';
import { bindKeys } from './bind-keys.ts';
import { knotKeys } from './knot-keys.ts';
import { powerdnsKeys } from './powerdns-keys.ts';
import type { KeySet, MakeKeys } from './signer.ts';
import {
  type Copy,
  type Delegated,
  type Host,
  hosts,
  type SignedZone,
  type Tool,
  type World,
} from './world/world.ts';

/** What the suite does not do without: a hierarchy that runs until the test ends, and its root's keys. */
export type SignedSetting = Setting & Required<Pick<Setting, 'trustAnchors'>>;

/** Signs these worlds, and starts their servers for this test. */
export async function signedSettingFor(t: Test, worlds: readonly World[]): Promise<SignedSetting> {
  const { directory, cleanup } = await placeFor(t);
  const zones = worlds.flatMap((world) => world.zones);
  const hierarchy = await buildHierarchy(zones, join(directory, 'keys'));
  const { trustAnchors } = hierarchy;
  return {
    rootHints: await startHierarchy(hierarchy, directory, cleanup),
    trustAnchors,
    directory,
    cleanup,
  };
}

/** A hierarchy, and the file with its root's DS records. */
interface SignedHierarchy extends Hierarchy {
  readonly trustAnchors: string;
}

/** Makes keys for the zones, signs each copy, and says which server has which. Files go to `directory`. */
async function buildHierarchy(zones: readonly SignedZone[], directory: string): Promise<SignedHierarchy> {
  await mkdir(directory);
  const keys = new Map(await all(zones.map(async (zone) => [zone, await keysOf(zone, directory)] as const)));
  const served = await all(
    zones.flatMap((zone) =>
      zone.copies.map(async (copy) => [copy.host, await signCopy(zone, copy, keys)] as const),
    ),
  );
  const root = zones.find(({ origin }) => origin === '.');
  if (root === undefined) throw new Error('there is no root');
  const trustAnchors = join(directory, 'root.anchors');
  await writeFile(trustAnchors, (keys.get(root)?.own.ds ?? []).map((ds) => `. IN DS ${ds}\n`).join(''));
  return { nameServers: serversOf(served), rootHints: hintsOf(root), trustAnchors };
}

/** As its server gets it. PowerDNS signs by itself what its tool made keys for, unless something is wrong with it. */
async function signCopy(
  zone: SignedZone,
  copy: Copy,
  keys: ReadonlyMap<SignedZone, ZoneKeys>,
): Promise<Zone> {
  const { origin, denial } = zone;
  const text = unsignedText(zone, copy, keys);
  if (copy.signed === 'unsigned') return { kind: 'loaded', origin, text };
  const keySet = keys.get(zone)?.[copy.signed.keys];
  if (keySet === undefined) throw new Error(`there are no keys for ${origin}`);
  const nsec3 = nsec3Text(denial);
  const { privateKey } = keySet;
  if (hosts[copy.host].software === 'powerdns' && privateKey !== undefined && copy.after === undefined) {
    return { kind: 'loaded', origin, text, signing: { kind: 'live', privateKey, nsec3 } };
  }
  const lines = await keySet.sign({ origin, text, denial, time: copy.signed.time });
  const signing: Signing = { kind: 'presigned', nsec3 };
  return { kind: 'loaded', origin, text: `${(copy.after?.(lines) ?? lines).join('\n')}\n`, signing };
}

function serversOf(served: readonly (readonly [Host, Zone])[]): readonly NameServer[] {
  return [...new Set(served.map(([host]) => host))].map((host) => ({
    ...hosts[host],
    zones: served.filter(([one]) => one === host).map(([, zone]) => zone),
  }));
}

function hintsOf({ copies }: SignedZone): string {
  const servers = copies.map(
    ({ host }, i) => `. 3600000 NS ns${i + 1}.\nns${i + 1}. 3600000 A ${hosts[host].address}\n`,
  );
  return servers.join('');
}

/** A zone's records as one server is to have them, as a zone file: what is delegated comes from the other zones. */
function unsignedText(
  zone: SignedZone,
  { before = (lines) => lines }: Copy,
  keys: ReadonlyMap<SignedZone, ZoneKeys>,
): string {
  const { origin } = zone;
  const soa = `${origin} 3600 IN SOA hostmaster.example. hostmaster.example. 1 7200 3600 1209600 300`;
  const below = [...keys].filter(([child]) => child !== zone && parentOf(child, [...keys.keys()]) === zone);
  const delegations = below.flatMap(([child, childKeys]) => [
    ...serverLines(child),
    ...dsLines(child, childKeys),
  ]);
  const own = zone.lines
    .split('\n')
    .flatMap((line) => line.trim() || [])
    .map((line) => inFull(line, origin));
  return `${before([soa, ...serverLines(zone), ...own, ...delegations]).join('\n')}\n`;
}

/** The zone with the longest name that has this one below it. */
function parentOf(child: SignedZone, zones: readonly SignedZone[]): SignedZone | undefined {
  return zones
    .filter(
      ({ origin }) =>
        origin !== child.origin && `.${child.origin}`.endsWith(origin === '.' ? '.' : `.${origin}`),
    )
    .sort((a, b) => b.origin.length - a.origin.length)[0];
}

/** NS records and addresses. */
function serverLines({ origin, copies }: SignedZone): readonly string[] {
  return copies.flatMap(({ host }, i) => {
    const name = nameIn(`ns${i + 1}`, origin);
    return [`${origin} 3600 IN NS ${name}`, `${name} 3600 IN A ${hosts[host].address}`];
  });
}

function dsLines({ origin, delegated }: SignedZone, keys: ZoneKeys): readonly string[] {
  return dsOf(delegated, keys).map((data) => `${origin} 3600 IN DS ${data}`);
}

function dsOf(delegated: Delegated, { own, other }: ZoneKeys): readonly string[] {
  switch (delegated) {
    case 'own':
      return own.ds;
    case 'own and other':
      return [...own.ds, ...(other?.ds ?? [])];
    case 'own and unknown digest':
      return [...own.ds, ...own.ds.map((data) => data.replace(/^(\d+ \d+) \d+/, '$1 200'))];
    case 'other':
      return other?.ds ?? [];
    case 'unknown algorithm':
      return own.ds.map((data) => data.replace(/^(\d+) \d+/, '$1 200'));
    case 'nothing':
      return [];
  }
}

/** "www A 192.0.2.1" with its owner in full, TTL and class. */
function inFull(line: string, origin: string): string {
  const [owner = '', ...rest] = line.split(/\s+/);
  return `${nameIn(owner, origin)} 3600 IN ${rest.join(' ')}`;
}

function nameIn(owner: string, origin: string): string {
  if (owner === '@') return origin;
  return origin === '.' ? `${owner}.` : `${owner}.${origin}`;
}

/** The keys of a zone: those that it has, and others if anybody needs them. */
interface ZoneKeys {
  readonly own: KeySet;
  readonly other?: KeySet;
}

const makers: Readonly<Record<Tool, MakeKeys>> = {
  BIND: bindKeys,
  Knot: knotKeys,
  PowerDNS: powerdnsKeys,
};

/** Makes a zone's keys, each set in a directory of its own within this one. */
async function keysOf(zone: SignedZone, directory: string): Promise<ZoneKeys> {
  const { origin, tool, algorithm } = zone;
  const make = (which: string) => makers[tool](origin, algorithm, join(directory, `keys-${origin}${which}`));
  const own = await make('own');
  return needsOther(zone) ? { own, other: await make('other') } : { own };
}

function needsOther({ delegated, copies }: SignedZone): boolean {
  return (
    delegated === 'other' ||
    delegated === 'own and other' ||
    copies.some(({ signed }) => signed !== 'unsigned' && signed.keys === 'other')
  );
}
