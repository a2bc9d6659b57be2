import { getOrMake } from '../../base/memo.ts';
import type { Pausable } from '../../base/pausable.ts';
import { workOf } from '../../base/work.ts';
import type { Trust } from '../../dns/dnssec/trust.ts';
import type { Question } from '../../dns/message.ts';
import type { Name } from '../../dns/name.ts';
import type { Records } from '../../dns/record.ts';
import type { Exchanged } from '../../exchange/exchanged.ts';
import { type Chain, chainForAlias, enclosing, withTrust } from '../../explore/delegation.ts';
import { arrivalAt, ownSet, type StepRole } from '../../explore/main-walks.ts';
import { leadsOn, type Meaning } from '../../explore/meaning.ts';
import type { Onward, Visit, Walk } from '../step.ts';
import type { ServerState } from '../validating/address-outcomes.ts';
import { absorb, type Context, type Footprint } from './footprint.ts';
import type { UnfoldingFacts } from './unfolding-facts.ts';
import type { Variant } from './variants.ts';

const ONE_DEEPER = { levels: 1, pending: 0n, walked: 0n } as const;
const AS_DEEP = { levels: 0, pending: 0n, walked: 0n } as const;

const WARM: StepRole = { kind: 'warm' };

/** Says what becomes of paths that pick an address at a step: svc-model(7), WALKING A STEP 4. */
export class VisitUnfolder {
  readonly #landscape: UnfoldingFacts;
  readonly #stepping: Unfolder;

  constructor(landscape: UnfoldingFacts, stepping: Unfolder) {
    this.#landscape = landscape;
    this.#stepping = stepping;
  }

  /** Visits addresses that there are to pick from, and keeps what becomes of it in `visits`. */
  *visitAll(
    opening: StepInProgress,
    picks: readonly string[],
    state: ServerState,
    visits: Map<string, Visit>,
  ): Pausable<void> {
    if (picks.length === 0) return;
    this.#stepping.spend(picks.length);
    const { question, chain } = opening;
    const replies = this.#landscape.replies.at({ zone: chain.delegation.zone, question, state }, picks);
    for (const address of picks) {
      if (this.#stepping.isTooMuch) break;
      const heard = replies.from(address);
      const visit =
        visits.get(address) ?? (isEnd(heard, opening) ? heard : yield* this.#visit(opening, heard));
      this.#stepping.spend(answerWork(visit));
      visits.set(address, visit);
    }
  }

  /** Where paths go on after a reply with this meaning; `trust`: in the zone that a referral leads to. */
  *onward(opening: StepInProgress, meaning: Meaning, trust?: Trust): Pausable<Onward> {
    if (!leadsOn(meaning)) return { kind: 'end' };
    switch (meaning.kind) {
      case 'referral': {
        const { chain, question, role, context, footprint } = opening;
        const delegation = trust === undefined ? meaning.delegation : withTrust(meaning.delegation, trust);
        const deeper = this.#landscape.chains.extend(chain, delegation);
        const arrival = arrivalAt(delegation.zone, question, role);
        const further = { ...context, depth: context.depth + 1 };
        const begun = this.#stepping.step({ chain: deeper, ...arrival, context: further });
        const next = isKnown(begun) ? begun : yield* begun;
        absorb(footprint, next.footprint, ONE_DEEPER);
        return { kind: 'walk', walk: next.walk };
      }
      case 'alias':
        return yield* this.#followAlias(opening, meaning.target);
    }
  }

  /** After an apex question that brings no own set, the delegation stands. */
  *otherwise({ chain, role, context, footprint }: StepInProgress): Pausable<Walk | undefined> {
    if (role.kind !== 'apex') return undefined;
    const begun = this.#stepping.step({ chain, question: role.ahead, role: WARM, context });
    const next = isKnown(begun) ? begun : yield* begun;
    absorb(footprint, next.footprint, AS_DEEP);
    return next.walk;
  }

  /** A path picks an address and goes on; `heard` is what would become of it if it ended there. */
  *#visit(opening: StepInProgress, heard: Visit): Pausable<Visit> {
    if (heard.kind === 'not-asked') return heard;
    const { exchanged, meaning } = heard;
    const { role } = opening;
    if (role.kind === 'apex')
      return { ...heard, onward: yield* this.#afterApex(opening, exchanged, role.ahead) };
    return { ...heard, onward: yield* this.onward(opening, meaning) };
  }

  *#afterApex(opening: StepInProgress, exchanged: Exchanged, ahead: Question): Pausable<Onward> {
    const { chain, context, footprint } = opening;
    const own = ownSet(exchanged, chain.delegation);
    const at = own === undefined ? chain : this.#landscape.chains.replaceLast(chain, own);
    const begun = this.#stepping.step({ chain: at, question: ahead, role: WARM, context });
    const next = isKnown(begun) ? begun : yield* begun;
    absorb(footprint, next.footprint, AS_DEEP);
    return { kind: own === undefined ? 'walk' : 'own-set', walk: next.walk };
  }

  *#followAlias(opening: StepInProgress, target: Name): Pausable<Onward> {
    const { bits, cuts } = this.#landscape;
    const { chain, question, role, context, footprint } = opening;
    const bit = bits.walked(target);
    if (wasWalked(bit, opening)) return { kind: 'alias-loop', target };
    const from = chainForAlias(chain, target, question.type);
    if (from !== chain) footprint.cuts |= cuts.made(chain, target, enclosing(question.type), from);
    const further = { ...context, depth: context.depth + 1, walked: context.walked | bit };
    const asked = { name: target, type: question.type };
    const begun = this.#stepping.step({ chain: from, question: asked, role, context: further });
    const next = isKnown(begun) ? begun : yield* begun;
    absorb(footprint, next.footprint, { ...ONE_DEEPER, walked: bit });
    return { kind: 'walk', walk: next.walk };
  }
}

/** Whether no path goes on from a visit. After an apex question they all do. */
function isEnd(visit: Visit, { role }: StepInProgress): boolean {
  return visit.kind === 'not-asked' || (role.kind !== 'apex' && !leadsOn(visit.meaning));
}

/** A step, and how a path comes to it. */
export interface PathToStep {
  readonly chain: Chain;
  readonly question: Question;
  readonly role: StepRole;
  readonly context: Context;
}

/** A step that is being unfolded; its footprint grows with what is looked at. */
export interface StepInProgress extends PathToStep {
  readonly footprint: Footprint;
}

/** Whether a lookup is pending; the footprint keeps that this was looked at. */
export function isPending(bit: bigint, { context, footprint }: StepInProgress): boolean {
  if ((context.pending & bit) === 0n) {
    footprint.pendingClear |= bit;
    return false;
  }
  footprint.pendingSet |= bit;
  return true;
}

/** The same for a name that may have been asked earlier on this walk. */
function wasWalked(bit: bigint, { context, footprint }: StepInProgress): boolean {
  if ((context.walked & bit) === 0n) {
    footprint.walkedClear |= bit;
    return false;
  }
  footprint.walkedSet |= bit;
  return true;
}

/** Unfolds steps: what unfolding one of them asks for those that it leads to. */
export interface Unfolder {
  /** "Having come through these delegations, ask this": at once what is known, for most steps are met on many ways. */
  step(approach: PathToStep): Variant | Pausable<Variant>;
  /** Takes note of work. */
  spend(steps: number): void;
  /** Whether that was more than there may be: what is returned is void then. */
  readonly isTooMuch: boolean;
}

/** Whether a step is known already, rather than still to be unfolded. */
export function isKnown(begun: Variant | Pausable<Variant>): begun is Variant {
  return 'walk' in begun;
}

/** How much work, in steps, it is to keep the answer that a path ends in after a visit; 0 for no answer. */
export function answerWork(visit: Visit): number {
  return workOf('answerCharacter', answerLength(visit));
}

/** How long the answer is that a path ends in after a visit, in characters of JSON, about; 0 for no answer. */
function answerLength(visit: Visit): number {
  if (visit.kind !== 'asked' || visit.meaning.kind !== 'answer') return 0;
  const { records } = visit.meaning;
  return getOrMake(known, records, () => lengthOf(records));
}

/** Paths meet the same answer in many places. */
const known = new WeakMap<Records, number>();

/** Characters around the texts of a record. */
const AROUND = 45;

function lengthOf(records: Records): number {
  let length = 0;
  for (const { name, type, data } of records) length += name.length + type.length + data.length + AROUND;
  return length;
}
