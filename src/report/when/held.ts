import type { Question } from '../../dns/message.ts';
import type { CopyKind, CopyRow } from '../../document/when.ts';
import { grouped } from '../../document/words/lists.ts';
import { asked, plain } from '../../document/words/names.ts';
import { PROFILES, type ProfileName } from '../../explore/profiles/profiles.ts';
import { type SharedTtl, timeLeft, type Uniforms } from './curve.ts';

/** An RRset or a denial that resolvers can hold, with the TTL and data from each server. */
export interface Held {
  readonly kind: CopyKind;
  readonly rrset: Question;
  readonly given: readonly Given[];
}

/** An RRset as a server gives it. */
export interface Given {
  /** The TTL in seconds; for a denial that of its SOA record. */
  readonly ttl: number;
  /** For a denial: the field MINIMUM of its SOA record, in seconds. */
  readonly minimum?: number;
  /** The share of picks of this server, up to a common factor. */
  readonly share: number;
  /** "ns1.example.com 192.0.2.1" */
  readonly server: string;
  /** Its data, sorted; none for a denial. */
  readonly data: readonly string[];
}

/** The time for which resolvers of a profile keep a copy from a server, in seconds (RFC 2308 5 for denials). */
function ttlIn(profile: ProfileName, kind: CopyKind, { ttl, minimum = ttl }: Given): number {
  const { least, most, mostNegative, negative } = PROFILES[profile].ttl;
  if (kind !== 'denial' && kind !== 'no-ds') return Math.max(Math.min(ttl, most), least);
  return Math.max(Math.min(negative === 'smaller' ? Math.min(ttl, minimum) : ttl, mostNegative), least);
}

function ttlsIn(profile: ProfileName, { kind, given }: Held): readonly SharedTtl[] {
  return given.map((one) => ({ ttl: ttlIn(profile, kind, one), share: one.share }));
}

/** The time for which busy resolvers of a profile will keep the copy that they hold. */
export function timeLeftOf(profile: ProfileName, held: Held): Uniforms {
  const least = leastOf(profile, held);
  return timeLeft(ttlsIn(profile, held).map(({ ttl, share }) => ({ ttl: Math.max(ttl, least), share })));
}

/** The longest time for which a profile keeps a copy, in seconds: its TTL, or what the profile makes of it. */
export function longestTtl(profile: ProfileName, held: Held): number {
  return Math.max(0, ...ttlsIn(profile, held).map(({ ttl }) => ttl)) + leastOf(profile, held);
}

/** The time for which a copy is used at least; it may have been taken into use when its TTL was nearly over. */
function leastOf(profile: ProfileName, { kind }: Held): number {
  return kind === 'address' ? PROFILES[profile].ttl.leastAddress : 0;
}

/** The longest time that these copies can live one after another, in milliseconds: a second more for each, as resolvers round. */
export function lastMs(profile: ProfileName, copies: readonly Held[]): number {
  return copies.reduce((sum, held) => sum + (longestTtl(profile, held) + 1) * 1_000, 0);
}

/** The copy as a row of the document. */
export function copyRow(profile: ProfileName, held: Held): CopyRow {
  const { kind, rrset, given } = held;
  return {
    kind,
    rrset,
    ttl: longestTtl(profile, held),
    ttls: grouped(given, ({ ttl }) => `${ttl}`)
      .map((alike) => ({
        ttl: alike[0].ttl,
        servers: [...new Set(alike.map(({ server }) => server))].sort(),
      }))
      .sort((a, b) => b.ttl - a.ttl),
  };
}

/** "www.example.com A", "the NS records of example.com at its parent" */
export function copyWords({ kind, rrset }: Pick<Held, 'kind' | 'rrset'>): string {
  const name = plain(rrset.name);
  switch (kind) {
    case 'data':
      return asked(rrset);
    case 'denial':
      return rrset.type === 'SOA' ? `denials of ${name}` : `the denial of ${asked(rrset)}`;
    case 'parent':
      return `the NS records of ${name} at its parent`;
    case 'own':
      return `${name}'s own NS records`;
    case 'address':
      return `the address of ${name}`;
    case 'keys':
      return `the keys of ${name}`;
    case 'ds':
      return `the DS records of ${name}`;
    case 'no-ds':
      return `the denial of DS records of ${name}`;
  }
}
