import type { ServerSpec } from '../../src/lab/world.ts';

/** A registry has as many addresses as those of the Internet: with one, BIND waits longer for the whole name. */
const ADDRESSES = {
  root: '127.1.0.1',
  test: addressesIn('127.1.2'),
  host: addressesIn('127.1.3'),
};

function addressesIn(prefix: string): readonly string[] {
  return Array.from({ length: 8 }, (_, i) => `${prefix}.${i + 1}`);
}

/** The root hints. */
export const HINTS = `. 3600000 NS a.root.\na.root. 3600000 A ${ADDRESSES.root}\n`;

/** The zones of the registries. */
export const REGISTRIES = ['.', 'test.', 'host.'] as const;

/** A name that every resolver can look up in each registry. */
export const WARM_NAMES = ['warm.test.', 'warm.host.'] as const;

/** Lines of the zones "test.", where the zones are that are looked up, and "host.", where names of their servers are. */
interface Delegated {
  readonly test: readonly string[];
  readonly host: readonly string[];
}

/** The root and the registries, which are in order. `denialTtl` is that of denials, and of DS records; in seconds. */
export function registriesWith({ test, host }: Delegated, denialTtl: number): readonly ServerSpec[] {
  const root =
    `$TTL 86400\n. SOA a.root. h.root. 1 3600 600 86400 60\n. NS a.root.\na.root. A ${ADDRESSES.root}\n` +
    `test. NS ns.test.\n${glueOf('ns.test.', ADDRESSES.test)}` +
    `host. NS ns.host.\n${glueOf('ns.host.', ADDRESSES.host)}`;
  const registry = (zone: string, addresses: readonly string[], lines: readonly string[]): ServerSpec => ({
    name: `ns.${zone}`,
    addresses,
    zones: [
      `$ORIGIN ${zone}\n$TTL 86400\n@ ${denialTtl} SOA ns hostmaster 1 3600 600 86400 ${denialTtl}\n@ NS ns\n` +
        `${glueOf('ns', addresses)}warm A 192.0.2.1\n${lines.join('')}`,
    ],
  });
  return [
    { name: 'a.root.', addresses: [ADDRESSES.root], zones: [root] },
    registry('test.', ADDRESSES.test, test),
    registry('host.', ADDRESSES.host, host),
  ];
}

function glueOf(name: string, addresses: readonly string[]): string {
  return addresses.map((address) => `${name} A ${address}\n`).join('');
}
