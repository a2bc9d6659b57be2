/* Collects the verdicts on the replies of a zone's servers. */

import { type Rrset, rrsetsIn, type Signature, signaturesOf } from '../../dns/dnssec/rrset.ts';
import type { Name } from '../../dns/name.ts';
import type { PickedServer } from '../../evaluate/end.ts';
import type { ExchangeVerdict } from '../../evaluate/step.ts';
import type { Exchanged } from '../../exchange/exchanged.ts';
import { queryKey } from '../../exchange/query.ts';
import { askedExchanges, contactAsked, type Evidence, oncePer } from '../evidence.ts';

/** A reply by a server of a zone, and the verdict on it. */
export interface ServerVerdict {
  readonly zone: Name;
  readonly server: PickedServer;
  readonly exchanged: Exchanged;
  readonly verdict: ExchangeVerdict;
}

/** Every validated reply: those on paths, and those to questions for keys and DS records. Each exchange once in a zone. */
export const verdictsIn = oncePer(gathered);

function gathered(evidence: Evidence): readonly ServerVerdict[] {
  const { contacts, recording, evaluation } = evidence;
  const verdicts = evaluation.validation?.verdicts;
  if (verdicts === undefined) return [];
  const seen = new Set<Exchanged>();
  const onPaths = contacts.flatMap(({ zone, server, observed }) =>
    observed.flatMap(({ exchanged }): readonly ServerVerdict[] => {
      seen.add(exchanged);
      const verdict = verdicts.get(queryKey(exchanged));
      return verdict === undefined ? [] : [{ zone, server, exchanged, verdict }];
    }),
  );
  const offPaths = askedExchanges(recording).flatMap((exchanged): readonly ServerVerdict[] => {
    const verdict = seen.has(exchanged) ? undefined : verdicts.get(queryKey(exchanged));
    const asked = verdict && askedIn(exchanged, evidence);
    return asked === undefined || verdict === undefined ? [] : [{ ...asked, exchanged, verdict }];
  });
  return [...onPaths, ...offPaths];
}

/**
 * The zone that a server was asked about for proof, and the server: its keys are asked of the zone itself, and DS records
 * of the deepest zone above that the address serves. Undefined if no path comes to the address.
 */
export function askedIn(
  exchanged: Exchanged,
  { contacts, forProofAlone }: Evidence,
): Pick<ServerVerdict, 'zone' | 'server'> | undefined {
  const contact = contactAsked(exchanged, forProofAlone) ?? contactAsked(exchanged, contacts);
  if (contact === undefined) return undefined;
  const { name, type } = exchanged.question;
  // A server can have the keys of a zone below without a cut that anybody saw.
  return { zone: type === 'DNSKEY' ? name : contact.zone, server: contact.server };
}

/** A signature, and what it covers. */
export interface Signed {
  readonly rrset: Rrset;
  readonly signature: Signature;
}

/** The signatures in a reply, but for those of additional records, which prove nothing that anybody uses. */
export const signaturesIn = oncePer(({ outcome }: Exchanged): readonly Signed[] => {
  if (outcome.kind !== 'reply') return [];
  return [outcome.answer, outcome.authority].flatMap((section) =>
    rrsetsIn(section).all.flatMap((rrset) => signaturesOf(rrset).map((signature) => ({ rrset, signature }))),
  );
});

/** The RRsets in a reply that have a signature by a zone. */
export function rrsetsSignedBy(zone: Name, exchanged: Exchanged): readonly Rrset[] {
  const signed = signaturesIn(exchanged).filter(({ signature }) => signature.signer === zone);
  return [...new Set(signed.map(({ rrset }) => rrset))];
}

/** The DS RRsets in a reply: those of an answer, and those that a referral has. */
export function dsRrsetsIn({ outcome }: Exchanged): readonly Rrset[] {
  if (outcome.kind !== 'reply') return [];
  return [outcome.answer, outcome.authority].flatMap((section) => rrsetsIn(section).ofType('DS'));
}

/** "2026-12-24", in UTC. */
export function dayOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}
