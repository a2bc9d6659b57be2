/* Checks signed zones that validating resolvers treat as unsigned. */

import type { Rrset } from '../../dns/dnssec/rrset.ts';
import { trustFrom } from '../../dns/dnssec/trust.ts';
import type { Name } from '../../dns/name.ts';
import { grouped } from '../../document/words/lists.ts';
import { plain } from '../../document/words/names.ts';
import { unsupportedWords } from '../../document/words/security-words.ts';
import type { Exchanged } from '../../exchange/exchanged.ts';
import type { Checks, Draft } from '../check.ts';
import type { Evidence } from '../evidence.ts';
import { dsRrsetsIn, type ServerVerdict, signaturesIn, verdictsIn } from './verdicts.ts';

/** Is a signed zone part of the chain of trust? */
export const INSECURITY_CHECKS = {
  DS_UNSUPPORTED: dsUnsupported,
  SIGNED_WITHOUT_DS: signedWithoutDs,
} satisfies Checks;

interface ShownDs {
  readonly rrset: Rrset;
  readonly exchanged: Exchanged;
}

/**
 * DS_UNSUPPORTED: validating resolvers support none of a zone's DS records, whichever server of the parent they ask. Where
 * servers have different ones, DS_INCONSISTENT says so.
 */
function dsUnsupported(evidence: Evidence): readonly Draft[] {
  const secure = verdictsIn(evidence).filter(({ verdict }) => verdict.status === 'secure');
  const shown = secure.flatMap(({ exchanged }) =>
    dsRrsetsIn(exchanged).map((rrset) => ({ rrset, exchanged })),
  );
  const { plannedDs = [] } = evidence.scope;
  const today = shown.filter(({ rrset }) => plannedDs.every(({ zone }) => zone !== rrset.owner));
  return grouped(today, ({ rrset }) => rrset.owner).flatMap(unsupportedIn);
}

function unsupportedIn(shown: readonly [ShownDs, ...ShownDs[]]): readonly Draft[] {
  const [{ rrset }] = shown;
  const { owner: zone } = rrset;
  const trust = trustFrom(rrset.records, zone);
  const isSupported = shown.some((one) => trustFrom(one.rrset.records, zone).kind === 'secure');
  if (isSupported || trust.kind === 'secure' || trust.why?.reason !== 'unsupported-ds') return [];
  const { algorithms, digests } = trust.why;
  return [
    {
      zone,
      problem: `Validating resolvers support none of the DS records of ${plain(zone)}${unsupportedWords(algorithms, digests)}: they treat the zone as unsigned`,
      advice:
        algorithms.length > 0
          ? 'Sign the zone with ECDSAP256SHA256 (algorithm 13), then replace the DS records at the parent'
          : 'Replace the DS records at the parent with records that use SHA-256 (digest type 2)',
      proof: shown.map(({ exchanged }) => exchanged),
    },
  ];
}

/** SIGNED_WITHOUT_DS: servers of a zone sign their replies, but its parent proves that there are no DS records. */
function signedWithoutDs(evidence: Evidence): readonly Draft[] {
  const islands = verdictsIn(evidence).flatMap((one) => {
    const zone = islandOf(one);
    return zone === undefined ? [] : [{ zone, exchanged: one.exchanged }];
  });
  return grouped(islands, ({ zone }) => zone).map((alike): Draft => {
    const [{ zone }] = alike;
    return {
      zone,
      problem: `${plain(zone)} is signed, but its parent has no DS records for it: validating resolvers treat the zone as unsigned`,
      advice: 'Publish its DS records at the parent, or stop signing the zone',
      proof: [...new Set(alike.map(({ exchanged }) => exchanged))],
    };
  });
}

/** The zone that signed something in a reply, if that is insecure because the zone has no DS records. */
function islandOf({ verdict, exchanged }: ServerVerdict): Name | undefined {
  const why = verdict.status === 'insecure' ? verdict.why : undefined;
  if (why?.reason !== 'no-ds' && why?.reason !== 'opt-out') return undefined;
  return signaturesIn(exchanged)
    .map(({ signature }) => signature.signer)
    .find((signer) => signer === why.zone);
}
