/** The rules of svc-model(7), EXCHANGES and COLD AND WARM, for what the servers of random worlds say. */
import type { Said, Server } from './random-world.ts';

/** A delegation as the brute force knows it. */
export interface Cut {
  readonly zone: string;
  readonly servers: readonly Server[];
}

type Meaning =
  | { readonly kind: 'answer'; readonly addresses: readonly string[]; readonly text: string }
  | { readonly kind: 'end'; readonly end: string; readonly text: string }
  | { readonly kind: 'alias'; readonly target: string }
  | { readonly kind: 'referral'; readonly to: Cut };

/** What it means, said to this question, for a zone. */
export function meaning(said: Said, name: string, type: string, zone: string): Meaning {
  switch (said.kind) {
    case 'answer':
      return { kind: 'answer', addresses: addressesIn(said.data), text: answerText(said.data, name, type) };
    case 'own': {
      if (said.through === undefined)
        return { kind: 'answer', addresses: [], text: answerText(said.names, name, type) };
      return { kind: 'alias', target: said.through };
    }
    case 'alias':
      return { kind: 'alias', target: said.target };
    case 'alias-loop':
      return { kind: 'end', end: 'alias-loop', text: name };
    case 'empty':
      return { kind: 'end', end: 'lame', text: 'empty -' };
    case 'error':
      return { kind: 'end', end: 'error', text: said.rcode };
    case 'ns': {
      if (said.zone !== zone && within(said.zone, zone) && within(name, said.zone)) {
        const servers = said.servers.map((server) => ({
          name: server.name,
          addresses: within(server.name, zone) ? server.addresses : [],
        }));
        return { kind: 'referral', to: { zone: said.zone, servers } };
      }
      const reason = said.zone === zone ? 'self' : within(zone, said.zone) ? 'upward' : 'sideways';
      return { kind: 'end', end: 'lame', text: `${reason} ${said.zone}` };
    }
    default:
      return { kind: 'end', end: said.kind, text: '' };
  }
}

/** The own set that a reply to the apex question of a delegation gives, if it gives one. */
export function ownSet(said: Said, { zone, servers }: Cut): Cut | undefined {
  if (said.kind !== 'own' || said.through !== undefined) return undefined;
  const names = [...new Set(said.names.filter(fits).map((name) => name.toLowerCase()))];
  if (names.length === 0) return undefined;
  const glueOf = (name: string) => {
    const added = said.additional.find((server) => server.name === name)?.addresses ?? [];
    const delegated = servers.find((server) => server.name === name)?.addresses ?? [];
    return ([isV4, isV6] as const).flatMap((ofFamily) => {
      const own = within(name, zone) ? added.filter((one) => fits(one) && ofFamily(one)) : [];
      return own.length > 0 ? own : delegated.filter(ofFamily);
    });
  };
  return { zone, servers: names.map((name) => ({ name, addresses: [...new Set(glueOf(name))] })) };
}

/** Whether a name is a zone or below it. */
export function within(name: string, zone: string): boolean {
  return zone === '.' || name === zone || name.endsWith(`.${zone}`);
}

function answerText(data: readonly string[], owner: string, type: string): string {
  return [...data]
    .map((one) => `${owner} ${type} ${one.toLowerCase()}`)
    .sort()
    .join(',');
}

function addressesIn(data: readonly string[]): readonly string[] {
  return [...new Set(data.filter(fits))];
}

function fits(data: string): boolean {
  return !data.startsWith('\\#');
}

function isV6(address: string): boolean {
  return address.includes(':');
}

function isV4(address: string): boolean {
  return !isV6(address);
}
