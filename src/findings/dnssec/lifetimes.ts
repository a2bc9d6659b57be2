import { grouped } from '../../reading/grouped.ts';
import { plain } from '../../reading/words/names.ts';
import type { Check, Draft } from '../check.ts';
import { type HeardVerdict, judgementsIn } from './judgements.ts';
import { dayOf, type Signed, signaturesIn } from './signatures.ts';

const DAY = 86_400;

/**
 * RRSIG_EXPIRES_SOON: a signature of secure data ends within three days, or within the last tenth of its life if that
 * is more. Signatures that live only days, as those do that servers make for each reply, have to be in the last
 * quarter of their life.
 */
export const expiresSoon: Check = (evidence) => {
  const time = evidence.scope.dnssec?.time;
  if (time === undefined) return [];
  const secure = judgementsIn(evidence).filter(({ verdict }) => verdict.status === 'secure');
  return grouped(secure, ({ zone }) => zone).flatMap((inZone): readonly Draft[] => {
    const ending = inZone.flatMap(({ zone, server, exchanged }) =>
      endingSoon({ zone, exchanged }, time).map((signed) => ({ server, exchanged, signed })),
    );
    const [first] = ending.sort((a, b) => a.signed.signature.expiration - b.signed.signature.expiration);
    if (first === undefined) return [];
    const [{ zone }] = inZone;
    const { owner, type } = first.signed.rrset;
    return [
      {
        zone,
        problem: `The signature of ${plain(owner)} ${type} in ${plain(zone)} is valid only until ${dayOf(first.signed.signature.expiration)}, which is close: from then on validating resolvers refuse it`,
        advice:
          'See to it that the zone is signed again in time, and that every server loads the new version',
        proof: [...new Set(ending.map(({ exchanged }) => exchanged))],
      },
    ];
  });
};

function endingSoon(
  { zone, exchanged }: Pick<HeardVerdict, 'zone' | 'exchanged'>,
  time: number,
): readonly Signed[] {
  return signaturesIn(exchanged).filter(({ signature: { signer, inception, expiration } }) => {
    // Serial numbers (RFC 4034 3.1.5).
    const [life, left] = [(expiration - inception) >>> 0, (expiration - time) >>> 0];
    return signer === zone && left <= life && left < soonFor(life);
  });
}

/** In seconds, of a life in seconds. */
function soonFor(life: number): number {
  return Math.max(life / 10, Math.min(3 * DAY, life / 4));
}
