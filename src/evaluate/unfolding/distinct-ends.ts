import { getOrMake } from '../../base/memo.ts';
import type { Security } from '../../dns/dnssec/verdict.ts';
import { type Question, questionKey } from '../../dns/message.ts';
import type { Name } from '../../dns/name.ts';
import type { Delegation } from '../../explore/delegation.ts';
import { leadsOn } from '../../explore/meaning.ts';
import { type End, endKey, failedLookupEnd, isProvable } from '../end.ts';
import type { CutLimit, LookupServer, StepEnds, Visit } from '../step.ts';

/**
 * The ends of one unfolding. Equal ends are the same object, so that folds can add them up without
 * looking into them.
 */
export class DistinctEnds {
  readonly #ends = new Map<string, End>();
  readonly #steps = new WeakMap<Delegation, Map<string, StepEnds>>();

  /** The end that equals this one. */
  like(end: End): End {
    return getOrMake(this.#ends, endKey(end), () => end);
  }

  /** The ends of the steps that ask this question at this delegation; `security`: of paths there, in the validating view. */
  at(delegation: Delegation, question: Question, security?: Security): StepEnds {
    const steps = getOrMake(this.#steps, delegation, () => new Map<string, StepEnds>());
    const key = security === undefined ? questionKey(question) : `${security} ${questionKey(question)}`;
    return getOrMake(steps, key, () => new OwnEnds(delegation, question, security, this));
  }
}

/** The ends of one step, each made when it is first needed. */
class OwnEnds implements StepEnds {
  readonly #at: { readonly question: Question; readonly zone: Name };
  readonly #security: Security | undefined;
  readonly #distinct: DistinctEnds;
  readonly #visits = new Map<Name, Map<string, End>>();
  readonly #failedLookups = new Map<Name, Map<End, End>>();
  readonly #notLookedUp = new Map<string, Map<Name, End>>();
  readonly #cutOff = new Map<string, End>();

  constructor(
    { zone }: Delegation,
    question: Question,
    security: Security | undefined,
    distinct: DistinctEnds,
  ) {
    this.#at = { question, zone };
    this.#security = security;
    this.#distinct = distinct;
  }

  afterVisit(visit: Visit, name: Name, address: string): End {
    const make = () => {
      const end = visitEnd(visit, { ...this.#at, server: { name, address } });
      return this.#distinct.like(this.#security === undefined ? end : secured(end, this.#security));
    };
    // Whether aliases come back to a name depends on the way here, all else on the exchange alone.
    if (visit.kind === 'asked' && visit.onward.kind === 'alias-loop') return make();
    return getOrMake(
      getOrMake(this.#visits, name, () => new Map<string, End>()),
      address,
      make,
    );
  }

  afterLookup(server: LookupServer): (cause: End) => End {
    const ends = getOrMake(this.#failedLookups, server.name, () => new Map<End, End>());
    const at = { ...this.#at, name: server.name, where: server.where };
    return (cause) => getOrMake(ends, cause, () => this.#distinct.like(failedLookupEnd(at, cause)));
  }

  notLookedUp(name: Name, kind: 'no-glue' | 'loop'): End {
    const ends = getOrMake(this.#notLookedUp, kind, () => new Map<Name, End>());
    const at = { ...this.#at, server: null };
    return getOrMake(ends, name, () => this.#distinct.like({ kind, ...at, nameserver: name }));
  }

  cutOff(limit: CutLimit): End {
    return getOrMake(this.#cutOff, limit.kind, () =>
      this.#distinct.like({ ...limit, ...this.#at, server: null }),
    );
  }

  denial(name: Name, address: string): End {
    return this.#distinct.like({ kind: 'nodata', ...this.#at, server: { name, address } });
  }

  get servfail(): End {
    return this.#distinct.like({ kind: 'servfail', ...this.#at, server: null });
  }
}

function visitEnd(visit: Visit, at: Pick<End, 'question' | 'zone' | 'server'>): End {
  if (visit.kind === 'not-asked') return { ...visit.why, ...at };
  const { meaning, onward } = visit;
  if (onward.kind === 'alias-loop') return { kind: 'alias-loop', target: onward.target, ...at };
  if (leadsOn(meaning)) throw new Error(`a ${meaning.kind} is not an end`);
  if (meaning.kind === 'alias-loop') return { kind: 'alias-loop', target: meaning.target, ...at };
  return { ...meaning, ...at };
}

/** The end with what is known of its proof, if it is of a kind that can be proven. */
function secured(end: End, security: Security): End {
  return isProvable(end) ? { ...end, security } : end;
}
