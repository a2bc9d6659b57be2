import { join } from 'node:path';
import { bindKeys } from './signers/bind.ts';
import { knotKeys } from './signers/knot.ts';
import { powerdnsKeys } from './signers/powerdns.ts';
import type { KeySet, MakeKeys } from './signers/signer.ts';
import type { SignedZone, Tool } from './world/signed-zone.ts';

/** The keys of a zone: those that it has, and others if anybody needs them. */
export interface ZoneKeys {
  readonly own: KeySet;
  readonly other?: KeySet;
}

const makers: Readonly<Record<Tool, MakeKeys>> = {
  BIND: bindKeys,
  Knot: knotKeys,
  PowerDNS: powerdnsKeys,
};

/** Makes a zone's keys, each set in a directory of its own within this one. */
export async function keysOf(zone: SignedZone, directory: string): Promise<ZoneKeys> {
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
