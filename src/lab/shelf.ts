import { getOrMake } from '../get-or-make.ts';
import { type Name, parseName } from '../wire/name.ts';
import { signZone } from './signing/signed-zone.ts';
import { dsData } from './signing/signing-key.ts';
import { dsOf, type Signings, type ZoneSigning } from './signing/zone-signing.ts';
import { readZone, type Zone } from './zone.ts';

/** The zones of a world: each is read once, and signed once in each way, however many servers have it. */
export interface Shelf {
  readonly zone: (text: string) => Zone;
  /** The zone with what signing adds, if it is signed; `own` says how a server does that otherwise than others. */
  readonly secured: (zone: Zone, own?: Signings) => Zone;
}

/** An empty shelf. Its functions throw ZoneFileError and NameError. */
export function createShelf(signed: Signings): Shelf {
  const zones = new Map<string, Zone>();
  const secured = new Map<Zone, Map<ZoneSigning, Zone>>();
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
export function dsRecords(zone: Name, signing: ZoneSigning | 'unsigned' = 'unsigned'): Uint8Array[] {
  return signing === 'unsigned' ? [] : dsOf(signing).map((ds) => dsData(zone, ds, signing));
}

function byName(signings: Signings): Map<Name, ZoneSigning | 'unsigned'> {
  return new Map(Object.entries(signings).map(([name, signing]) => [parseName(name), signing]));
}
