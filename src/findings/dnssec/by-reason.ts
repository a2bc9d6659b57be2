import { grouped } from '../../reading/grouped.ts';
import { plain, withAddress } from '../../reading/words/names.ts';
import type { BogusReason } from '../../validate/bogus-reason.ts';
import type { Name } from '../../wire/name.ts';
import type { Check, Draft, Words } from '../check.ts';
import type { Evidence } from '../evidence.ts';
import { costWords } from './cost.ts';
import { type HeardVerdict, judgementsIn } from './judgements.ts';

/** What servers do wrong, as the rest of a sentence, and what to do about it. */
type Fault = (first: HeardVerdict, evidence: Evidence) => Words;

/**
 * A check of replies that are bogus for one of these reasons: a draft for each address, or one for the zone where all
 * that were judged are alike.
 */
export function byReason(reasons: readonly BogusReason[], fault: Fault): Check {
  return function* (evidence) {
    const all = judgementsIn(evidence);
    const wrong = all.filter((one) => isBogusFor(one, reasons));
    for (const inZone of grouped(wrong, ({ zone }) => zone)) {
      const [{ zone }] = inZone;
      const judged = new Set(all.filter((one) => one.zone === zone).map(({ server }) => server.address));
      const addresses = grouped(inZone, ({ server }) => server.address);
      if (addresses.length > 1 && addresses.length === judged.size)
        yield draftOf(zone, inZone, fault, evidence);
      else
        for (const atAddress of addresses)
          yield draftOf(zone, atAddress, fault, evidence, atAddress[0].server);
    }
  };

  function draftOf(
    zone: Name,
    shown: readonly [HeardVerdict, ...HeardVerdict[]],
    fault: Fault,
    evidence: Evidence,
    server?: HeardVerdict['server'],
  ): Draft {
    const { problem, advice } = fault(shown[0], evidence);
    const who = server === undefined ? `Every server of ${plain(zone)}` : withAddress(server);
    const cost = costWords(evidence, zone, reasons);
    return {
      zone,
      ...(server && { server }),
      problem: `${who} ${problem}, ${cost}`,
      advice,
      proof: shown.map(({ exchanged }) => exchanged),
    };
  }
}

function isBogusFor({ verdict }: HeardVerdict, reasons: readonly BogusReason[]): boolean {
  return verdict.status === 'bogus' && reasons.includes(verdict.reason);
}
