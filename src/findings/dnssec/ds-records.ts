/* Collects the DS records that servers of parents return, and finds those that name no key. */

import { toHex } from '../../base/encodings.ts';
import type { ZoneKey } from '../../dns/dnssec/keys.ts';
import { type DelegationSigner, keysByDs, signersIn } from '../../dns/dnssec/trust.ts';
import { isBelow, type Name } from '../../dns/name.ts';
import { firstOfEach, grouped, listed } from '../../document/words/lists.ts';
import { plain } from '../../document/words/names.ts';
import type { Exchanged } from '../../exchange/exchanged.ts';
import { type Checks, inZone } from '../check.ts';
import { type Evidence, oncePer } from '../evidence.ts';
import { byZone, dsText, keysIn } from './key-sets.ts';
import { dsRrsetsIn, verdictsIn } from './verdicts.ts';

/** Do the DS records name keys of the zone? */
export const DS_RECORD_CHECKS = {
  // A DS record names no key that the zone publishes, and another one beside it does.
  DS_STALE: inZone({
    when: (evidence) => {
      const digest = evidence.scope.dnssec?.validation?.digest;
      if (digest === undefined) return [];
      return [...dsByZone(evidence)].flatMap(([zone, given]) => {
        const keys = keysByZone(evidence).get(zone) ?? [];
        if (keys.length === 0 || isPartlyUnexamined(zone, evidence)) return [];
        const namedBy = keysByDs(zone, keys, digest);
        return given.flatMap(({ exchanged, records }) => {
          const stale = records.filter((record) => namedBy(record).length === 0);
          // Where none names a key, the zone is bogus, and DS_NO_MATCH says why.
          return stale.length > 0 && stale.length < records.length ? [{ zone, exchanged, stale }] : [];
        });
      });
    },
    words: (showing, evidence) => {
      const [{ zone }] = showing;
      const words = [...new Set(showing.flatMap(({ stale }) => stale.map((ds) => `DS ${dsText(ds)}`)))];
      const [match, them] = words.length === 1 ? ['matches', 'it'] : ['match', 'them'];
      const published = keyRepliesByZone(evidence).get(zone) ?? [];
      return {
        problem: `The parent has ${listed(words)} for ${plain(zone)}, which ${match} no DNSKEY of the zone, beside a DS record that does: validating resolvers ignore ${them}`,
        advice:
          'If the key is gone, remove its DS record at the parent. In a rollover that adds the DS record first, publish the key next',
        proof: [...showing.map(({ exchanged }) => exchanged), ...published],
      };
    },
  }),
} satisfies Checks;

/** The DS RRset of a zone in a reply by a server of its parent. */
interface DsGiven {
  readonly zone: Name;
  readonly exchanged: Exchanged;
  readonly records: readonly DelegationSigner[];
}

/** By zone: its DS RRsets, of replies that are not bogus. */
export const dsByZone = oncePer((evidence: Evidence): ReadonlyMap<Name, readonly DsGiven[]> => {
  const given = verdictsIn(evidence).flatMap(({ zone: parent, exchanged, verdict }): readonly DsGiven[] => {
    if (verdict.status === 'bogus') return [];
    const below = dsRrsetsIn(exchanged).filter(({ owner }) => isBelow(owner, parent));
    return below.map(({ owner: zone, records }) => {
      const planned = evidence.scope.plannedDs?.find((one) => one.zone === zone)?.ds;
      return { zone, exchanged, records: signersIn(planned ?? records.map(({ data }) => data)) };
    });
  });
  return new Map(grouped(given, ({ zone }) => zone).map((alike) => [alike[0].zone, alike]));
});

/** Whether some of these replies have DS records of a zone. */
export function haveDsRecords(replies: readonly Exchanged[], zone: Name): boolean {
  return replies.some((exchanged) => dsRrsetsIn(exchanged).some(({ owner }) => owner === zone));
}

/** By zone: what its servers said when they were asked for its keys. */
export const keyRepliesByZone = oncePer(
  (evidence: Evidence): ReadonlyMap<Name, readonly Exchanged[]> =>
    new Map(byZone(evidence).map((asked) => [asked[0].zone, asked.map(({ exchanged }) => exchanged)])),
);

/** By zone: every key that some server of it publishes, once. */
export const keysByZone = oncePer(
  (evidence: Evidence): ReadonlyMap<Name, readonly ZoneKey[]> =>
    new Map(
      [...keyRepliesByZone(evidence)].map(([zone, replies]) => {
        const keys = replies.flatMap((exchanged) => keysIn(exchanged, zone));
        return [zone, firstOfEach(keys, ({ rdata }) => toHex(rdata))];
      }),
    ),
);

/** Whether some server of the zone was not asked for its keys: it may have others. */
function isPartlyUnexamined(zone: Name, { openWhenWarm, recording }: Evidence): boolean {
  const unasked = [...recording.unasked.values()];
  return (
    openWhenWarm.has(zone) ||
    unasked.some(({ query: { question } }) => question.type === 'DNSKEY' && question.name === zone)
  );
}
