/* Describes the simulated internet, its servers and their zones, and reads it. */

import { readZone, type Zone } from '../authority/zone.ts';
import { getOrMake } from '../base/memo.ts';
import { parseAddress } from '../dns/address.ts';
import { rcodeCode } from '../dns/codes.ts';
import { type Name, parseName, ROOT } from '../dns/name.ts';
import { rdataText } from '../dns/rdata/rdata.ts';
import { Reader } from '../dns/reader.ts';
import type { Fault } from './faults.ts';
import type { Behaviour } from './reaction.ts';
import type { Contents, Identity } from './reply.ts';
import type { LabZone } from './signing/lab-security.ts';
import { signZone } from './signing/signed-zone.ts';
import { dsData } from './signing/signing-key.ts';
import { dsOf, type Signings, type ZoneSigning } from './signing/zone-signing.ts';

/** A small internet. The servers that have the root zone are its root servers. */
export interface World {
  readonly servers: readonly ServerSpec[];
  /** The zones that are signed; absent: none. Whatever signed zones are above them has DS records for them. */
  readonly signed?: Signings;
}

/**
 * One server of a world. Two may have one name, each with its own addresses and contents: that is
 * how one address of a name server can be stale or dead.
 */
export interface ServerSpec extends Identity {
  /** Its host name, with or without the final dot. */
  readonly name: string;
  /** IPv4 and IPv6, any number, in any notation. No address occurs twice in a world. */
  readonly addresses: readonly string[];
  /** Zone files; see zoneText for a short way to write them. */
  readonly zones?: readonly string[];
  /**
   * Zone files that it has besides, by turns: one list for each query like the last, and from the first again. So answers
   * rotate, or one of several machines behind the address is stale.
   */
  readonly turns?: readonly (readonly string[])[];
  /** How this server has zones signed, where that is not as in the rest of the world. */
  readonly signed?: Signings;
  readonly faults?: readonly Fault[];
}

/** A server of a world, checked and read. */
export interface Server extends Behaviour {
  readonly name: Name;
  /** Canonical text. */
  readonly addresses: readonly string[];
}

/** Why a world cannot exist. */
export class WorldError extends Error {
  override readonly name = 'WorldError';
}

/** Reads a world. Throws WorldError, ZoneFileError or NameError for a mistake in it. */
export function readWorld(world: World): Server[] {
  const servers = world.servers.map(serverReader(world.signed));
  const seen = new Set<string>();
  for (const address of servers.flatMap((server) => server.addresses)) {
    if (seen.has(address)) throw new WorldError(`two servers have the address ${address}`);
    seen.add(address);
  }
  return servers;
}

/** Reads servers one by one, and a zone that several have only once. Throws like readWorld. */
export function serverReader(signed: Signings = {}): (spec: ServerSpec) => Server {
  const store = getOrMake(STORES, signed, () => createZoneStore(signed));
  return (spec) => readServer(spec, store);
}

/** A world that is started often, as the demo is by a process of tests, is read and signed once. */
const STORES = new WeakMap<Signings, ZoneStore>();

function readServer(spec: ServerSpec, store: ZoneStore): Server {
  const { name, addresses, zones: texts = [], turns = [], signed, faults = [], ...identity } = spec;
  const contents = (files: readonly string[]): Contents => {
    const zones = files.map(store.zone);
    return { zones, securedZones: () => zones.map((zone) => store.secured(zone, signed)), identity };
  };
  return {
    name: parseName(name),
    addresses: addresses.map((text) => canonical(text, name)),
    ...contents(texts),
    turns: turns.map((files) => contents([...texts, ...files])),
    faults: faults.map((fault) => checked(fault, name)),
  };
}

function canonical(text: string, server: string): string {
  const address = parseAddress(text);
  if (address === undefined) throw new WorldError(`${server} has "${text}", which is not an address`);
  return address;
}

/** Mistakes in a fault show when the world is read, not when a query comes. */
function checked(fault: Fault, server: string): Fault {
  if (fault.kind === 'rcode' && (rcodeCode(fault.rcode) ?? MOST_RCODE) >= MOST_RCODE) {
    throw new WorldError(
      `${server} has the rcode "${fault.rcode}", which is unknown or does not fit without EDNS`,
    );
  }
  const address = fault.only?.address;
  if (address !== undefined && parseAddress(address) !== address) {
    throw new WorldError(
      `a fault of ${server} is limited to "${address}", which is not an address in canonical text`,
    );
  }
  const names = fault.kind === 'lame' ? [fault.zone, ...fault.ns] : [];
  if (fault.kind !== 'closed-port') names.push(fault.only?.zone ?? '.', fault.only?.name ?? '.');
  for (const name of names) parseName(name);
  return fault;
}

/** RFC 1035 4.1.1: four bits. */
const MOST_RCODE = 16;

/** The servers that a resolver would have as root hints, each name once. */
export function rootServers(servers: readonly Server[]): { name: Name; addresses: string[] }[] {
  const roots = new Map<Name, string[]>();
  for (const { name, addresses, zones } of servers) {
    if (zones.some((zone) => zone.apex === ROOT)) getOrMake(roots, name, () => []).push(...addresses);
  }
  return [...roots].map(([name, addresses]) => ({ name, addresses }));
}

/** The zones of a world: each is read once, and signed once in each way, however many servers have it. */
interface ZoneStore {
  readonly zone: (text: string) => Zone;
  /** The zone with what signing adds, if it is signed; `own` says how a server does that otherwise than others. */
  readonly secured: (zone: Zone, own?: Signings) => LabZone;
}

/** An empty store. Its functions throw ZoneFileError and NameError. */
function createZoneStore(signed: Signings): ZoneStore {
  const zones = new Map<string, Zone>();
  const secured = new Map<Zone, Map<ZoneSigning, LabZone>>();
  const signings = byName(signed);
  const dsAt = (cut: Name) => dsRecords(cut, signings.get(cut));
  return {
    zone: (text) => getOrMake(zones, text, () => readZone(text)),
    secured: (zone, own = {}) => {
      const signing = byName(own).get(zone.apex) ?? signings.get(zone.apex) ?? 'unsigned';
      if (signing === 'unsigned') return zone;
      const made = getOrMake(secured, zone, () => new Map());
      return getOrMake(made, signing, () => signZone(zone, signing, dsAt));
    },
  };
}

/** The data of the DS records that a world has for a zone. */
function dsRecords(zone: Name, signing: ZoneSigning | 'unsigned' = 'unsigned'): Uint8Array[] {
  return signing === 'unsigned' ? [] : dsOf(signing).map((ds) => dsData(zone, ds, signing));
}

function byName(signings: Signings): Map<Name, ZoneSigning | 'unsigned'> {
  return new Map(Object.entries(signings).map(([name, signing]) => [parseName(name), signing]));
}

/** The DS records of a world's root zone, a line for each, as a file of trust anchors has them; empty if it is not signed. */
export function trustAnchorOf({ signed = {} }: World): string {
  const lines = dsRecords(ROOT, signed[ROOT]).map(
    (rdata) => `. 86400 IN DS ${rdataText('DS', 'IN', Reader.of(rdata).data(rdata.length))}\n`,
  );
  return lines.join('');
}
