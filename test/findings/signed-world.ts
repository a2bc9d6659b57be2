/** Worlds of the lab's signed zones for findings: two root servers, and a zone a. with two servers. */

import type { Fault } from '../../src/lab/faults.ts';
import type { Signings, ZoneSigning } from '../../src/lab/signing/zone-signing.ts';
import { trustAnchorOf } from '../../src/lab/trust-anchor.ts';
import type { World } from '../../src/lab/world.ts';
import { zoneText } from '../../src/lab/zone-text.ts';
import { parseTrustAnchors } from '../../src/validate/trust-anchors.ts';
import { labExchange } from '../lab/lab-exchange.ts';
import type { FindingsWorld } from './world.ts';

/** When signatures are judged, in seconds since 1970. */
export const TIME = Date.UTC(2026, 10, 22) / 1000;

export const DAY = 86_400;

/** How a server differs from those of a healthy world. */
interface ServerChange {
  readonly faults?: readonly Fault[];
  readonly signed?: Signings;
}

/** How a world differs from a healthy one. */
interface SignedWorld {
  readonly ask?: string;
  readonly root?: ServerChange;
  readonly ns1?: ServerChange;
  readonly ns2?: ServerChange;
  /** How a. is signed; absent: as most zones are. */
  readonly a?: ZoneSigning | 'unsigned';
  /** More records of a. */
  readonly more?: readonly string[];
  readonly at?: number;
}

/** "name: type data" lines as the lab reads them. */
export function signed({ ask, root, ns1, ns2, a = {}, more = [], at = TIME }: SignedWorld): FindingsWorld {
  const rootZone = zoneText(
    '.',
    lines([
      '. NS r1.',
      '. NS r2.',
      'r1. A 192.0.2.1',
      'r2. A 192.0.2.2',
      'a. NS ns1.a.',
      'a. NS ns2.a.',
      'ns1.a. A 192.0.2.11',
      'ns2.a. A 192.0.2.12',
    ]),
  );
  const zoneA = zoneText(
    'a.',
    lines([
      'a. NS ns1.a.',
      'a. NS ns2.a.',
      'ns1.a. A 192.0.2.11',
      'ns2.a. A 192.0.2.12',
      'www.a. A 192.0.2.80',
      ...more,
    ]),
  );
  const lab: World = {
    servers: [
      { name: 'r1.', addresses: ['192.0.2.1'], zones: [rootZone], ...root },
      { name: 'r2.', addresses: ['192.0.2.2'], zones: [rootZone] },
      { name: 'ns1.a.', addresses: ['192.0.2.11'], zones: [zoneA], ...ns1 },
      { name: 'ns2.a.', addresses: ['192.0.2.12'], zones: [zoneA], ...ns2 },
    ],
    signed: { '.': {}, ...(a === 'unsigned' ? {} : { 'a.': a }) },
  };
  const exchange = labExchange(lab);
  const addresses = lab.servers.flatMap((server) => server.addresses);
  return {
    ...(ask === undefined ? {} : { ask }),
    says: Object.fromEntries(addresses.map((address) => [`${address} *`, exchange])),
    options: {
      families: [4],
      dnssec: true,
      trustAnchors: parseTrustAnchors(trustAnchorOf(lab)),
      at: new Date(at * 1000).toISOString(),
    },
  };
}

function lines(records: readonly string[]): string {
  return records.join('\n');
}
