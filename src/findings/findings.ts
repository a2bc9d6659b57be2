/*
 * findings: the faults that the evidence of one traversal proves.
 *
 * `catalogue.ts` has a row for each code: its severity, and the rule that is broken. The check of a code, and the text
 * of its finding, is in the file of its heading or subject (`servers`, `delegations`, `protocol`, `dnssec/` and so on),
 * in a table by code; `check.ts` says how simple checks are written as rows.
 * `gather.ts` arranges the recording and its evaluation as `Evidence`, once; every check is a pure function of that, and
 * gives drafts: what is wrong, what to do, and the exchanges that prove it. `zones/` is about what zones say of
 * themselves. `causes/` then merges the drafts and separates causes from consequences.
 * Findings know nothing of output formats.
 */
import { isAtOrBelow, ROOT } from '../dns/name.ts';
import type { Finding } from '../document/finding.ts';
import type { Identifiers } from '../document/identifiers.ts';
import { grouped } from '../document/words/lists.ts';
import type { Evaluation } from '../evaluate/evaluate.ts';
import { type Exchanged, isProbed, type Probed } from '../exchange/exchanged.ts';
import type { Recording } from '../explore/recording.ts';
import { ALIAS_CHECKS } from './aliases.ts';
import { ANSWER_CHECKS } from './answers.ts';
import { AUTHORITY_CHECKS } from './authorities.ts';
import { CATALOGUE, CODES, type FindingCode } from './catalogue.ts';
import { adviceFor, type WithCauses, withCauses } from './causes/causes.ts';
import { bySeverity, type Found, merged } from './causes/found.ts';
import type { Check } from './check.ts';
import { DELEGATION_CHECKS } from './delegations.ts';
import { DIFFERENCE_CHECKS } from './differing-answers.ts';
import { ALGORITHM_CHECKS } from './dnssec/algorithms.ts';
import { BOGUS_REPLY_CHECKS } from './dnssec/bogus-replies.ts';
import { CDS_CHECKS } from './dnssec/cds.ts';
import { DENIED_EXISTENCE_CHECKS } from './dnssec/denied-existence.ts';
import { DS_RECORD_CHECKS } from './dnssec/ds-records.ts';
import { INSECURITY_CHECKS } from './dnssec/insecure-zones.ts';
import { KEY_CHECKS } from './dnssec/key-faults.ts';
import { ROLLOVER_CHECKS } from './dnssec/key-rollover.ts';
import { KEY_SET_CHECKS } from './dnssec/key-sets.ts';
import { MISSING_CHECKS } from './dnssec/missing-at-server.ts';
import { VALIDATION_CHECKS } from './dnssec/outcomes.ts';
import { SIGNING_CHECKS } from './dnssec/signing-practice.ts';
import type { Evidence } from './evidence.ts';
import { EXISTENCE_CHECKS } from './existence.ts';
import { faultScope, scopeRow } from './fault-scope.ts';
import { gather } from './gather.ts';
import { HOST_NAME_CHECKS } from './host-names.ts';
import { LOOKUP_CHECKS } from './lookups.ts';
import { MINIMISED_CHECKS } from './minimised.ts';
import { outOfZone } from './out-of-zone.ts';
import { PROTOCOL_CHECKS } from './protocol.ts';
import { ADDRESS_CHECKS } from './server-addresses.ts';
import { SERVER_CHECKS } from './servers.ts';
import { singlePoint } from './single-point.ts';
import { isSmoothThroughout, SHOWN_BY_TROUBLE } from './smooth.ts';
import { unexpectedAnswer } from './unexpected-answer.ts';
import { IMPACT_CHECKS } from './user-impact.ts';
import { CUT_CHECKS } from './zone-cuts.ts';
import { ZONE_FILE_CHECKS } from './zone-files.ts';
import { NS_SET_CHECKS } from './zones/ns-set-checks.ts';

/**
 * The findings that a recording proves: a pure function of the recorded exchanges and their evaluation,
 * so a saved traversal gives the same ones again. What was not examined proves nothing. The worst come
 * first, but each consequence comes after its causes. With `all` checks the findings are the same as with those `needed`.
 */
export function findingsIn(
  recording: Recording,
  evaluation: Evaluation,
  ids: Identifiers,
  checks: 'needed' | 'all' = 'needed',
): readonly Finding[] {
  const evidence = gather(recording, evaluation);
  const isSmooth = checks === 'needed' && isSmoothThroughout(evidence);
  const all: Found[] = [];
  for (const code of CODES) {
    if (isSmooth && SHOWN_BY_TROUBLE.has(code)) continue;
    for (const draft of CHECKS[code](evidence)) {
      all.push({ ...CATALOGUE[code], ...draft, code });
    }
  }
  const found = merged(all);
  const inOrder = causesFirst(withCauses(credible(found), evidence));
  const numbers = new Map(inOrder.map(({ finding }, index) => [finding, `f${index + 1}`]));
  return inOrder.map((one, index) => ({ id: `f${index + 1}`, ...findingRow(one, numbers, ids, evidence) }));
}

/** The findings without those of some codes, and how many of each code that leaves out. */
export function withoutIgnored(
  findings: readonly Finding[],
  ignore: readonly string[] = [],
): { readonly findings: readonly Finding[]; readonly ignored?: Readonly<Record<string, number>> } {
  const [kept, left] = [new Set<string>(), new Map<string, number>()];
  for (const { id, code } of findings) {
    if (ignore.includes(code)) left.set(code, (left.get(code) ?? 0) + 1);
    else kept.add(id);
  }
  if (left.size === 0) return { findings };
  return {
    findings: findings
      .filter(({ id }) => kept.has(id))
      .map(({ causes, ...finding }) => ({ ...finding, causes: causes.filter((id) => kept.has(id)) })),
    ignored: Object.fromEntries(left),
  };
}

/** The check of each code, which the file of its heading has. */
const CHECKS: Readonly<Record<FindingCode, Check>> = {
  ...SERVER_CHECKS,
  ...DELEGATION_CHECKS,
  ...CUT_CHECKS,
  ...HOST_NAME_CHECKS,
  ...ADDRESS_CHECKS,
  ...LOOKUP_CHECKS,
  ...NS_SET_CHECKS,
  ...ANSWER_CHECKS,
  ...EXISTENCE_CHECKS,
  ...MINIMISED_CHECKS,
  ...DIFFERENCE_CHECKS,
  ...ALIAS_CHECKS,
  ...AUTHORITY_CHECKS,
  OUT_OF_ZONE_DATA: outOfZone,
  ...PROTOCOL_CHECKS,
  ...BOGUS_REPLY_CHECKS,
  ...KEY_SET_CHECKS,
  ...INSECURITY_CHECKS,
  ...ROLLOVER_CHECKS,
  ...MISSING_CHECKS,
  ...KEY_CHECKS,
  ...DS_RECORD_CHECKS,
  ...ALGORITHM_CHECKS,
  ...CDS_CHECKS,
  ...DENIED_EXISTENCE_CHECKS,
  ...SIGNING_CHECKS,
  ...VALIDATION_CHECKS,
  ...IMPACT_CHECKS,
  ...ZONE_FILE_CHECKS,
  UNEXPECTED_ANSWER: unexpectedAnswer,
  SINGLE_POINT_OF_FAILURE: singlePoint,
};

/** If DNS is intercepted, nothing is known of the servers: they were not the ones that replied. */
function credible(found: readonly Found[]): readonly Found[] {
  const isIntercepted = found.some(({ code }) => code === 'PATH_INTERCEPTED');
  return isIntercepted ? found.filter(({ code }) => ABOUT_THE_WAY.includes(code)) : found;
}

/** Findings about the network path and the traversal itself rather than about servers. */
const ABOUT_THE_WAY: readonly FindingCode[] = ['PATH_INTERCEPTED', 'UNEXPLORED'];

/**
 * Causes that are alike stand together, followed by the consequences of one of them alone. The worst come first; of
 * equally severe ones, those that cost users something today, and causes before the consequences of several.
 */
function causesFirst(all: readonly WithCauses[]): readonly WithCauses[] {
  const behind = all.flatMap(({ finding: { code }, cause, faults }) =>
    NOTICED.has(code) ? [cause, ...faults.map(({ first }) => first)] : [],
  );
  const isNoticed = ({ finding, isFatal }: WithCauses) => isFatal || behind.includes(finding);
  const groups = grouped(all, ({ finding, cause = finding }) => `${cause.zone}\n${cause.code}`).map((group) =>
    [...group].sort(byRole),
  );
  return groups
    .sort(
      (a, b) =>
        bySeverity(worstOf(a), worstOf(b)) ||
        Number(b.some(isNoticed)) - Number(a.some(isNoticed)) ||
        byCauses(a, b),
    )
    .flat();
}

/** What users notice now, rather than once something else fails. */
const NOTICED: ReadonlySet<FindingCode> = new Set([
  'ANSWER_NOT_CERTAIN',
  'DNSSEC_BOGUS',
  'WARM_DIFFERS',
  'FIRST_TRY_FAILS',
  'CAA_FAILS',
]);

function byCauses([a]: readonly WithCauses[], [b]: readonly WithCauses[]): number {
  return Number((a?.faults.length ?? 0) > 0) - Number((b?.faults.length ?? 0) > 0);
}

function byRole(a: WithCauses, b: WithCauses): number {
  return Number(a.cause !== undefined) - Number(b.cause !== undefined) || bySeverity(a.severity, b.severity);
}

function worstOf(group: readonly WithCauses[]): Finding['severity'] {
  return group.map(({ severity }) => severity).reduce((a, b) => (bySeverity(b, a) < 0 ? b : a));
}

function findingRow(
  one: WithCauses,
  numbers: ReadonlyMap<Found, string>,
  ids: Identifiers,
  evidence: Evidence,
): Omit<Finding, 'id'> {
  const { finding, severity, cause, faults } = one;
  const { code, zone, server, at, problem, proof, reference } = finding;
  // A fault that explains a part only is no cause of the whole.
  const causes = cause ? [cause] : faults.length > 1 ? faults.map(({ first }) => first) : [];
  return {
    code,
    severity,
    ...(zone === undefined ? {} : { zone }),
    ...(server === undefined ? {} : { server: { ...server } }),
    ...scopeOf(finding, evidence),
    ...at,
    message: `${problem}.`,
    advice: `${adviceFor(one)}.`,
    causes: causes.flatMap((fault) => numbers.get(fault) ?? []),
    evidence: identified(proof, ids),
    ...(reference === undefined ? {} : { reference }),
  };
}

/** What is wrong at the address that a finding names, by its proof there. A probe alone shows that something else is. */
function scopeOf({ zone = ROOT, server, scope, proof }: Found, evidence: Evidence): Pick<Finding, 'scope'> {
  const { name, address } = server ?? {};
  if (scope !== undefined) return { scope: scopeRow(scope) };
  if (name === undefined || address === undefined) return {};
  const own = proof.filter(
    (one) => one.address === address && isAtOrBelow(one.question.name, zone) && !isProbed(one),
  );
  const at = { zone, server: { name, address } };
  return own.length === 0 ? {} : { scope: scopeRow(faultScope(evidence, at, own)) };
}

/** Identifiers of exchanges in the order in which they were observed, then those of probes. */
function identified(proof: readonly (Exchanged | Probed)[], ids: Identifiers): readonly string[] {
  const inOrder = (all: readonly string[]) =>
    [...all].sort((a, b) => Number(a.slice(1)) - Number(b.slice(1)));
  const exchanges = proof.filter((one) => !isProbed(one)).map(ids);
  return [...inOrder(exchanges), ...inOrder(proof.filter(isProbed).map(ids))];
}
