import type { Question } from '../../dns/message.ts';
import { comparableData, type Records, type ResourceRecord, soaIn } from '../../dns/record.ts';
import type { CopyKind } from '../../document/when.ts';
import { grouped } from '../../document/words/lists.ts';
import type { Given, Held } from './held.ts';

/** A server, and its share of picks, up to a common factor. */
export type Giver = Pick<Given, 'server' | 'share'>;

/** Collects the RRsets and denials that replies contain, with the TTL and data from each server. */
export class Copies {
  readonly #held = new Map<string, Held & { readonly given: Given[] }>();

  /** Notes each RRset among these records. Returns their copies. */
  noteSets(kind: CopyKind, records: readonly ResourceRecord[], giver: Giver): readonly Held[] {
    return grouped(records, ({ name, type }) => `${name} ${type}`).map((set) => {
      const ttl = Math.max(...set.map((record) => record.ttl));
      return this.#note(kind, set[0], { ...giver, ttl, data: set.map(comparableData).sort() });
    });
  }

  /** Notes the denial in a reply, if resolvers can hold it (RFC 2308 5). Returns its copy, if any. */
  noteDenial(kind: 'denial' | 'no-ds', of: Question, authority: Records, giver: Giver): readonly Held[] {
    const record = authority.find(({ type }) => type === 'SOA');
    const soa = record && soaIn(record);
    if (record === undefined || soa === undefined) return [];
    return [this.#note(kind, of, { ...giver, ttl: record.ttl, minimum: soa.minimum, data: [] })];
  }

  /** Notes the denial of DS records in a referral: NSEC or NSEC3 records. */
  noteNoDs(of: Question, authority: Records, giver: Giver): void {
    const proofs = authority.filter(({ type }) => type === 'NSEC' || type === 'NSEC3');
    const ttl = Math.max(...proofs.map((proof) => proof.ttl));
    if (proofs.length > 0) this.#note('no-ds', of, { ...giver, ttl, data: [] });
  }

  #note(kind: CopyKind, { name, type }: Question, given: Given): Held {
    const key = `${kind} ${name} ${type}`;
    const held = this.#held.get(key) ?? { kind, rrset: { name, type }, given: [] };
    this.#held.set(key, held);
    if (!held.given.some((one) => isSame(one, given))) held.given.push(given);
    return held;
  }

  find(kind: CopyKind, { name, type }: Question): Held | undefined {
    return this.#held.get(`${kind} ${name} ${type}`);
  }
}

/** A server that is asked several times is noted once for each TTL and data. */
function isSame(one: Given, other: Given): boolean {
  return one.server === other.server && one.ttl === other.ttl && one.data.join() === other.data.join();
}
