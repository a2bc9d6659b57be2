import { plain } from '../../reading/words/names.ts';
import type { Check, Draft } from '../check.ts';
import type { Evidence } from '../evidence.ts';
import { areApart } from './camps.ts';
import { mismatchAdvice, namesIn, sidesWords } from './ns-set-words.ts';
import { type Mismatch, mismatchesIn, nsSetsIn } from './ns-sets.ts';

/** PARENT_CHILD_NS_DIFFER: the delegation and the zone itself name different servers, some of them the same. */
export const parentChildDiffer: Check = (evidence) =>
  mismatchesIn(evidence)
    .filter((one) => !isDisjoint(one))
    .map((one) => mismatchDraft(evidence, one));

/** PARENT_CHILD_NS_DISJOINT: no server is named by both. */
export const parentChildDisjoint: Check = (evidence) =>
  mismatchesIn(evidence)
    .filter(isDisjoint)
    .map((one) => mismatchDraft(evidence, one));

function isDisjoint({ onlyOwn, own }: Mismatch): boolean {
  return onlyOwn.length === own.length;
}

function mismatchDraft(evidence: Evidence, mismatch: Mismatch): Draft {
  const { zone, parents, proof, current } = mismatch;
  const [one, other] = current;
  const itself =
    one === undefined || other === undefined
      ? `the zone itself names ${namesIn(mismatch.own)}`
      : sidesWords(zone, one, other);
  const problem = `The delegation of ${plain(zone)} names ${namesIn(parents.set)}, but ${itself}`;
  return { zone, problem, advice: mismatchAdvice(evidence, mismatch), proof };
}

/** CHILD_NS_SETS_DIFFER: servers of one zone give different NS RRsets at its apex. */
export const childSetsDiffer: Check = (evidence) =>
  nsSetsIn(evidence).flatMap(({ zone, camps }): readonly Draft[] => {
    const [one, other] = camps;
    if (one === undefined || other === undefined) return [];
    const problem = `The servers of ${plain(zone)} disagree on its name servers: ${sidesWords(zone, one, other)}`;
    const advice = areApart(one, other)
      ? 'Decide which of them is right, and have no server of the other named anywhere'
      : 'Bring all of them to the same version of the zone';
    return [{ zone, problem, advice, proof: camps.flatMap(({ proof }) => proof) }];
  });

/** How many times as long one TTL may be as the other, and from how many seconds on it matters. */
const SKEW = { factor: 100, from: 86_400 } as const;

/** NS_TTL_SKEW: caches keep the delegation far longer than the zone's own NS RRset, or the other way round. */
export const ttlSkew: Check = (evidence) =>
  nsSetsIn(evidence).flatMap(({ zone, delegated, current }): readonly Draft[] => {
    const referrals = delegated.flatMap((one) => one.referrals);
    const given = referrals.flatMap(({ exchanged: { outcome } }) =>
      outcome.kind !== 'reply'
        ? []
        : outcome.authority.filter(({ name, type }) => type === 'NS' && name === zone).map(({ ttl }) => ttl),
    );
    const said = current.flatMap(({ servers }) => servers.flatMap(({ ns }) => ns?.value.ttl ?? []));
    if (given.length === 0 || said.length === 0) return [];
    const [above, own] = [Math.min(...given), Math.min(...said)];
    const [short, long] = [Math.min(above, own), Math.max(above, own)];
    if (long < SKEW.from || long < short * SKEW.factor) return [];
    const problem = `Caches keep the delegation of ${plain(zone)} for ${above} s, but the zone's own NS records for ${own} s`;
    const advice = 'Bring the TTL of the NS records nearer to that of the delegation';
    const proof = [...referrals.map(({ exchanged }) => exchanged), ...current.flatMap((camp) => camp.proof)];
    return [{ zone, problem, advice, proof }];
  });
