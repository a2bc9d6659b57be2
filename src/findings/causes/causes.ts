import type { Severity } from '../../document/finding.ts';
import { HEADINGS } from '../catalogue.ts';
import type { Evidence } from '../evidence.ts';
import type { Found } from './found.ts';
import { FAILURES, RULES, type Rule } from './rules.ts';
import { type Situation, situationOf } from './situation.ts';

/**
 * Tells faults from what only follows from them, so that each thing to act on is one cause. Faults that
 * leave nobody with an answer become critical, whatever their code.
 */
export function withCauses(findings: readonly Found[], evidence: Evidence): readonly WithCause[] {
  if (findings.length === 0) return [];
  const situation = situationOf(evidence);
  const causes: Causes = new Map();
  for (const rule of RULES) applyRule(rule, findings, situation, causes);
  const fatal = new Set([
    ...fatalFaults(findings, causes, situation),
    ...fatalToValidators(findings, causes),
  ]);
  return findings.map((finding) => {
    const rootCause = rootCauseOf(finding, causes);
    const severity = fatal.has(finding) ? 'critical' : finding.severity;
    return { finding, severity, ...(rootCause === finding ? {} : { cause: rootCause }) };
  });
}

/** A finding, how severe it is here, and its cause if it is a consequence. A cause is never a consequence itself. */
export interface WithCause {
  readonly finding: Found;
  readonly severity: Severity;
  readonly cause?: Found;
}

/** What each consequence follows from, which may be a consequence in turn. Never a cycle. */
type Causes = Map<Found, Found>;

/** The first cause of a finding: itself if it has none. */
function rootCauseOf(finding: Found, causes: Causes): Found {
  let rootCause = finding;
  for (let cause = causes.get(rootCause); cause !== undefined; cause = causes.get(rootCause))
    rootCause = cause;
  return rootCause;
}

function applyRule(
  { effects, ...blame }: Rule,
  findings: readonly Found[],
  situation: Situation,
  causes: Causes,
): void {
  const candidates = findings.filter(({ code }) => blame.causes.includes(code));
  if (candidates.length === 0) return;
  for (const finding of findings) {
    if (!effects.includes(finding.code) || causes.has(finding)) continue;
    const effect = { ...finding, proof: new Set(finding.proof) };
    const cause = candidates.find(
      (one) => rootCauseOf(one, causes) !== finding && blame.tie(effect, one, situation),
    );
    if (cause !== undefined) causes.set(finding, cause);
  }
}

/** The faults because of which nobody gets an answer; none if somebody does. */
function fatalFaults(findings: readonly Found[], causes: Causes, situation: Situation): ReadonlySet<Found> {
  if (!situation.isOutage) return new Set();
  const effect = { proof: situation.failureProof };
  const faults = FAILURES.flatMap(({ causes: codes, tie }) =>
    findings.filter((one) => codes.includes(one.code) && tie(effect, one, situation)),
  );
  return new Set(faults.map((fault) => rootCauseOf(fault, causes)));
}

/** The faults because of which nobody gets an answer whose resolver validates. */
function fatalToValidators(findings: readonly Found[], causes: Causes): readonly Found[] {
  return findings
    .filter(({ code, severity }) => code === 'DNSSEC_BOGUS' && severity === 'critical')
    .map((one) => rootCauseOf(one, causes));
}

/**
 * What to do about a finding. A consequence refers to its cause where it would only repeat what that says,
 * and where it says what things come to: what mends that is the cause's to know, such as that a dead
 * address is somebody else's.
 */
export function adviceFor({ finding: { code, advice }, cause }: WithCause): string {
  if (cause === undefined) return advice;
  return advice === cause.advice || code in HEADINGS.IMPACT ? `See ${cause.code}` : advice;
}
