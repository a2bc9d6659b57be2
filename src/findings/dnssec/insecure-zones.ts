/* Checks signed zones that validating resolvers treat as unsigned. */

import { trustFrom } from '../../dns/dnssec/trust.ts';
import type { Name } from '../../dns/name.ts';
import { plain } from '../../document/words/names.ts';
import { unsupportedWords } from '../../document/words/security-words.ts';
import { type Checks, inZone } from '../check.ts';
import { dsRrsetsIn, type ServerVerdict, signaturesIn, verdictsIn } from './verdicts.ts';

/** Is a signed zone part of the chain of trust? */
export const INSECURITY_CHECKS = {
  // Whichever server of the parent resolvers ask. Where servers have different DS records, DS_INCONSISTENT says so.
  DS_UNSUPPORTED: inZone({
    when: (evidence) => {
      const { plannedDs = [] } = evidence.scope;
      return verdictsIn(evidence)
        .filter(({ verdict }) => verdict.status === 'secure')
        .flatMap(({ exchanged }) =>
          dsRrsetsIn(exchanged).map(({ owner: zone, records }) => ({ zone, records, exchanged })),
        )
        .filter(({ zone }) => plannedDs.every((planned) => planned.zone !== zone));
    },
    words: (shown) => {
      const [{ zone, records }] = shown;
      const trust = trustFrom(records, zone);
      const isSupported = shown.some((one) => trustFrom(one.records, zone).kind === 'secure');
      if (isSupported || trust.kind === 'secure' || trust.why?.reason !== 'unsupported-ds') return undefined;
      const { algorithms, digests } = trust.why;
      return {
        problem: `Validating resolvers support none of the DS records of ${plain(zone)}${unsupportedWords(algorithms, digests)}: they treat the zone as unsigned`,
        advice:
          algorithms.length > 0
            ? 'Sign the zone with ECDSAP256SHA256 (algorithm 13), then replace the DS records at the parent'
            : 'Replace the DS records at the parent with records that use SHA-256 (digest type 2)',
      };
    },
  }),
  // Servers of a zone sign their replies, but its parent proves that there are no DS records.
  SIGNED_WITHOUT_DS: inZone({
    when: (evidence) =>
      verdictsIn(evidence).flatMap((one) => {
        const zone = islandOf(one);
        return zone === undefined ? [] : [{ zone, exchanged: one.exchanged }];
      }),
    words: ([{ zone }]) => ({
      problem: `${plain(zone)} is signed, but its parent has no DS records for it: validating resolvers treat the zone as unsigned`,
      advice: 'Publish its DS records at the parent, or stop signing the zone',
    }),
  }),
} satisfies Checks;

/** The zone that signed something in a reply, if that is insecure because the zone has no DS records. */
function islandOf({ verdict, exchanged }: ServerVerdict): Name | undefined {
  const why = verdict.status === 'insecure' ? verdict.why : undefined;
  if (why?.reason !== 'no-ds' && why?.reason !== 'opt-out') return undefined;
  return signaturesIn(exchanged)
    .map(({ signature }) => signature.signer)
    .find((signer) => signer === why.zone);
}
