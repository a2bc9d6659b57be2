import type { OwnSetExpectation } from '../world/expected-own-sets.ts';
import { bind } from './bind.ts';
import { knotResolver } from './knot-resolver.ts';
import { powerdnsRecursor, powerdnsWithoutParentSets } from './powerdns-recursor.ts';
import type { ResolverSoftware } from './resolver.ts';
import { trustingUnbound, unbound, verifyingUnbound } from './unbound.ts';

/** What a resolver makes of a zone's own NS RRset, as svc-model(7), Real resolvers says. */
export interface Habits {
  readonly software: ResolverSoftware;
  /** What teaches it the RRset before somebody asks for it. */
  readonly learnsFrom: 'nothing' | 'answers with a cookie' | 'all answers' | 'a question of its own';
  /** How long it goes by the RRset. */
  readonly keepsIt: 'from then on' | 'until it meets the delegation again';
  /** Where it asks a server that parent and zone give different addresses. */
  readonly asks: "the parent's addresses" | "the zone's addresses";
  /** What it does when no server in the RRset is of use. */
  readonly otherwise: "asks the parent's servers" | 'gives up';
}

/** Unbound as Debian has it. Its log says "removing promiscuous RRset", since the fix of CVE-2025-11411. */
const unboundHabits: Habits = {
  software: unbound,
  learnsFrom: 'nothing',
  keepsIt: 'from then on',
  asks: "the zone's addresses",
  otherwise: "asks the parent's servers",
};

/** PowerDNS Recursor as Debian has it. */
const powerdnsHabits: Habits = {
  software: powerdnsRecursor,
  learnsFrom: 'all answers',
  keepsIt: 'from then on',
  asks: "the zone's addresses",
  otherwise: "asks the parent's servers",
};

export const habits: readonly Habits[] = [
  unboundHabits,
  { ...unboundHabits, software: trustingUnbound, learnsFrom: 'all answers' },
  // It asks for the RRset while it looks up the first name, and does not wait for it.
  { ...unboundHabits, software: verifyingUnbound, learnsFrom: 'a question of its own' },
  // Since the fix of CVE-2025-40778 it ignores NS records in answers that may be forged. It looks the
  // addresses of the zone's servers up from the root, meets the delegation on the way, and goes by that
  // from then on. Addresses that it has as glue it does not look up.
  {
    software: bind,
    learnsFrom: 'answers with a cookie',
    keepsIt: 'until it meets the delegation again',
    asks: "the parent's addresses",
    otherwise: 'gives up',
  },
  // It keeps nothing that comes with an answer, neither NS records nor addresses.
  {
    software: knotResolver,
    learnsFrom: 'nothing',
    keepsIt: 'from then on',
    asks: "the parent's addresses",
    otherwise: 'gives up',
  },
  powerdnsHabits,
  { ...powerdnsHabits, software: powerdnsWithoutParentSets, otherwise: 'gives up' },
];

/** What a resolver can know of a zone when it is asked. */
export type Knowledge =
  | 'the delegation'
  | 'the answer to a name'
  | "the zone's NS RRset"
  | 'an answer by a server in it';

/** Whose outcomes it gives; "either" where it depends on which server was asked or what came first. */
export type Followed = 'cold' | 'warm' | 'either';

/** Which view a resolver of these habits follows. */
export function followed(habits: Habits, zone: OwnSetExpectation, knowledge: Knowledge): Followed {
  if (zone.own === 'other addresses' && habits.asks === "the parent's addresses") return 'cold';
  if (zone.own === 'servers that refuse' && habits.otherwise === "asks the parent's servers") return 'cold';
  switch (knowledge) {
    case 'the delegation':
      return 'cold';
    case 'the answer to a name':
      return afterAnswer[habits.learnsFrom][zone.told];
    case "the zone's NS RRset":
      return mayForget(habits, zone) && knewBefore(habits, zone) ? 'either' : 'warm';
    case 'an answer by a server in it':
      return mayForget(habits, zone) ? 'either' : 'warm';
  }
}

/** Whether the addresses of its servers lead through the delegation. */
function mayForget({ keepsIt }: Habits, { own }: OwnSetExpectation): boolean {
  return keepsIt === 'until it meets the delegation again' && own !== 'servers elsewhere';
}

/** Whether it may be looking these addresses up already when the NS RRset is asked for. */
function knewBefore({ learnsFrom }: Habits, { told }: OwnSetExpectation): boolean {
  return afterAnswer[learnsFrom][told] !== 'cold';
}

const afterAnswer: Record<Habits['learnsFrom'], Record<OwnSetExpectation['told'], Followed>> = {
  nothing: {
    'with a cookie': 'cold',
    'without a cookie': 'cold',
    'by some with a cookie': 'cold',
    'not at all': 'cold',
  },
  'answers with a cookie': {
    'with a cookie': 'warm',
    'without a cookie': 'cold',
    'by some with a cookie': 'either',
    'not at all': 'cold',
  },
  'all answers': {
    'with a cookie': 'warm',
    'without a cookie': 'warm',
    'by some with a cookie': 'warm',
    'not at all': 'cold',
  },
  'a question of its own': {
    'with a cookie': 'either',
    'without a cookie': 'either',
    'by some with a cookie': 'either',
    'not at all': 'either',
  },
};
