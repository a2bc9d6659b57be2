import type { OwnSetExpectation } from '../world/expected-own-sets.ts';
import { bind } from './bind.ts';
import { knotResolver } from './knot-resolver.ts';
import { powerdnsRecursor, powerdnsWithoutParentSets } from './powerdns-recursor.ts';
import type { ResolverSoftware } from './resolver.ts';
import { trustingUnbound, unbound, verifyingUnbound } from './unbound.ts';

/** What a resolver makes of a zone's own NS RRset: the rows of the table in svc-model(7), COLD AND WARM. */
export interface Habits {
  readonly software: ResolverSoftware;
  /** What teaches it the RRset before somebody asks for it. */
  readonly learnsFrom: 'nothing' | 'answers with a cookie' | 'all answers' | 'a question of its own';
  /** Where it asks a server that parent and zone give different addresses. */
  readonly asks: "the parent's addresses" | "the zone's addresses";
  /** What it does when no server in the RRset is of use. */
  readonly otherwise: "asks the parent's servers" | 'gives up';
}

export const habits: readonly Habits[] = [
  // Its log says "removing promiscuous RRset", since the fix of CVE-2025-11411.
  {
    software: unbound,
    learnsFrom: 'nothing',
    asks: "the zone's addresses",
    otherwise: "asks the parent's servers",
  },
  // What it did before that fix.
  {
    software: trustingUnbound,
    learnsFrom: 'all answers',
    asks: "the zone's addresses",
    otherwise: "asks the parent's servers",
  },
  // It asks for the RRset while it looks up the first name, and does not wait for it.
  {
    software: verifyingUnbound,
    learnsFrom: 'a question of its own',
    asks: "the zone's addresses",
    otherwise: "asks the parent's servers",
  },
  // Since the fix of CVE-2025-40778 it ignores NS records in answers that may be forged. Glue ranks above
  // additional records of an answer (RFC 2181, section 5.4.1), and its address database keeps it.
  {
    software: bind,
    learnsFrom: 'answers with a cookie',
    asks: "the parent's addresses",
    otherwise: 'gives up',
  },
  // It does not cache the authority and additional sections of positive answers.
  { software: knotResolver, learnsFrom: 'nothing', asks: "the parent's addresses", otherwise: 'gives up' },
  {
    software: powerdnsRecursor,
    learnsFrom: 'all answers',
    asks: "the zone's addresses",
    otherwise: "asks the parent's servers",
  },
  {
    software: powerdnsWithoutParentSets,
    learnsFrom: 'all answers',
    asks: "the zone's addresses",
    otherwise: 'gives up',
  },
];

/** What a resolver can know of a zone when it is asked. */
export type Knowledge = 'the delegation' | 'the answer to another name' | "the zone's NS RRset";

/** Whose outcomes it gives; "either" where chance decides whether it has learnt the RRset. */
export type Followed = 'cold' | 'warm' | 'either';

export function followed(habits: Habits, zone: OwnSetExpectation, knowledge: Knowledge): Followed {
  if (zone.own === 'other addresses' && habits.asks === "the parent's addresses") return 'cold';
  if (zone.own === 'servers that refuse' && habits.otherwise === "asks the parent's servers") return 'cold';
  switch (knowledge) {
    case 'the delegation':
      return 'cold';
    case 'the answer to another name':
      return afterAnswer[habits.learnsFrom][zone.told];
    case "the zone's NS RRset":
      return 'warm';
  }
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
