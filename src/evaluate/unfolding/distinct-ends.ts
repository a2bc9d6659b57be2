import { getOrMake } from '../../base/memo.ts';
import type { Security } from '../../dns/dnssec/verdict.ts';
import { type Question, questionKey } from '../../dns/message.ts';
import type { Name } from '../../dns/name.ts';
import type { Delegation } from '../../explore/delegation.ts';
import { leadsOn } from '../../explore/meaning.ts';
import { type End, endKey, failedLookupEnd, isProvable } from '../end.ts';
import type { StepEnds, Visit } from '../step.ts';

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
    return getOrMake(steps, key, () => this.#endsAt({ question, zone: delegation.zone }, security));
  }

  #endsAt(at: Pick<End, 'question' | 'zone'>, security: Security | undefined): StepEnds {
    const nowhere = { ...at, server: null };
    const visits = new Map<Name, Map<string, End>>();
    const failedLookups = new Map<Name, Map<End, End>>();
    const afterVisit = (visit: Visit, name: Name, address: string) => {
      const end = visitEnd(visit, { ...at, server: { name, address } });
      return this.like(security !== undefined && isProvable(end) ? { ...end, security } : end);
    };
    return {
      afterVisit: (visit, name, address) => {
        // Whether aliases come back to a name depends on the way here, all else on the exchange alone.
        if (visit.kind === 'asked' && visit.onward.kind === 'alias-loop')
          return afterVisit(visit, name, address);
        const ofServer = getOrMake(visits, name, () => new Map<string, End>());
        return getOrMake(ofServer, address, () => afterVisit(visit, name, address));
      },
      afterLookup: ({ name, where }) => {
        const ends = getOrMake(failedLookups, name, () => new Map<End, End>());
        return (cause) =>
          getOrMake(ends, cause, () => this.like(failedLookupEnd({ ...at, name, where }, cause)));
      },
      notLookedUp: (nameserver, kind) => this.like({ kind, ...nowhere, nameserver }),
      cutOff: (limit) => this.like({ ...limit, ...nowhere }),
      denial: (name, address) => this.like({ kind: 'nodata', ...at, server: { name, address } }),
      servfail: this.like({ kind: 'servfail', ...nowhere }),
    };
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
