import type { Fault } from '../../../src/lab/faults.ts';
import type { ZoneSigning } from '../../../src/lab/signing/zone-signing.ts';
import type { ServerSpec, World } from '../../../src/lab/world.ts';
import { REGISTRIES, registriesWith } from '../lab-registries.ts';
import type { Kind, ServerShape, Shape } from './kinds.ts';

/** A zone of its own below "test." that changes: a resolver that has not heard of it is cold for it. */
export interface Copy {
  readonly kind: Kind;
  readonly label: string;
  readonly name: string;
  readonly before: Part;
  readonly after: Part;
}

/** What a zone adds to a world. */
interface Part {
  /** Lines of the zones "test." and "host.". */
  readonly delegation: string;
  readonly hosted: string;
  readonly servers: readonly ServerSpec[];
  readonly zone: string;
  readonly signing: ZoneSigning | undefined;
}

/** TTLs that a kind leaves out; MINIMUM is then the TTL of the SOA record. */
export const USUAL_TTLS = { parent: 6, own: 7, glue: 6, address: 6, soa: 5 } as const;

/** Copies a kind of change under a label that no other copy has. */
export function copyOf(kind: Kind, label: string, nextAddress: () => string): Copy {
  const addresses = [nextAddress(), nextAddress(), nextAddress()];
  const place = { label, addressAt: (at: number) => addresses[at] ?? '' };
  const owner = kind.asks.name === '@' ? '' : `${kind.asks.name}.`;
  return {
    kind,
    label,
    name: `${owner}${label}.test.`,
    before: partOf(kind.before, place),
    after: partOf(kind.after, place),
  };
}

interface Place {
  readonly label: string;
  readonly addressAt: (at: number) => string;
}

function partOf(shape: Shape, place: Place): Part {
  const { label, addressAt } = place;
  const { parent, servers, keeps = [], others = [], signing, ttl } = shape;
  const { parent: p, glue, address } = { ...USUAL_TTLS, ...ttl };
  const zone = `${label}.test.`;
  const names = servers.map((server) => ({ ...server, full: nameOf(server, shape, label) }));
  const lines = (all: readonly string[]) => all.map((line) => `${line}\n`).join('');
  const addressLines = (ttl: number, some = servers) =>
    some.map((one) => `${nameOf(one, shape, label)} ${ttl} A ${addressAt(one.at)}`);
  const isElsewhere = shape.namesIn === 'elsewhere';
  const delegation =
    parent === undefined
      ? lines([...names.map(({ full }) => `@ ${p} NS ${full}`), ...(isElsewhere ? [] : addressLines(glue))])
      : `${parent.records}\n`;
  const hosted = lines([
    ...(isElsewhere ? addressLines(address, [...servers, ...keeps]) : []),
    shape.elsewhere ?? '',
  ]);
  const server = (at: number, name: string, file: string, faults: readonly Fault[] = []): ServerSpec => ({
    name,
    addresses: [addressAt(at)],
    zones: [file],
    faults,
  });
  const [first] = names;
  return {
    delegation: `$ORIGIN ${zone}\n${delegation}`,
    hosted: `$ORIGIN ${label}.host.\n${hosted}`,
    servers: [
      ...names.map((one) => server(one.at, one.full, zoneFile(shape, place, one), one.faults)),
      ...others
        .filter(({ at }) => !names.some((one) => one.at === at))
        .map((one) => server(one.at, `old${one.at}.${zone}`, zoneFile(one.shape, place), one.faults)),
    ],
    zone,
    signing: first === undefined ? undefined : signing,
  };
}

function nameOf({ name }: ServerShape, { namesIn = 'zone' }: Shape, label: string): string {
  return `${name}.${label}.${namesIn === 'zone' ? 'test.' : 'host.'}`;
}

function zoneFile(shape: Shape, { label, addressAt }: Place, server?: ServerShape): string {
  const { servers, keeps = [], records, namesIn = 'zone', ttl } = shape;
  const { own, address, soa } = { ...USUAL_TTLS, ...ttl };
  const minimum = ttl?.minimum ?? soa;
  const inZone = namesIn === 'zone' ? [...servers, ...keeps] : [];
  return [
    `$ORIGIN ${label}.test.`,
    '$TTL 300',
    `@ ${soa} SOA ns hostmaster 1 3600 600 86400 ${minimum}`,
    ...servers.map((one) => `@ ${own} NS ${nameOf(one, shape, label)}`),
    ...inZone.map((one) => `${one.name} ${address} A ${addressAt(one.at)}`),
    '*.busy 0 A 192.0.2.9',
    records.replaceAll('~', `${label}.host.`),
    server?.records ?? '',
    '',
  ].join('\n');
}

/** The registries above the copies, which are signed, and the copies as they are before the change or after it. */
export function worldOf(copies: readonly Copy[], when: 'before' | 'after'): World {
  const parts = copies.map((copy) => copy[when]);
  const signings = parts.flatMap(({ zone, signing }) => (signing ? [[zone, signing] as const] : []));
  const delegated = {
    test: parts.map(({ delegation }) => delegation),
    host: parts.map(({ hosted }) => hosted),
  };
  return {
    signed: Object.fromEntries([...REGISTRIES.map((zone) => [zone, {}] as const), ...signings]),
    servers: [...registriesWith(delegated, DENIAL_TTL), ...parts.flatMap(({ servers }) => servers)],
  };
}

const DENIAL_TTL = 5;
