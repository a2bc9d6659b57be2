import type { Name } from '../dns/name.ts';
import type { Records } from '../dns/record.ts';
import type { Delegation } from './delegation.ts';

/** What an exchange means for a zone: the class that svc-model(7), EXCHANGES gives it, with what belongs to it. */
export type Meaning =
  | { readonly kind: 'malformed' | 'unreachable' | 'timeout' }
  | { readonly kind: 'error'; readonly rcode: string }
  /** A resolver asks for the target anew, whatever else the reply says of it. */
  | { readonly kind: 'alias'; readonly target: Name }
  /** The name is an alias of itself. */
  | { readonly kind: 'alias-loop'; readonly target: Name }
  | {
      readonly kind: 'answer';
      /** Of the type and the name asked. */
      readonly records: Records;
      readonly authoritative: boolean;
    }
  | { readonly kind: 'nxdomain' }
  | { readonly kind: 'nodata' }
  | { readonly kind: 'referral'; readonly delegation: Delegation }
  | { readonly kind: 'lame'; readonly reason: LameReason; readonly referredTo?: Name };

/** Why a server is lame: where its NS records point, seen from the zone it was asked for. */
export type LameReason = 'upward' | 'self' | 'sideways' | 'empty';

/** The class of an exchange for a zone. */
export type ExchangeClass = Meaning['kind'];

/** What exchanges of a class are to paths and to resolvers. */
interface ClassRoles {
  /** A resolver goes on with the reply instead of trying another server: svc-model(7), RESOLVER VIEW. */
  readonly usable: boolean;
  /** A path goes on, at the next zone or at the target of an alias: svc-model(7), WALKING A STEP 4. */
  readonly leadsOn: boolean;
  /** The reply gives data or denies them, rather than referring on or failing. */
  readonly final: boolean;
}

const FINAL = { usable: true, leadsOn: false, final: true } as const;
const FAILURE = { usable: false, leadsOn: false, final: false } as const;

const ROLES = {
  answer: FINAL,
  nxdomain: FINAL,
  nodata: FINAL,
  'alias-loop': FINAL,
  alias: { usable: true, leadsOn: true, final: true },
  referral: { usable: true, leadsOn: true, final: false },
  lame: FAILURE,
  error: FAILURE,
  malformed: FAILURE,
  unreachable: FAILURE,
  timeout: FAILURE,
} as const satisfies Readonly<Record<ExchangeClass, ClassRoles>>;

/** Meanings that have a role, or that do not. */
type MeaningWhere<Role extends keyof ClassRoles, Has extends boolean> = Extract<
  Meaning,
  { kind: { [K in ExchangeClass]: (typeof ROLES)[K][Role] extends Has ? K : never }[ExchangeClass] }
>;

/** Whether a resolver goes on with a reply of this class. */
export function isUsable(exchangeClass: ExchangeClass): boolean {
  return ROLES[exchangeClass].usable;
}

/** Meanings after which a resolver tries another server. */
export type FailedMeaning = MeaningWhere<'usable', false>;

/** Whether a resolver tries another server after an exchange with this meaning. */
export function isFailure(meaning: Meaning): meaning is FailedMeaning {
  return !ROLES[meaning.kind].usable;
}

/** Whether a path goes on after an exchange with this meaning. */
export function leadsOn(meaning: Meaning): meaning is MeaningWhere<'leadsOn', true> {
  return ROLES[meaning.kind].leadsOn;
}

/** Whether a reply with this meaning gives data or denies them. */
export function givesOrDenies(meaning: Meaning): meaning is MeaningWhere<'final', true> {
  return ROLES[meaning.kind].final;
}
