import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { all } from '../all.ts';
import type { Hierarchy } from '../hierarchy.ts';
import { nsec3Text } from '../servers/powerdns-keys.ts';
import type { NameServer, Signing, Zone } from '../world/zone.ts';
import { unsignedText } from './unsigned-text.ts';
import { type Host, hosts } from './world/hosts.ts';
import type { Copy, SignedZone } from './world/signed-zone.ts';
import { keysOf, type ZoneKeys } from './zone-keys.ts';

/** A hierarchy, and the file with its root's DS records. */
export interface SignedHierarchy extends Hierarchy {
  readonly trustAnchors: string;
}

/** Makes keys for the zones, signs each copy, and says which server has which. Files go to `directory`. */
export async function buildHierarchy(
  zones: readonly SignedZone[],
  directory: string,
): Promise<SignedHierarchy> {
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
