import type { ZoneKey } from '../../dns/dnssec/keys.ts';
import { questionKey } from '../../dns/message.ts';
import { isAtOrBelow, type Name } from '../../dns/name.ts';
import type { ExchangeRow } from '../../document/exchanges.ts';
import type { Finding } from '../../document/finding.ts';
import type { TraversalResult } from '../../document/result.ts';
import type { AddressRow, StepRow } from '../../document/steps.ts';
import { grouped } from '../../document/words/lists.ts';
import { HEADINGS } from '../../findings/catalogue.ts';
import { type Judged, keysIn } from './chain-replies.ts';
import { mainWalk, type ResultIndex, resultIndex } from './result-index.ts';

/** The parts of a result from which its chain of trust is made. */
export class ChainEvidence {
  readonly index: ResultIndex;
  /** Those of the main walk. */
  readonly steps: readonly StepRow[];
  readonly #result: TraversalResult;
  /** The exchanges about the keys and the DS records of a name, by question. */
  readonly #asked: ReadonlyMap<string, readonly ExchangeRow[]>;
  readonly #keys: ReadonlyMap<Name, readonly ZoneKey[]>;
  readonly #time: number;

  constructor(result: TraversalResult) {
    const { options, startedAt } = result;
    this.#result = result;
    this.index = resultIndex(result);
    this.steps = mainWalk(this.index).steps;
    this.#time = Math.floor(Date.parse(options.at ?? startedAt) / 1000);
    const asked = grouped(this.#aboutProof(), ({ question }) => questionKey(question));
    this.#asked = new Map(asked.map((same) => [questionKey(same[0].question), same]));
    const keys = asked.flatMap((same): readonly (readonly [Name, readonly ZoneKey[]])[] => {
      const [{ question }] = same;
      const known = same.flatMap((row) => keysIn(row, question.name));
      return question.type === 'DNSKEY' && known.length > 0 ? [[question.name, known]] : [];
    });
    this.#keys = new Map(keys);
  }

  /** Queries for keys and DS records to servers that paths come to, without those that are imagined to be down. */
  #aboutProof(): readonly ExchangeRow[] {
    const rows = this.steps.flatMap(addressesAt);
    const met = new Set(rows.map(({ address }) => address));
    const isDown = (row: AddressRow) =>
      row.class === 'timeout' && this.index.exchange(row)?.failure === undefined;
    for (const { address } of rows.filter(isDown)) met.delete(address);
    const referrals = new Set(rows.flatMap((row) => (row.class === 'referral' ? row.exchange : []) ?? []));
    return this.#result.exchanges.filter(
      ({ id, server, question: { type } }) =>
        (type === 'DNSKEY' || type === 'DS') && met.has(server.address) && !referrals.has(id),
    );
  }

  /** Queries for the keys or the DS records of a name. */
  about(name: Name, type: 'DNSKEY' | 'DS'): readonly ExchangeRow[] {
    return this.#asked.get(questionKey({ name, type })) ?? [];
  }

  /** Zones at or above a name to which no referral leads, because servers of a zone above have them, too. */
  zonesAbove(name: Name): readonly Name[] {
    const rows = [...this.#asked.values()].flat();
    return rows
      .filter((row) => isAtOrBelow(name, row.question.name) && isZone(row))
      .map((row) => row.question.name);
  }

  judged(signatures: Judged['signatures']): Judged {
    return { time: this.#time, keysOf: (zone) => this.#keys.get(zone), signatures };
  }

  /** The records of the root that validating begins with. */
  anchors() {
    return (this.#result.options.trustAnchors ?? []).map((anchor) => {
      const [, type = '', data = ''] = ANCHOR.exec(anchor) ?? [];
      return { type, data };
    });
  }

  /**
   * The codes of findings that tell more of these exchanges: the DNSSEC findings that they prove; if `all` are wanted and each
   * of these follows from another finding, the causes, which may be none of DNSSEC, such as a closed port.
   */
  codes(exchanges: readonly ExchangeRow[], wanted: 'causes' | 'all'): readonly string[] {
    const ids = new Set(exchanges.map(({ id }) => id));
    const proven = this.#result.findings.filter(
      (finding) =>
        Object.hasOwn(HEADINGS.DNSSEC, finding.code) && finding.exchanges.some((id) => ids.has(id)),
    );
    const causes = proven.filter(({ consequenceOf }) => consequenceOf === undefined);
    const shown = causes.length > 0 || wanted === 'causes' ? causes : proven.map((one) => this.#causeOf(one));
    return [...new Set(shown.map(({ code }) => code))].slice(0, MOST_CODES);
  }

  #causeOf(finding: Finding): Finding {
    return this.#result.findings.find(({ id }) => id === finding.consequenceOf) ?? finding;
  }
}

/** As `parseTrustAnchors` writes them. */
const ANCHOR = /^\. IN (DS|DNSKEY) (.*)$/;

/** The most findings that a link refers to. */
const MOST_CODES = 2;

/** Every address of a step. */
export function addressesAt({ nameservers }: StepRow): readonly AddressRow[] {
  return nameservers.flatMap(({ addresses }) => addresses);
}

/** Whether a question about keys or DS records shows that there is a zone. */
function isZone({ question: { name, type }, answer, security }: ExchangeRow): boolean {
  if (type === 'DNSKEY' || security?.status === 'insecure') return true;
  return answer?.some((record) => record.type === 'DS' && record.name === name) ?? false;
}
