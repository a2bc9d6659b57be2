import type { Severity } from '../../document/finding.ts';
import { grouped, listed } from '../../document/words/lists.ts';
import { plain } from '../../document/words/names.ts';
import { percentage } from '../../document/words/quantities.ts';
import { compare, type Fraction, sum, ZERO } from '../../evaluate/fraction.ts';
import { type FindingCode, HEADINGS } from '../catalogue.ts';
import type { Evidence } from '../evidence.ts';
import { bySeverity, type Found } from './found.ts';
import { FAILURES, RULES, type Rule } from './rules.ts';
import { type Situation, situationOf } from './situation.ts';
import type { Effect } from './ties.ts';

/**
 * Tells faults from what only follows from them, so that each thing to act on is one cause. A fault that leaves nobody
 * with an answer is critical, and a cause is at least as severe as what follows from it, whatever its code.
 */
export function withCauses(findings: readonly Found[], evidence: Evidence): readonly WithCauses[] {
  if (findings.length === 0) return [];
  const situation = situationOf(evidence);
  const links: Links = new Map(findings.map((finding, position) => [finding, unlinked(finding, position)]));
  for (const rule of RULES) applyRule(rule, links, situation);
  const faults = new Map(findings.map((finding) => [finding, faultsBehind(finding, links)]));
  const fatal = fatalFaults(links, situation);
  const severities = severitiesOf(faults, situation.isOutage ? fatal : new Set());
  return findings.map((finding) => {
    const severity = severities.get(finding) ?? finding.severity;
    const own = faults.get(finding) ?? [];
    const [only, ...others] = own;
    const isExplained = partsOf(finding, links).every(({ causes }) => causes.length > 0);
    const shown = { finding, severity, isFatal: fatal.has(finding) };
    return only !== undefined && others.length === 0 && isExplained
      ? { ...shown, cause: only.first, faults: [] }
      : { ...shown, faults: own };
  });
}

/** A finding, how severe it is here, and what it follows from. A cause is never a consequence itself. */
export interface WithCauses {
  readonly finding: Found;
  readonly severity: Severity;
  /** Whether lookups fail because of it, of some users at least. */
  readonly isFatal: boolean;
  /** The only cause, if all of the finding follows from it. */
  readonly cause?: Found;
  /** The causes where there are several, or where the one that is known explains a part only. The costliest first. */
  readonly faults: readonly Fault[];
}

/** A fault of one server, whichever of its addresses show it, or of a zone. */
interface Fault {
  readonly first: Found;
  readonly all: readonly Found[];
  /** What it costs, if a consequence consists of shares. */
  readonly share?: Fraction;
}

/** What findings follow from. Never a cycle. */
type Links = ReadonlyMap<Found, Link>;

interface Link {
  /** In the list of findings. */
  readonly position: number;
  readonly parts: readonly LinkedPart[];
  /** Findings with a part that follows from this one. */
  readonly consequences: Set<Found>;
}

/** A part of a finding, and what that follows from, which may be a consequence in turn. */
interface LinkedPart {
  readonly effect: Effect;
  readonly share?: Fraction;
  causes: readonly Found[];
}

function unlinked(finding: Found, position: number): Link {
  const { parts = [undefined], proof } = finding;
  const linked = parts.map(
    (part): LinkedPart => ({
      effect: { ...finding, ...part, proof: new Set(part?.proof ?? proof) },
      ...(part?.share && { share: part.share }),
      causes: [],
    }),
  );
  return { position, parts: linked, consequences: new Set() };
}

/** The number of causes that a part is given: only hostile worlds have more. */
const MOST_CAUSES = 100;

/** A part follows from everything that the first rule to fit finds. */
function applyRule({ effects, causes: codes, tie }: Rule, links: Links, situation: Situation): void {
  const findings = [...links.keys()];
  const candidates = findings.filter(({ code }) => codes.includes(code));
  if (candidates.length === 0) return;
  for (const finding of findings.filter(({ code }) => effects.includes(code))) {
    const following = reached([finding], (one) => links.get(one)?.consequences ?? []);
    const possible = candidates.filter((one) => !following.has(one));
    for (const part of partsOf(finding, links)) {
      if (part.causes.length > 0) continue;
      part.causes = possible.filter((one) => tie(part.effect, one, situation)).slice(0, MOST_CAUSES);
      for (const cause of part.causes) links.get(cause)?.consequences.add(finding);
    }
  }
}

function partsOf(finding: Found, links: Links): readonly LinkedPart[] {
  return links.get(finding)?.parts ?? [];
}

function causesOf(finding: Found, links: Links): readonly Found[] {
  return partsOf(finding, links).flatMap(({ causes }) => causes);
}

/** These findings, and all that can be reached from them. */
function reached(from: readonly Found[], next: (finding: Found) => Iterable<Found>): ReadonlySet<Found> {
  const seen = new Set(from);
  // Iterating over a set also visits what is added on the way.
  for (const one of seen) for (const other of next(one)) seen.add(other);
  return seen;
}

/** Of these findings and all that they follow from: those that follow from nothing. */
function rootCauses(findings: readonly Found[], links: Links): readonly Found[] {
  const all = reached(findings, (one) => causesOf(one, links));
  return [...all].filter((one) => causesOf(one, links).length === 0);
}

/** The faults that a finding follows from, each with the share of the parts that follow from it; none for a cause. */
function faultsBehind(finding: Found, links: Links): readonly Fault[] {
  const perPart = partsOf(finding, links).flatMap(({ causes, share }) =>
    grouped(rootCauses(causes, links), faultKey).map((all) => ({ all, share })),
  );
  const positionOf = (one: Found) => links.get(one)?.position ?? 0;
  const faults = grouped(perPart, ({ all: [one] }) => faultKey(one)).map((same): Fault => {
    const shares = same.flatMap(({ share }) => share ?? []);
    const all = [...new Set(same.flatMap((one) => one.all))].sort((a, b) => positionOf(a) - positionOf(b));
    return { first: all[0] ?? same[0].all[0], all, ...(shares.length > 0 && { share: sum(shares) }) };
  });
  return [...faults].sort(
    (a, b) => compare(b.share ?? ZERO, a.share ?? ZERO) || positionOf(a.first) - positionOf(b.first),
  );
}

/** The text that is equal for findings that one repair mends: of a server, whatever its address and the zone, or of a ring. */
function faultKey({ code, zone, server }: Found): string {
  return server === undefined || code === 'DEPENDENCY_CYCLE'
    ? `${code} ${zone}`
    : `${code} at ${server.name}`;
}

/** How severe each finding is: at least as its code usually is, and as what follows from it. */
function severitiesOf(
  faults: ReadonlyMap<Found, readonly Fault[]>,
  fatal: ReadonlySet<Found>,
): ReadonlyMap<Found, Severity> {
  const severities = new Map<Found, Severity>();
  const raise = (finding: Found, severity: Severity) => {
    const known = severities.get(finding) ?? finding.severity;
    severities.set(finding, bySeverity(severity, known) < 0 ? severity : known);
  };
  for (const finding of fatal) raise(finding, 'critical');
  for (const [consequence, behind] of faults) {
    for (const cause of behind.flatMap(({ all }) => all)) raise(cause, consequence.severity);
  }
  return severities;
}

/** The faults because of which lookups fail. */
function fatalFaults(links: Links, situation: Situation): ReadonlySet<Found> {
  const effect = { proof: situation.failureProof };
  const faults = FAILURES.flatMap(({ causes: codes, tie }) =>
    [...links.keys()].filter((one) => codes.includes(one.code) && tie(effect, one, situation)),
  );
  return new Set(rootCauses(faults, links));
}

/**
 * What to do about a finding. A consequence refers to its causes where it would only repeat what they say, and where it
 * says what things come to: what mends that is theirs to know, such as that a dead address is somebody else's.
 */
export function adviceFor({ finding: { code, advice }, cause, faults }: WithCauses): string {
  if (faults.length > 0) return `See ${listed(faults.map(faultWords), MOST_NAMED)}`;
  if (cause === undefined) return advice;
  const isDone = advice === cause.advice || code in HEADINGS.IMPACT || WHOLE_REPAIRS.has(cause.code);
  return isDone ? `See ${cause.code}` : advice;
}

/** Where the address, the name or the zone itself is the wrong one, repair at the server is no use. */
const WHOLE_REPAIRS: ReadonlySet<FindingCode> = new Set([
  'GLUE_MISMATCH',
  'GLUE_FOREIGN_MISMATCH',
  'GLUE_EXTRA',
  'NS_IS_ALIAS',
  'CUT_MISSING',
]);

/** More than usual: somebody has to see to each of them. */
const MOST_NAMED = 8;

/** "NS_REFUSED at ns3.example (20 %)" */
function faultWords({ first: { code, zone, server }, share }: Fault): string {
  const place = server === undefined ? zone && ` in ${plain(zone)}` : ` at ${plain(server.name)}`;
  return `${code}${place ?? ''}${share === undefined ? '' : ` (${percentage(share)})`}`;
}
