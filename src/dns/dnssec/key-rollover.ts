/**
 * The keys of a zone that do not all have the same part in signing it, as during a rollover, and how the rollover goes on.
 * A zone that has one key, or one key for keys and one for data, is in none of these states.
 *
 * Each step is safe from a moment on that follows from the TTLs alone: nobody can see how long a key or DS record has been
 * published before now, so the moment is the latest that RFC 7583 3 can require.
 */
export function rolloverStates({ keys, ttls, time }: ZoneKeying): readonly RolloverState[] {
  const entries = keys.filter((key) => key.isEntryPoint || key.hasDs);
  const trusted = entries.filter((key) => key.hasDs && key.signsKeys);
  // Without a key that does both, the zone does not validate, and that is told instead.
  if (trusted.length === 0) return [];
  const moments = { ttls, time };
  return [...entryStates(entries, trusted, moments), ...dataStates(keys, moments)];
}

/** What is known of the keys of a zone. */
interface ZoneKeying {
  /** Only keys that count (RFC 4034 2.1, RFC 5011 2.1). */
  readonly keys: readonly KeyPart[];
  /** Original TTLs in seconds; that of data is the longest seen. */
  readonly ttls: { readonly ds: number; readonly keys: number; readonly data: number };
  /** Seconds since 1970. */
  readonly time: number;
}

/** A key and its part in signing a zone. */
export interface KeyPart {
  readonly tag: number;
  /** RFC 4034 2.1.1, SEP. */
  readonly isEntryPoint: boolean;
  readonly hasDs: boolean;
  /** Whether it signs the DNSKEY records. */
  readonly signsKeys: boolean;
  /** The RRsets seen that it signs besides those. */
  readonly signed: ReadonlySet<string>;
}

/** A state of a rollover: the keys by their tags, and from when on steps are safe, in seconds since 1970. */
export type RolloverState =
  /** RFC 7583 3.3.1: signs the DNSKEY records, but only others have DS records. It is the next key or the last one. */
  | {
      readonly kind: 'signs-without-ds';
      readonly key: number;
      readonly others: readonly number[];
      readonly publishDs: number;
      readonly removeOthers: number;
      readonly remove: number;
    }
  /** RFC 7583 3.3.2: has a DS record, and does not sign the DNSKEY records. */
  | {
      readonly kind: 'ds-without-signature';
      readonly key: number;
      readonly others: readonly number[];
      readonly removeOthers: number;
    }
  /** RFC 7583 3.3.3: several have DS records and sign the DNSKEY records. */
  | {
      readonly kind: 'double-ds';
      readonly keys: readonly number[];
      readonly removeDs: number;
      readonly remove: number;
    }
  /** Published for later: neither signs nor has a DS record. */
  | { readonly kind: 'standby'; readonly key: number; readonly publishDs: number }
  /** RFC 7583 3.2.1: for data, and signs none that was seen. It is the next key or the last one. */
  | { readonly kind: 'signs-nothing'; readonly key: number; readonly sign: number; readonly remove: number }
  /** RFC 7583 3.2.2: several sign the same data. */
  | { readonly kind: 'double-signature'; readonly keys: readonly number[]; readonly remove: number }
  /** RFC 7583 3.2.1: several sign, each other data. */
  | { readonly kind: 'mixed-signatures'; readonly keys: readonly number[]; readonly remove: number };

type Moments = Pick<ZoneKeying, 'ttls' | 'time'>;

/** States of keys that the parent is to name. */
function entryStates(
  entries: readonly KeyPart[],
  trusted: readonly KeyPart[],
  { ttls, time }: Moments,
): readonly RolloverState[] {
  const found: RolloverState[] = [];
  const others = tagsOf(trusted);
  const everywhere = time + Math.max(ttls.ds, ttls.keys);
  for (const { tag: key, hasDs, signsKeys } of entries) {
    const publishDs = time + ttls.keys;
    if (signsKeys && !hasDs)
      found.push({
        kind: 'signs-without-ds',
        key,
        others,
        publishDs,
        removeOthers: publishDs + ttls.ds,
        remove: time + ttls.ds,
      });
    if (!signsKeys && hasDs)
      found.push({ kind: 'ds-without-signature', key, others, removeOthers: everywhere });
    if (!signsKeys && !hasDs) found.push({ kind: 'standby', key, publishDs });
  }
  if (trusted.length > 1)
    found.push({ kind: 'double-ds', keys: others, removeDs: everywhere, remove: everywhere + ttls.ds });
  return found;
}

/** States of keys that only data are signed with. */
function dataStates(keys: readonly KeyPart[], { ttls, time }: Moments): readonly RolloverState[] {
  const found: RolloverState[] = [];
  const isSigned = keys.some(({ signed }) => signed.size > 0);
  const forData = keys.filter((key) => !key.isEntryPoint && !key.hasDs);
  const signing = forData.filter(({ signed }) => signed.size > 0);
  const idle = forData.filter(({ signed, signsKeys }) => signed.size === 0 && !signsKeys);
  if (isSigned)
    for (const { tag: key } of idle)
      found.push({ kind: 'signs-nothing', key, sign: time + ttls.keys, remove: time + ttls.data });
  if (signing.length < 2) return found;
  const remove = time + Math.max(ttls.data, ttls.keys);
  const isDouble = signing.some((one) =>
    signing.some((other) => other !== one && [...one.signed].some((rrset) => other.signed.has(rrset))),
  );
  found.push({ kind: isDouble ? 'double-signature' : 'mixed-signatures', keys: tagsOf(signing), remove });
  return found;
}

function tagsOf(keys: readonly KeyPart[]): readonly number[] {
  return keys.map(({ tag }) => tag);
}
