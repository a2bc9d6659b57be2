/* Checks what users get behind validating resolvers. */

import type { BogusReason } from '../../dns/dnssec/reasons.ts';
import { questionKey } from '../../dns/message.ts';
import { type Name, ROOT } from '../../dns/name.ts';
import { grouped, listed } from '../../document/words/lists.ts';
import { asked, plain } from '../../document/words/names.ts';
import { percent } from '../../document/words/quantities.ts';
import type { Outcome } from '../../evaluate/distribution.ts';
import { causeOf } from '../../evaluate/end.ts';
import { outcomesIn } from '../../evaluate/evaluate.ts';
import { equals, type Fraction, ONE, ZERO } from '../../evaluate/fraction.ts';
import type { Exchanged } from '../../exchange/exchanged.ts';
import { type Checks, type Draft, type Part, serverWords } from '../check.ts';
import type { Evidence } from '../evidence.ts';
import { overFamilies, totalShare } from '../outcomes.ts';
import { byZone } from './key-sets.ts';
import { type ServerVerdict, verdictsIn } from './verdicts.ts';

/** What do users get behind validating resolvers? */
export const VALIDATION_CHECKS = {
  DNSSEC_BOGUS: dnssecBogus,
  SERVERS_DIFFER_DNSSEC: serversDifferDnssec,
} satisfies Checks;

/**
 * DNSSEC_BOGUS: users behind validating resolvers get SERVFAIL where others get something: all of them (critical), or
 * some. What is unknown does not count.
 */
function dnssecBogus(evidence: Evidence): readonly Draft[] {
  const { scope, evaluation } = evidence;
  const ends = outcomesIn(evaluation, 'validating').filter(lostBeside(evidence));
  if (ends.length === 0) return [];
  const share = totalShare(ends);
  const zones = [...new Set(ends.map(({ end }) => end.zone))];
  const [zone] = zones;
  return [
    {
      ...(zones.length === 1 && zone !== undefined ? { zone } : {}),
      severity: equals(share, ONE) ? 'critical' : 'error',
      problem: `${failingWords(share, `${asked(scope.question)}${overFamilies(scope)}`)}: data from ${listed(zones.map(plain))} do not validate`,
      advice:
        zone === ROOT
          ? 'Repair the signing of the root zone, or correct the trust anchors'
          : 'Repair the signing of the zone, or remove the DS records at the parent until that is done',
      proof: proofOf(evidence, zones),
      parts: partsIn(evidence, zones, ends),
    },
  ];
}

/**
 * What goes wrong, by server and address: replies that do not validate, and if no server gives keys that do, questions for
 * keys that came to nothing. A zone with one such server loses a share because of that server alone.
 */
function partsIn(evidence: Evidence, zones: readonly Name[], ends: readonly Outcome[]): readonly Part[] {
  return zones.flatMap((zone) => {
    const wrong = grouped(wrongIn(evidence, zone), ({ server }) => server.address);
    const share = totalShare(ends.filter(({ end }) => end.zone === zone));
    return wrong.map((there): Part => {
      const proof = there.map(({ exchanged }) => exchanged);
      return { zone, server: there[0].server, proof, ...(wrong.length === 1 && { share }) };
    });
  });
}

function wrongIn(
  evidence: Evidence,
  zone: Name,
): readonly Pick<ServerVerdict, 'zone' | 'server' | 'exchanged'>[] {
  const verdicts = verdictsIn(evidence).filter((one) => one.zone === zone);
  const bogus = verdicts.filter(({ verdict }) => verdict.status === 'bogus');
  const keys = byZone(evidence)
    .flat()
    .filter((one) => one.zone === zone);
  const judged = new Map(verdicts.map(({ exchanged, verdict }) => [exchanged, verdict.status]));
  const hasKeys = keys.some(({ exchanged }) => judged.get(exchanged) === 'secure');
  return hasKeys ? bogus : [...bogus, ...keys.filter(({ exchanged }) => !judged.has(exchanged))];
}

/** What does not verify, and the questions for keys that came to nothing. */
function proofOf(evidence: Evidence, zones: readonly Name[]): readonly Exchanged[] {
  const bogus = verdictsIn(evidence).filter(({ verdict }) => verdict.status === 'bogus');
  const unanswered = byZone(evidence)
    .flat()
    .filter(({ zone, exchanged }) => zones.includes(zone) && exchanged.outcome.kind !== 'reply');
  return [...bogus, ...unanswered].map(({ exchanged }) => exchanged);
}

/** Picks the outcomes that are failures for validating resolvers only. */
function lostBeside({ evaluation }: Evidence): (outcome: Outcome) => boolean {
  const failing = outcomesIn(evaluation, 'resolver').filter(({ end }) => end.kind === 'servfail');
  const zones = new Set(failing.map(({ end }) => end.zone));
  return ({ end }) => end.kind === 'servfail' && (causeOf(end).kind === 'bogus' || !zones.has(end.zone));
}

/** SERVERS_DIFFER_DNSSEC: to one question, one server of a zone gives a reply that verifies, another one that does not. */
function serversDifferDnssec(evidence: Evidence): readonly Draft[] {
  return grouped(
    verdictsIn(evidence),
    ({ zone, exchanged }) => `${zone} ${questionKey(exchanged.question)}`,
  ).flatMap((replySet) => differing(replySet, evidence));
}

function differing(
  replySet: readonly [ServerVerdict, ...ServerVerdict[]],
  evidence: Evidence,
): readonly Draft[] {
  const good = replySet.filter(({ verdict }) => verdict.status === 'secure' || verdict.status === 'insecure');
  const bad = replySet.filter(({ verdict }) => verdict.status === 'bogus');
  if (good.length === 0 || bad.length === 0) return [];
  const { zone, exchanged } = replySet[0];
  const validating = serverWords(good.map(({ server }) => server));
  const failing = serverWords(bad.map(({ server }) => server));
  const returns = validating.length === 1 ? 'returns' : 'return';
  const does = failing.length === 1 ? 'does' : 'do';
  return [
    {
      zone,
      problem: `For ${asked(exchanged.question)} in ${plain(zone)}, ${listed(validating)} ${returns} signatures that validate, ${listed(failing)} ${does} not, ${sharesWords(evidence)}`,
      advice: 'Make every server serve the same version of the signed zone',
      proof: [...good, ...bad].map((one) => one.exchanged),
    },
  ];
}

function sharesWords(evidence: Evidence): string {
  const share = failingShare(evidence, ({ end }) => end.kind === 'servfail');
  return equals(share, ZERO)
    ? 'so validating resolvers have to retry'
    : `so lookups fail at random: ${failingWords(share, asked(evidence.scope.question))}`;
}

/** What faults in a zone cost users whose resolver validates: "so 50 % of lookups of www.example A fail ...". */
export function costWords(evidence: Evidence, zone: Name, reasons: readonly BogusReason[]): string {
  const share = failingShare(evidence, ({ end }) => {
    const cause = causeOf(end);
    return end.zone === zone && cause.kind === 'bogus' && reasons.includes(cause.reason);
  });
  return equals(share, ZERO)
    ? 'so validating resolvers have to ask another server'
    : `so ${failingWords(share, asked(evidence.scope.question))}`;
}

function failingShare({ evaluation }: Evidence, isLost: (outcome: Outcome) => boolean): Fraction {
  return totalShare(outcomesIn(evaluation, 'validating').filter(isLost));
}

/** "25 % of lookups of www.example A fail behind validating resolvers" */
function failingWords(share: Fraction, question: string): string {
  return `${percent(share)} of lookups of ${question} fail behind validating resolvers`;
}
