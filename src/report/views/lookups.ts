import { familyOf } from '../../dns/address.ts';
import type { Question } from '../../dns/message.ts';
import type { Name } from '../../dns/name.ts';
import type { AddressRow, LeadsTo, StepRow } from '../../document/steps.ts';
import { byFamily, grouped } from '../../document/words/lists.ts';
import type { End } from '../../evaluate/end.ts';
import { type Fraction, multiply, readFraction, sum } from '../../evaluate/fraction.ts';
import { type EffectOf, type EndEffect, ownEffect } from './effects.ts';
import { failuresAt } from './picks.ts';
import { type Begin, type Passed, passedByAll, type ResultIndex, walked } from './result-index.ts';
import { byDelegation, type StepView, stepViews } from './steps.ts';

/** The lookups in a result by the names that are looked up. */
export function nameLookups(index: ResultIndex): readonly NameLookup[] {
  return grouped(lookupsIn(index), ({ question }) => question.name).map((own) => nameLookup(own, index));
}

/** The lookups of one name server, whatever the type of address. */
export interface NameLookup {
  readonly name: Name;
  readonly views: readonly [LookupView, ...LookupView[]];
  readonly steps: readonly StepView[];
  /** Only the picks that neither lead on nor end well. */
  readonly trouble: readonly StepView[];
}

function nameLookup(views: NameLookup['views'], index: ResultIndex): NameLookup {
  const [{ question, effectOf }] = views;
  const passed = passedByAll(views.map((view) => view.passed));
  const steps = stepViews(passed, byDelegation, index, effectOf);
  const trouble = steps
    .map((step) => ({ ...step, picks: step.picks.filter(isTrouble) }))
    .filter(({ picks }) => picks.length > 0);
  return { name: question.name, views, steps, trouble };
}

function isTrouble({ reply: { effect } }: StepView['picks'][number]): boolean {
  return effect === 'fails' || effect === 'unknown';
}

/** The lookup of one type of address of a name server without glue, wherever a path needs it. */
export interface LookupView {
  readonly question: Question & { readonly type: 'A' | 'AAAA' };
  /** Their weights add up to `weight`. */
  readonly begins: readonly Begin[];
  /** The number of these lookups that a path makes on average. */
  readonly weight: () => Fraction;
  readonly passed: Passed;
  /** Zones on the way, the root left out. */
  readonly zones: readonly Name[];
  /** IPv4 before IPv6. */
  readonly addresses: readonly string[];
  /** What its ends mean where the address is needed. */
  readonly effectOf: EffectOf;
}

/** The lookups in a result; those of one name follow each other. */
export function lookupsIn(index: ResultIndex): readonly LookupView[] {
  const needs = index.steps.flatMap((step) => needsOf(step, index));
  const lacking = new Set(needs.filter((need) => need.lacksAddress).map(({ name }) => name));
  return grouped(needs, ({ name }) => name)
    .flatMap((ofName) => grouped(ofName, ({ type }) => type))
    .map((same) => viewOf(same, lacking.has(same[0].name) ? 'fails' : 'ends-well', index));
}

/** A step's need of one lookup. */
interface Need extends Begin {
  readonly name: Name;
  readonly type: 'A' | 'AAAA';
  readonly addresses: readonly AddressRow[];
  /** Whether paths got no address at all there. */
  readonly lacksAddress: boolean;
}

function needsOf(step: StepRow, index: ResultIndex): readonly Need[] {
  return step.nameservers.flatMap(({ name, fraction, lookup, addresses }) => {
    if (lookup === undefined) return [];
    const { begins, failures } = index.lookup(lookup);
    return begins.map(({ type, ...leadsTo }) => ({
      name,
      type,
      leadsTo,
      weight: () => multiply(readFraction(step.fraction), readFraction(fraction)),
      addresses,
      lacksAddress: failures.length > 0 && addresses.length === 0,
    }));
  });
}

function viewOf(same: readonly [Need, ...Need[]], nodata: EndEffect, index: ResultIndex): LookupView {
  const { name, type } = same[0];
  const begins = same.map(({ leadsTo, weight }) => ({ leadsTo, weight }));
  const passed = walked(begins, index);
  const family = type === 'A' ? 4 : 6;
  const addresses = new Set(same.flatMap((need) => need.addresses.map(({ address }) => address)));
  const effectOf = (end: End) => lookupEffect(end, nodata);
  return {
    question: { name, type },
    begins,
    weight: () => sum(begins.map(({ weight }) => weight())),
    passed,
    zones: [...new Set(passed.steps.map(({ zone }) => zone))].filter((zone) => zone !== '.'),
    addresses: [...addresses].filter((address) => familyOf(address) === family).sort(byFamily),
    effectOf,
  };
}

/** In a lookup, NXDOMAIN is trouble; NODATA is trouble only where no path got an address of either type. */
function lookupEffect(end: End, nodata: EndEffect): EndEffect {
  if (end.kind === 'nxdomain') return 'fails';
  return end.kind === 'nodata' ? nodata : ownEffect(end);
}

/** The ends of a lookup that yield no address. */
export function troubleIn({ begins, passed, effectOf }: LookupView, index: ResultIndex): readonly End[] {
  return endsOf(begins, passed, index).filter((end) => effectOf(end) !== 'ends-well');
}

/** Each once: rings of lookups come to the same ends again and again. */
function endsOf(begins: readonly Begin[], passed: Passed, index: ResultIndex): readonly End[] {
  const met = new Set<End>();
  const arrive = (leadsTo: LeadsTo) => {
    const next = index.next(leadsTo);
    if (next.kind === 'end') met.add(next.end);
  };
  for (const { leadsTo } of begins) arrive(leadsTo);
  for (const step of passed.steps) {
    const failures = failuresAt(step, index);
    for (const nameserver of step.nameservers) {
      for (const { leadsTo } of nameserver.addresses) arrive(leadsTo);
      for (const end of failures(nameserver)) met.add(end);
    }
  }
  return [...met];
}
