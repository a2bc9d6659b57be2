import { type Name, parseName } from '../../src/dns/name.ts';
import type { Query } from '../../src/exchange/query.ts';
import { delegationOf } from '../../src/explore/delegation.ts';
import { Explorer } from '../../src/explore/explore.ts';
import type { Recording, Scope } from '../../src/explore/recording.ts';
import { randomWarmWorld } from '../evaluate/random-warm-world.ts';
import { exchangeOf, randomFrom, randomWorld } from '../evaluate/random-world.ts';
import type { FindingsWorld, Saying } from './world.ts';
import { serving, type ZoneSpec, zone } from './zone-worlds.ts';

/** What is heard in a random world: loops, aliases, glueless servers and faults; and differing own sets, if they are asked for. */
export async function randomRecording(seed: number, check: Scope['check'] = 'off'): Promise<Recording> {
  const world = check === 'on' ? randomWarmWorld(seed) : randomWorld(seed);
  const { name, families, maxDepth, roots } = world;
  const hints = roots.map((server): [Name, readonly string[]] => [parseName(server.name), server.addresses]);
  const scope: Scope = {
    question: { name: parseName(name), type: 'A' },
    hints: delegationOf(parseName('.'), new Map(hints)),
    families,
    maxDepth,
    maxWork: check === 'on' ? 100_000 : 1_000,
    specialTargets: 'blocked',
    warm: check,
    check,
  };
  const explorer = new Explorer(scope, { maxQueries: 1_000, maxTimeMs: 60_000 });
  const exchange = async (query: Query) => exchangeOf(world, query);
  const { recording } = await explorer.run(exchange, new AbortController().signal, { heard: () => {} });
  return recording;
}

/** Random worlds in which nothing is wrong: parents and children agree, and so do all servers of a zone. */

/** A zone while the world grows: its own name servers with their addresses, and all its records. */
interface Planned {
  readonly apex: string;
  /** What a delegation of the zone has, the glue included. */
  readonly delegation: readonly string[];
  readonly addresses: readonly string[];
  readonly records: string[];
  readonly serial: number;
}

/** Zones down to four below the root, with two to four servers each, some in-domain and some of another zone's. */
export function healthyWorld(seed: number): FindingsWorld {
  const random = randomFrom(`healthy ${seed}`);
  const upTo = (most: number) => 1 + Math.floor(random() * most);
  let hosts = 0;
  const plan = (apex: string, inDomain: boolean, providers: readonly Planned[]): Planned => {
    const provider = inDomain ? undefined : providers[Math.floor(random() * providers.length)];
    const serial = upTo(99);
    if (provider !== undefined) {
      const names = provider.records.flatMap((text) => (/^(ns\S+) A /.exec(text) ?? []).slice(1));
      const delegation = names.map((name) => `${apex} NS ${name}`);
      return { apex, delegation, addresses: provider.addresses, records: [...delegation], serial };
    }
    const servers = Array.from({ length: 1 + upTo(3) }, () => {
      hosts += 1;
      const name = `ns${hosts}.${apex === '.' ? '' : apex}`;
      return { name, records: [`${name} A 192.0.2.${hosts}`, `${name} AAAA 2001:db8::${hosts}`] };
    });
    const delegation = servers.flatMap(({ name, records }) => [`${apex} NS ${name}`, ...records]);
    const addresses = servers.flatMap(({ records }) => records.map((text) => text.split(' ')[2] ?? ''));
    return { apex, delegation, addresses, records: [...delegation], serial };
  };
  const root = plan('.', true, []);
  const provider = plan('p.', true, []);
  const zones = [root, provider];
  root.records.push(...provider.delegation);
  let above = root;
  for (const label of ['a', 'b', 'c'].slice(0, upTo(3))) {
    const next = plan(`${label}.${above.apex === '.' ? '' : above.apex}`, random() < 0.6, [provider]);
    above.records.push(...next.delegation);
    zones.push(next);
    above = next;
  }
  const name = `www.${above.apex}`;
  if (random() < 0.8) above.records.push(`${name} A 198.51.100.1`, `${name} A 198.51.100.2`);
  return {
    ask: `${name} A`,
    roots: rootHints(root),
    options: { check: true },
    says: serversOf(zones),
  };
}

function rootHints({ records }: Planned): string {
  const texts = records.flatMap((text) => {
    const [, name = '', address = ''] = /^(ns\d+\.) A (.*)$/.exec(text) ?? [];
    return name === '' ? [] : [`${name}=${address},${address.replace('192.0.2.', '2001:db8::')}`];
  });
  return texts.join(' ');
}

function serversOf(zones: readonly Planned[]): Readonly<Record<string, Saying>> {
  const at = new Map<string, ZoneSpec[]>();
  for (const { apex, addresses, records, serial } of zones) {
    for (const address of addresses) {
      at.set(address, [...(at.get(address) ?? []), zone(apex, records, { serial })]);
    }
  }
  return Object.fromEntries([...at].map(([address, own]) => [`${address} *`, serving(...own)]));
}
