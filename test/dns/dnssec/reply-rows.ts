import t from 'tap';
import { INSECURE, trustFrom } from '../../../src/dns/dnssec/trust.ts';
import type { Claim, Cut, ZoneFacts } from '../../../src/dns/dnssec/verdict.ts';
import { parseName } from '../../../src/dns/name.ts';
import { NOW, recordLines, signingZone } from './signing.ts';
import { type ReplyRow, validationAt, verdictOn, verdictText } from './verdicts.ts';

/** The zone asked, one below it on the same server, and one below that. */
export const ZONE = signingZone('zone.test');
export const BELOW = signingZone('below.zone.test');
export const DEEPER = signingZone('deeper.below.zone.test');

export const SOA = ZONE.sign('zone.test. 300 SOA ns.zone.test. root.zone.test. 1 2 3 4 5');
export const BELOW_SOA = BELOW.sign('below.zone.test. 300 SOA ns.zone.test. root.zone.test. 1 2 3 4 5');
export const UNSIGNED_SOA = 'below.zone.test. 300 SOA ns.zone.test. root.zone.test. 1 2 3 4 5\n';

export const answer: Claim = { kind: 'answer', links: [] };
export const nodata: Claim = { kind: 'nodata' };
export const nxdomain: Claim = { kind: 'nxdomain' };

export function alias(
  kind: 'answer' | 'alias' | 'alias-loop',
  ...links: readonly (readonly [string, string])[]
): Claim {
  const named = links.map(([owner, target]) => ({ owner: parseName(owner), target: parseName(target) }));
  return { kind, links: named };
}

export function referral(to: string): Claim {
  return { kind: 'referral', to: parseName(to) };
}

export interface Row extends ReplyRow {
  readonly says: string;
  readonly is: string;
  readonly knowing?: ZoneFacts;
}

export function knowing(cuts: Readonly<Record<string, Cut>>, keys: ZoneFacts['keys'] = new Map()): ZoneFacts {
  return { cuts: new Map(Object.entries(cuts).map(([name, cut]) => [parseName(name), cut])), keys };
}

export const secure: Cut = { kind: 'cut', trust: trustFrom(recordLines(BELOW.ds)) };
export const insecure: Cut = { kind: 'cut', trust: INSECURE };
export const noCut: Cut = { kind: 'no-cut' };
export const noName: Cut = { kind: 'no-name' };
export const unusable: Cut = { kind: 'unusable' };
export const BELOW_KEYS = new Map([[BELOW.apex, BELOW.keys]]);

export function check(title: string, rows: readonly Row[]): void {
  t.test(title, async (t) => {
    const validation = validationAt(NOW);
    for (const row of rows)
      t.equal(verdictText(verdictOn(row, ZONE.keys, validation, row.knowing)), row.is, row.says);
  });
}

export const CNAME = ZONE.sign('www.zone.test. 300 CNAME web.zone.test.');
export const NSEC_AT = (owner: string, next: string, types: string) =>
  ZONE.sign(`${owner} 300 NSEC ${next} ${types} RRSIG NSEC`);
export const WWW_TO_ZZ = NSEC_AT('www.zone.test.', 'zz.zone.test.', 'A');
export const APEX = NSEC_AT('zone.test.', 'a.zone.test.', 'NS SOA DNSKEY');
