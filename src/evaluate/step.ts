import type { Exchanged } from '../exchange/exchanged.ts';
import type { Delegation } from '../explore/delegation.ts';
import type { Meaning } from '../explore/meaning.ts';
import type { WhyUnasked } from '../explore/recording.ts';
import type { Want } from '../explore/validating/want.ts';
import type { Family } from '../wire/address.ts';
import type { Name } from '../wire/name.ts';
import type { Question } from '../wire/question.ts';
import type { End } from './end.ts';
import type { Selection } from './evaluated-world.ts';
import type { Where } from './failed-lookup.ts';
import type { ExchangeVerdict } from './validating/exchange-verdict.ts';

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
  /** Of a step of the validating view: what replies come to. There are no visits then. */
  readonly validated?: JudgedStep;
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
  | (NamedServer & { readonly kind: 'glue'; readonly addresses: readonly string[] })
  | LookupServer
  | (NamedServer & { readonly kind: 'not-looked-up'; readonly end: End });

interface NamedServer {
  readonly name: Name;
  /** What each of its addresses leads to, and maybe more than these: servers share it. */
  readonly visits: ReadonlyMap<string, Visit>;
}

/** A name server whose addresses are looked up. */
export interface LookupServer extends NamedServer {
  readonly kind: 'lookup';
  /** A first. */
  readonly lookups: readonly Lookup[];
  /** Which of the addresses that these give there are to pick from. */
  readonly selection: Selection;
  readonly where: Where;
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
export interface JudgedStep {
  readonly learning: Learning;
  /** Where paths go on from here. */
  readonly walks: ReadonlySet<Walk>;
  /** The end of a path on which no server was usable, because of this. */
  readonly servfail: (cause: End) => End;
}

/** What comes next: something to learn, or the reply. */
export type Learning = KeysDrawn | LessonDrawn | ReplyTaken;

/** The zone's keys are learnt, without which nothing can be validated. */
interface KeysDrawn {
  readonly kind: 'keys';
  readonly heard: HeardBy<Learning>;
}

/** Something is learnt besides. */
export interface LessonDrawn {
  readonly kind: 'lesson';
  readonly want: Want;
  readonly heard: HeardBy<Learning>;
  /** Where no reply to it is usable; absent: that ends whatever waits for it. */
  readonly failed?: Learning;
  /** Where it ends whatever waits for it. */
  readonly stopped: Learning;
}

/** Everything is learnt, and the first usable reply counts. */
interface ReplyTaken {
  readonly kind: 'reply';
  readonly heard: HeardBy<TakenReply>;
}

/** What a reply that verifies comes to. */
export interface TakenReply {
  readonly visit: Visit;
  readonly ends: StepEnds;
}

/** What each address brings, under the name of a server that is up, and of one that is down. */
export interface HeardBy<Good> {
  readonly up: ReadonlyMap<string, Hearing<Good>>;
  readonly down: ReadonlyMap<string, Hearing<Good>>;
}

/** What one address brings, and how long its exchange took: no time if it was not made. */
export type Hearing<Good> = HeardThere<Good> & { readonly elapsedMs: number };

/** What one address brings to a resolver that wants to learn something, or wants the reply. */
export type HeardThere<Good> =
  | { readonly kind: 'good'; readonly good: Good; readonly about: Judgement }
  /** Usable without proof, and it does not verify. */
  | { readonly kind: 'bogus'; readonly failure: End; readonly about: Judgement }
  /** Not usable in any case. */
  | { readonly kind: 'unused'; readonly failure: End }
  /** It was not asked: who comes here ends in that limit. */
  | { readonly kind: 'limited'; readonly end: (server: StepServer) => End }
  /** It waits for what is wanted, by its key, and that has ended on the way. */
  | { readonly kind: 'stopped'; readonly by: string; readonly exchange: string };

/** What is made of an exchange, which is named by its key. */
export interface Judgement {
  readonly exchange: string;
  readonly verdict: ExchangeVerdict;
}
