import { getOrMake } from '../../base/memo.ts';
import { type Work, workOf } from '../../base/work.ts';
import type { Family } from '../../dns/address.ts';
import type { Question } from '../../dns/message.ts';
import { isAtOrBelow, labelCount, type Name } from '../../dns/name.ts';
import type { ResourceRecord } from '../../dns/record.ts';
import type { Exchanged } from '../../exchange/exchanged.ts';
import type { ZoneQuery } from '../../exchange/query.ts';
import { lookupTypes } from '../addresses.ts';
import type { Delegation } from '../delegation.ts';
import { apexQuestion } from '../main-walks.ts';

/**
 * The questions of `--check` beyond the walks, to read what a zone's servers say of the zone itself:
 * svc-model(7), COLD AND WARM. Every question of a zone goes to every address that picks there can give.
 */
export class ZoneQuestions {
  readonly #families: readonly Family[];
  readonly #work: Work;
  readonly #zones = new Map<Name, VisitedZone>();
  #wanted: ZoneQuery[] = [];

  /** Once it took more work than there may be, it wants nothing new. */
  constructor(families: readonly Family[], work: Work) {
    this.#families = families;
    this.#work = work;
  }

  /** The questions that became known since the last call. */
  take(): readonly ZoneQuery[] {
    const wanted = this.#wanted;
    this.#wanted = [];
    return wanted;
  }

  /** The zones known so far, in the order in which walks came to them. */
  get zones(): readonly MainZone[] {
    return [...this.#zones.values()];
  }

  /** The main walk comes to a zone with this delegation, or own set. */
  meet({ zone, nameservers }: Delegation): void {
    const visited = this.#visited(zone);
    if (labelCount(zone) <= 1) return;
    for (const { name } of nameservers) {
      if (visited.nameservers.has(name) || !isAtOrBelow(name, zone)) continue;
      visited.nameservers.add(name);
      for (const { type } of lookupTypes(this.#families)) this.#put(visited, { name, type });
    }
  }

  /**
   * A server of the zone replied to the main walk. If the zone is signed, as the reply shows, its servers are asked what DS
   * records it wants its parent to have (RFC 7344), but for the root and top-level domains: whoever keeps the root zone
   * does not read that.
   */
  hear(zone: Name, exchanged: Exchanged): void {
    const visited = this.#visited(zone);
    if (visited.isSigned || labelCount(zone) <= 1 || !hasSignatureBy(zone, exchanged)) return;
    visited.isSigned = true;
    for (const type of ['CDS', 'CDNSKEY']) this.#put(visited, { name: zone, type });
  }

  /** A pick in the zone can give this address. */
  reach(zone: Name, address: string): void {
    const visited = this.#visited(zone);
    if (visited.addresses.has(address) || this.#work.exceeded) return;
    visited.addresses.add(address);
    for (const question of visited.questions) this.#want(visited, address, question);
  }

  #visited(zone: Name): VisitedZone {
    return getOrMake(this.#zones, zone, () => ({
      zone,
      addresses: new Set<string>(),
      questions: [{ name: zone, type: 'SOA' }, apexQuestion(zone)],
      nameservers: new Set<Name>(),
      isSigned: false,
    }));
  }

  #put(visited: VisitedZone, question: Question): void {
    visited.questions.push(question);
    for (const address of visited.addresses) this.#want(visited, address, question);
  }

  #want({ zone }: VisitedZone, address: string, question: Question): void {
    if (this.#work.spend(workOf('address', 1)) === 'exceeded') return;
    this.#wanted.push({ address, question, zone });
  }
}

/** A zone that the main walk comes to, cold or warm. */
export interface MainZone {
  readonly zone: Name;
  /** Those that picks there can give, unless packets to them are blocked. */
  readonly addresses: ReadonlySet<string>;
}

/** What is known of one zone that the main walk comes to. */
interface VisitedZone extends MainZone {
  readonly addresses: Set<string>;
  /** Each put to each of the addresses. */
  readonly questions: Question[];
  readonly nameservers: Set<Name>;
  /** Whether some reply has shown that. */
  isSigned: boolean;
}

/** Whether a reply has a signature by the zone, whatever it is worth. */
function hasSignatureBy(zone: Name, { outcome }: Exchanged): boolean {
  if (outcome.kind !== 'reply') return false;
  const isBy = ({ type, data }: ResourceRecord) => type === 'RRSIG' && data.split(' ')[SIGNER] === zone;
  return outcome.answer.some(isBy) || outcome.authority.some(isBy);
}

/** The field of a signature that names the zone (RFC 4034 3.1.7). */
const SIGNER = 7;
