import type { ServerSpec } from '../../src/lab/world.ts';

const ADDRESSES = { root: '127.1.0.1', test: '127.1.0.2', host: '127.1.0.3' };

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
    `test. NS ns.test.\nns.test. A ${ADDRESSES.test}\nhost. NS ns.host.\nns.host. A ${ADDRESSES.host}\n`;
  const registry = (zone: string, address: string, lines: readonly string[]): ServerSpec => ({
    name: `ns.${zone}`,
    addresses: [address],
    zones: [
      `$ORIGIN ${zone}\n$TTL 86400\n@ ${denialTtl} SOA ns hostmaster 1 3600 600 86400 ${denialTtl}\n@ NS ns\n` +
        `ns A ${address}\nwarm A 192.0.2.1\n${lines.join('')}`,
    ],
  });
  return [
    { name: 'a.root.', addresses: [ADDRESSES.root], zones: [root] },
    registry('test.', ADDRESSES.test, test),
    registry('host.', ADDRESSES.host, host),
  ];
}
