import { getOrMake } from '../../base/memo.ts';
import { questionKey } from '../../dns/message.ts';
import type { Name } from '../../dns/name.ts';
import type { ExchangeRow, ExchangeSecurity } from '../../document/exchanges.ts';
import type { UnjudgedResult } from '../../document/result.ts';
import type { AddressRow, LeadsTo, LookupRow, StepRow } from '../../document/steps.ts';
import { type End, failedLookupEnd } from '../../evaluate/end.ts';
import { add, type Fraction, multiply, ONE, readFraction, sum, ZERO } from '../../evaluate/fraction.ts';
import { locationOf } from '../../explore/delegation.ts';
import { isUsable } from '../../explore/meaning.ts';

/** Indexes a result by its identifiers. Throws if the result names an identifier that it does not have: a bug. */
export function resultIndex(result: UnjudgedResult): ResultIndex {
  const { steps, ends, lookups, exchanges } = result;
  const stepById = new Map(steps.map((step) => [step.id, step]));
  const endById = new Map(ends.map(({ id, ...end }) => [id, end]));
  const exchangeById = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  const lookupById = new Map(lookups.map((lookup) => [lookup.id, lookup]));
  const failed = new Map<string, Map<Name, Map<string, End>>>();
  const [firstStep] = steps;
  const [firstEnd] = ends;
  const end = (id: string) => found(endById, id);
  return {
    steps,
    next: (leadsTo) =>
      'step' in leadsTo
        ? { kind: 'step', step: found(stepById, leadsTo.step) }
        : { kind: 'end', end: end(leadsTo.end) },
    end,
    lookup: (id) => found(lookupById, id),
    failedLookups: ({ question, zone }) => {
      const here = getOrMake(failed, `${questionKey(question)} ${zone}`, () => new Map());
      return (name, id) => {
        const known = getOrMake(here, name, () => new Map<string, End>());
        return getOrMake(known, id, () =>
          failedLookupEnd({ question, zone, name, where: locationOf(name, zone) }, end(id)),
        );
      };
    },
    exchange: ({ exchange }) => (exchange === undefined ? undefined : found(exchangeById, exchange)),
    security: securityIn(result),
    planned: new Set(result.whatIf?.delegate.map(({ zone }) => zone)),
    begin: firstStep ? { step: firstStep.id } : firstEnd && { end: firstEnd.id },
  };
}

/** Where a pick or a lookup leads: to a further step, or to where its path stops. */
export type Next =
  | { readonly kind: 'step'; readonly step: StepRow }
  | { readonly kind: 'end'; readonly end: End };

/** What the identifiers in a result stand for. */
export interface ResultIndex {
  /** Each step follows all that lead to it; the first one begins the main walk. */
  readonly steps: readonly StepRow[];
  next(leadsTo: LeadsTo): Next;
  end(id: string): End;
  lookup(id: string): LookupRow;
  /** The end of paths that lack a server's address at a step because its lookup ended as given. The same object each time. */
  failedLookups(step: Pick<StepRow, 'question' | 'zone'>): (name: Name, end: string) => End;
  /** The exchange with an address; undefined if it was not asked. */
  exchange(row: AddressRow): ExchangeRow | undefined;
  readonly security: SecurityAt;
  /** Zones whose delegation is planned: who refers to one is imagined to. */
  readonly planned: ReadonlySet<Name>;
  /** Where the main walk begins: at the first step, or at an end where a limit allowed no step at all. */
  readonly begin: LeadsTo | undefined;
}

function found<T>(known: ReadonlyMap<string, T>, id: string): T {
  const one = known.get(id);
  if (one === undefined) throw new Error(`the result names ${id}, which it does not have`);
  return one;
}

/**
 * What a validating resolver makes of what a server said that was asked at a step in a zone: of the reply, or, where it
 * could not get so far as to judge that, of the zone's keys there. Undefined where it has no use for the reply anyway,
 * such as one that is merely imagined to fail.
 */
type SecurityAt = (row: AddressRow, zone: Name) => ExchangeSecurity | undefined;

/** What validating made of the replies in a result. */
export function securityIn({ exchanges }: Pick<UnjudgedResult, 'exchanges'>): SecurityAt {
  const byId = new Map(exchanges.flatMap(({ id, security }) => (security ? [[id, security] as const] : [])));
  const ofKeys = new Map(exchanges.flatMap(bogusKeys));
  return ({ address, class: found, exchange }, zone) => {
    if (found === undefined || exchange === undefined || !isUsable(found)) return undefined;
    return byId.get(exchange) ?? ofKeys.get(keysAt(address, zone));
  };
}

function bogusKeys({
  server,
  question,
  security,
}: ExchangeRow): readonly (readonly [string, ExchangeSecurity])[] {
  const isBogus = question.type === 'DNSKEY' && security?.status === 'bogus';
  return isBogus ? [[keysAt(server.address, question.name), security]] : [];
}

function keysAt(address: string, zone: Name): string {
  return `${address} ${zone}`;
}

/** A place where walks begin, and the share of walks that begin there. */
export interface Begin {
  readonly leadsTo: LeadsTo;
  readonly weight: () => Fraction;
}

/** The steps that walks pass. */
export interface Passed {
  /** In the result's order. */
  readonly steps: readonly StepRow[];
  /** The share of walks that pass one of them. Rings of lookups have very many, and most texts show none of these shares. */
  readonly share: (step: StepRow) => Fraction;
}

/** The steps of walks that begin as given. The lookups that a step needs are walks of their own. */
export function walked(begins: readonly Begin[], index: ResultIndex): Passed {
  let shares: ReadonlyMap<StepRow, Fraction> | undefined;
  return {
    steps: stepsPassed(begins, index),
    share: (step) => {
      shares ??= sharesPassing(begins, index);
      return shares.get(step) ?? ZERO;
    },
  };
}

function stepsPassed(begins: readonly Begin[], index: ResultIndex): readonly StepRow[] {
  const met = new Set<StepRow>();
  const arrive = (leadsTo: LeadsTo) => {
    const next = index.next(leadsTo);
    if (next.kind === 'step') met.add(next.step);
  };
  for (const { leadsTo } of begins) arrive(leadsTo);
  // A step follows all that lead to it, so it has been met when its turn comes.
  return index.steps.filter((step) => {
    const isPassed = met.has(step);
    if (isPassed)
      for (const { addresses } of step.nameservers) for (const row of addresses) arrive(row.leadsTo);
    return isPassed;
  });
}

function sharesPassing(begins: readonly Begin[], index: ResultIndex): ReadonlyMap<StepRow, Fraction> {
  const arriving = new Map<StepRow, Fraction>();
  const arrive = (leadsTo: LeadsTo, weight: Fraction) => {
    const next = index.next(leadsTo);
    if (next.kind === 'step') arriving.set(next.step, add(arriving.get(next.step) ?? ZERO, weight));
  };
  for (const { leadsTo, weight } of begins) arrive(leadsTo, weight());
  // All of a step has arrived when its turn comes.
  for (const step of index.steps) {
    const weight = arriving.get(step);
    if (weight === undefined) continue;
    for (const { addresses } of step.nameservers) {
      for (const row of addresses) arrive(row.leadsTo, multiply(weight, readFraction(row.fraction)));
    }
  }
  return arriving;
}

/** The steps that several groups of walks pass. */
export function passedByAll(groups: readonly Passed[]): Passed {
  const [only, ...others] = groups;
  if (only !== undefined && others.length === 0) return only;
  return {
    steps: [...new Set(groups.flatMap(({ steps }) => steps))],
    share: (step) => sum(groups.map(({ share }) => share(step))),
  };
}

/** Where the main walk begins. */
export function mainBegins({ begin }: ResultIndex): readonly Begin[] {
  return begin === undefined ? [] : [{ leadsTo: begin, weight: () => ONE }];
}

/** The steps of the main walk: those that look up the name asked for, its aliases followed. */
export function mainWalk(index: ResultIndex): Passed {
  return walked(mainBegins(index), index);
}

/** A name server that delegates, the step at which it was asked and the step that its referral leads to. */
interface ReferralView {
  readonly nameserver: Name;
  readonly from: StepRow;
  readonly to: StepRow;
}

/** The referrals that lead from one of these steps to the next. */
export function referralsFrom(steps: Iterable<StepRow>, index: ResultIndex): readonly ReferralView[] {
  return [...steps].flatMap((from) =>
    from.nameservers.flatMap(({ name, addresses }) =>
      addresses.flatMap((row): readonly ReferralView[] => {
        const next = index.next(row.leadsTo);
        const isReferral = row.class === 'referral' && next.kind === 'step';
        return isReferral ? [{ nameserver: name, from, to: next.step }] : [];
      }),
    ),
  );
}
