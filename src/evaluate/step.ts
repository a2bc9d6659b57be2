import type { Family } from '../dns/address.ts';
import type { BogusReason } from '../dns/dnssec/reasons.ts';
import type { Insecurity } from '../dns/dnssec/trust.ts';
import type { Security } from '../dns/dnssec/verdict.ts';
import type { Question } from '../dns/message.ts';
import type { Name } from '../dns/name.ts';
import type { Exchanged } from '../exchange/exchanged.ts';
import type { Delegation, NameserverLocation } from '../explore/delegation.ts';
import type { Meaning } from '../explore/meaning.ts';
import type { ProofKnowledge, ProofNeed } from '../explore/proof-knowledge.ts';
import type { WhyUnasked } from '../explore/recording.ts';
import type { End, PickedServer } from './end.ts';
import type { Selection } from './world.ts';

/**
 * A step as paths meet it, with the pending lookups and earlier questions that matter below it already
 * taken into account: everything under a step is a plain acyclic graph, and all numbers (shares,
 * paths, latency) are folds over steps.
 */
export interface Step {
  readonly question: Question;
  readonly delegation: Delegation;
  /** One for each distinct name of the delegation, sorted by name. */
  readonly servers: readonly StepServer[];
  /** What each address that a path may pick here leads to, under the name of a server that is not down. */
  readonly visits: ReadonlyMap<string, Visit>;
  readonly ends: StepEnds;
  /**
   * Where a path goes on that a pick here, of a server or an address, brings nowhere: only at an apex
   * question, after which the parent's delegation stands (svc-model(7), COLD AND WARM).
   */
  readonly otherwise?: Walk;
  /** Of a step that asks for a minimised name: where resolvers go on at the same servers. */
  readonly minimised?: { readonly nextLabel: Walk; readonly wholeName: Walk };
  /** Of a step of the validating view: what replies come to. There are no visits then. */
  readonly validated?: ValidatedStep;
}

/** What paths that stop at a step end in. Equal ends are the same object. */
export interface StepEnds {
  /** For a path that picked this server and address, and a visit after which no walk goes on. */
  afterVisit(visit: Visit, name: Name, address: string): End;
  /** For paths whose lookup of a server gave no address, by the cause. */
  afterLookup(server: LookupServer): (cause: End) => End;
  /** For paths that picked a server whose addresses are not looked up. */
  notLookedUp(name: Name, kind: 'no-glue' | 'loop'): End;
  /** For paths that come no further than here, because of the limit. */
  cutOff(limit: CutLimit): End;
  /** For a resolver to which no server is usable. */
  readonly servfail: End;
  /** For a resolver that takes a reply of this server, which says nothing of use, for a denial of the data. */
  denial(name: Name, address: string): End;
}

/** What keeps a step from being made. */
export interface CutLimit {
  readonly kind: 'depth-limit' | 'work-limit';
  readonly limit: number;
}

/** Where a walk goes on: at a further step, or nowhere because a limit cuts it off. */
export type Walk =
  | { readonly kind: 'step'; readonly step: Step }
  | { readonly kind: 'cut'; readonly end: End };

/** A name server at a step, by where its addresses come from: svc-model(7), WALKING A STEP 2. */
export type StepServer =
  | GluedServer
  | LookupServer
  | (NamedServer & { readonly kind: 'not-looked-up'; readonly end: End });

interface NamedServer {
  readonly name: Name;
  /** What each of its addresses leads to, and maybe more than these: servers share it. */
  readonly visits: ReadonlyMap<string, Visit>;
}

/** A name server whose addresses came with the referral. */
export interface GluedServer extends NamedServer {
  readonly kind: 'glue';
  readonly addresses: readonly string[];
  /** The same server as those know it who look its name up, where it may matter: only for products. */
  readonly lookedUp?: LookupServer;
}

/** A name server whose addresses are looked up. */
export interface LookupServer extends NamedServer {
  readonly kind: 'lookup';
  /** A first. */
  readonly lookups: readonly Lookup[];
  /** Which of the addresses that these give there are to pick from. */
  readonly selection: Selection;
  readonly where: NameserverLocation;
}

/** The lookup of a name server's addresses of one family. */
export interface Lookup {
  readonly family: Family;
  readonly walk: Walk;
}

/** What becomes of a path that picks an address at a step. */
export type Visit =
  | { readonly kind: 'not-asked'; readonly why: WhyUnasked }
  | {
      readonly kind: 'asked';
      readonly exchanged: Exchanged;
      readonly meaning: Meaning;
      readonly onward: Onward;
    };

/** Where a path goes after an exchange. */
export type Onward =
  | { readonly kind: 'end' }
  | { readonly kind: 'walk'; readonly walk: Walk }
  /** After an apex question: on, at the zone's own servers. */
  | { readonly kind: 'own-set'; readonly walk: Walk }
  /** The alias's target is the name of an earlier question of this walk. */
  | { readonly kind: 'alias-loop'; readonly target: Name };

/**
 * How replies at a step of the validating view are validated: svc-model(7), VALIDATING. A resolver learns what it must, one
 * thing after another, each from the first server in its order that is usable for that; then it asks the step's question.
 */
export interface ValidatedStep {
  readonly learning: LearningStage;
  /** Where paths go on from here. */
  readonly walks: ReadonlySet<Walk>;
  readonly referrals: readonly ValidatedReferral[];
  /** The end of a path on which no server was usable, because of this. */
  readonly servfail: (cause: End) => End;
}

/** A step of a validating walk that asks the walk's question. */
export type ValidatedWalkStep = Step & { readonly validated: ValidatedStep };

/** Whether replies at a step are validated. */
export function isValidated(step: Step): step is ValidatedWalkStep {
  return step.validated !== undefined;
}

/** The next question of a validating resolver at a step: for a fact, or for the reply. */
export type LearningStage = KeysStage | LessonStage | ReplyStage;

/** The zone's keys are learnt, without which nothing can be validated. */
interface KeysStage {
  readonly kind: 'keys';
  readonly heard: AddressOutcomes<LearningStage>;
}

/** A further fact is learnt: a zone's keys, whether a zone begins at a name, or the trust in a zone. */
export interface LessonStage {
  readonly kind: 'lesson';
  readonly want: ProofNeed;
  readonly heard: AddressOutcomes<LearningStage>;
  /** Where no reply to it is usable; absent: that ends whatever waits for it. */
  readonly failed?: LearningStage;
  /** Where it ends whatever waits for it. */
  readonly stopped: LearningStage;
}

/** Everything is learnt, and the first usable reply counts. */
export interface ReplyStage {
  readonly kind: 'reply';
  /** All of that. Absent: the zone is insecure. */
  readonly learnt?: ProofKnowledge;
  readonly heard: AddressOutcomes<UsedReply>;
}

/** What a reply that verifies comes to. */
export interface UsedReply {
  readonly visit: Visit;
  readonly ends: StepEnds;
}

/** A reply of a step of the validating view that refers to another zone. */
export interface ValidatedReferral {
  readonly walk: Walk;
  /** Why that zone is insecure, as far as this reply or those to its DS question say so. */
  readonly why?: Insecurity;
}

/** Whether the server under whose name an address is asked is up. */
export type ServerState = 'up' | 'down';

/** Both states of servers. */
export const STATES: readonly ServerState[] = ['up', 'down'];

/** What each address brings, by the state of the server under whose name it is asked. */
export type AddressOutcomes<Good> = Readonly<Record<ServerState, ReadonlyMap<string, TimedOutcome<Good>>>>;

/** What one address brings, and how long its exchange took: no time if it was not made. */
export type TimedOutcome<Good> = AddressOutcome<Good> & { readonly elapsedMs: number };

/** What one address brings to a resolver that wants to learn something, or wants the reply. */
export type AddressOutcome<Good> =
  | { readonly kind: 'good'; readonly good: Good; readonly about: NotedVerdict }
  /** Usable without proof, and it does not verify. */
  | { readonly kind: 'bogus'; readonly failure: End; readonly about: NotedVerdict }
  /** Not usable in any case. */
  | { readonly kind: 'unused'; readonly failure: End }
  /** It was not asked: who comes here ends in that limit. */
  | { readonly kind: 'limited'; readonly end: (server: StepServer) => End }
  /** It waits for what is wanted, by its key, and that has ended on the way. */
  | { readonly kind: 'stopped'; readonly by: string; readonly exchange: string };

/** The verdict on an exchange, which is named by its key. */
export interface NotedVerdict {
  readonly exchange: string;
  readonly verdict: ExchangeVerdict;
}

/** What becomes of a path that picks this address of a server. */
export function visitAt({ visits }: StepServer, address: string): Visit {
  const visit = visits.get(address);
  if (visit === undefined) throw new Error(`no visit for ${address}`);
  return visit;
}

/** Whether a server is up, under the name that a resolver has it by. */
export function stateOf({ visits }: Step, server: StepServer): ServerState {
  return server.visits === visits ? 'up' : 'down';
}

/** The walk that a path goes on with after a visit; undefined where it ends there. */
export function walkAfter(visit: Visit): Walk | undefined {
  if (visit.kind === 'not-asked') return undefined;
  const { onward } = visit;
  switch (onward.kind) {
    case 'walk':
    case 'own-set':
      return onward.walk;
    case 'end':
    case 'alias-loop':
      return undefined;
  }
}

/**
 * What validating makes of an exchange, for display: the worst of the steps that have it. `unknown`: a step of the
 * path view that the validating view does not come to, or a step of a lookup.
 */
export type ExchangeVerdict =
  | { readonly status: 'secure' | 'unknown' }
  | {
      readonly status: 'insecure';
      /** Absent where there is no reason to name: signatures are not signed, and what is planned is not proven. */
      readonly why?: Insecurity;
      /** The server that proved it. */
      readonly server?: PickedServer;
    }
  | {
      readonly status: 'bogus';
      readonly reason: BogusReason;
      /** What it is to paths that learnt something else before: keys of another server, say. Absent: bogus to all. */
      readonly otherwise?: Security;
    };
