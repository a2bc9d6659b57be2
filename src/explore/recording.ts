import type { Family } from '../dns/address.ts';
import type { Primitives } from '../dns/dnssec/crypto.ts';
import type { Trust } from '../dns/dnssec/trust.ts';
import { trustFromAnchors } from '../dns/dnssec/trust-anchors.ts';
import { SignatureChecks, type SignaturesFound, type Validation } from '../dns/dnssec/validation.ts';
import type { Question } from '../dns/message.ts';
import { isGloballyReachable } from '../dns/special-purpose.ts';
import type { Exchanged, Probed } from '../exchange/exchanged.ts';
import type { Query } from '../exchange/query.ts';
import type { Delegation } from './delegation.ts';
import type { PlannedDs, ZoneFile } from './planned-zones.ts';
import { type ProfileName, profilesShown } from './profiles/profiles.ts';

/** Everything that a traversal heard, and why it did not hear the rest. The only input of evaluation and findings. */
export interface Recording {
  readonly scope: Scope;
  /** By `queryKey`, in the order they were heard. */
  readonly exchanges: ReadonlyMap<string, Exchanged>;
  /**
   * By `queryKey`. Takes precedence over `exchanges`: a question beyond a limit counts as not asked even if
   * it was asked before that could be known.
   */
  readonly unasked: ReadonlyMap<string, Unasked>;
  /** Evidence of findings alone, in the order planned: no path contains these. */
  readonly probes: readonly Probed[];
}

/** What a traversal examines: the facts that exploring and evaluating must agree on. */
export interface Scope {
  readonly question: Question;
  readonly hints: Delegation;
  readonly families: readonly Family[];
  readonly maxDepth: number;
  /** The most steps that exploring, and that evaluating, may tell apart. */
  readonly maxWork: number;
  readonly specialTargets: 'blocked' | 'allowed';
  /** Whether the zones' own name servers are walked too: svc-model(7), COLD AND WARM. */
  readonly warm: 'off' | 'on';
  /** Whether servers are asked about the zones on the way, and probed: svc-model(7), COLD AND WARM. */
  readonly check: 'off' | 'on';
  /** The resolvers whose minimised questions are asked: svc-model(7), PROFILES. Absent: none are. */
  readonly profiles?: readonly ProfileName[];
  /** What replies are validated by: svc-model(7), VALIDATING. Absent: nothing asks for proof. */
  readonly dnssec?: DnssecScope;
  /** The items of `--expect`; absent: any answer will do. */
  readonly expect?: readonly string[];
  /** What parents are going to say, of different zones: svc-model(7), WHAT IF. Absent: what they say. */
  readonly planned?: readonly Delegation[];
  /** What servers of these zones are going to say; absent: what they say. */
  readonly zoneFiles?: readonly ZoneFile[];
  /** The DS records that zones are going to have; absent: those that they have. */
  readonly plannedDs?: readonly PlannedDs[];
}

/** What a resolver that demands proof starts from. */
export interface DnssecScope {
  /** The moment at which signatures must be valid: whole seconds since 1970. */
  readonly time: number;
  /** What names the keys of the root zone. */
  readonly anchors: Trust;
  /** The means to validate replies. Absent: there are none here, so there is no such view. */
  readonly validation?: Validation;
}

/** What is planned, of a scope. */
export type PlanScope = Pick<Scope, 'planned' | 'zoneFiles' | 'plannedDs'>;

/** The scope of a question, out of the options of its traversal. */
export function scopeOf(
  question: Question,
  hints: Delegation,
  options: Omit<Scope, 'question' | 'hints' | 'warm' | 'check' | 'profiles' | 'dnssec' | keyof PlanScope> & {
    readonly views?: readonly string[] | undefined;
    readonly check?: boolean | undefined;
    readonly profiles?: readonly ProfileName[] | undefined;
  },
  plan: PlanScope = {},
  dnssec?: DnssecScope,
): Scope {
  const { families, maxDepth, maxWork, specialTargets } = options;
  const check = options.check ? 'on' : 'off';
  const warm = options.check || options.views?.includes('warm') ? 'on' : 'off';
  const scope = { question, hints, families, maxDepth, maxWork, specialTargets, warm, check } as const;
  const { expect } = options;
  const profiles = profilesShown(options.profiles);
  return {
    ...scope,
    ...plan,
    ...(dnssec && { dnssec }),
    ...(expect && { expect }),
    ...(profiles.length > 0 && { profiles }),
  };
}

/** A question that some path contains and that counts as not asked. */
export interface Unasked {
  readonly query: Query;
  readonly why: WhyUnasked;
}

/** What of a traversal was used up; without a unit: distinct questions. */
export interface QueryLimit {
  readonly kind: 'query-limit';
  readonly limit: number;
  readonly unit?: 'packets' | 'octets';
}

/** No time was left: the traversal's own was used up, or somebody cancelled it before. */
export interface TimeLimit {
  readonly kind: 'time-limit';
  /** What the traversal was allowed, in milliseconds. */
  readonly limit: number;
  readonly reason?: 'cancelled';
}

/** Policy forbids asking. */
export interface Blocked {
  readonly kind: 'blocked';
  /** Absent only in what earlier versions saved. */
  readonly reason?: 'denied' | 'special-purpose';
}

/** What kept a question from being asked. */
export type WhyUnasked =
  | QueryLimit
  | TimeLimit
  | { readonly kind: 'work-limit'; readonly limit: number }
  /** A deny list forbids it. (What `isBlocked` says is not listed: a scope says the same to whoever reads it.) */
  | Blocked;

/** Whether policy forbids sending packets to the address for what it is. */
export function isBlocked(scope: Scope, address: string): boolean {
  return scope.specialTargets === 'blocked' && !isGloballyReachable(address);
}

/**
 * What validating begins with: the trust anchors, a line for each, and the moment, in ISO 8601. Throws a
 * `TrustAnchorError` for anchors that are none.
 */
export function dnssecScopeOf(anchors: readonly string[], moment: string): DnssecScope {
  return { time: Math.floor(Date.parse(moment) / 1000), anchors: trustFromAnchors(anchors) };
}

/** The same scope with the means to validate replies: each signature is checked once, however often paths meet it. */
export function validatingScope(
  primitives: Primitives,
  dnssec: DnssecScope,
  found?: SignaturesFound,
): DnssecScope {
  const { time } = dnssec;
  let digests = 0;
  const digest: Primitives['digest'] = (kind, data) => {
    digests += 1;
    return primitives.digest(kind, data);
  };
  const checks = new SignatureChecks(primitives, found);
  return { ...dnssec, validation: { time, digest, checks, digests: () => digests } };
}

const equipped = new WeakMap<Recording, Recording>();

/** A recording with the means to validate its replies; the same recording if it has them already, or was made without DO. */
export function withValidation(
  primitives: Primitives,
  recording: Recording,
  found?: SignaturesFound,
): Recording {
  const { dnssec } = recording.scope;
  if (dnssec === undefined || dnssec.validation !== undefined) return recording;
  const known = equipped.get(recording);
  if (known !== undefined) return known;
  const scope = { ...recording.scope, dnssec: validatingScope(primitives, dnssec, found) };
  const made = { ...recording, scope };
  equipped.set(recording, made);
  return made;
}
