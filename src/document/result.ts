import type { End, EndKind } from '../evaluate/end.ts';
import type { Exchanged, Failure } from '../exchanged.ts';
import type { TraversalOptions } from '../options.ts';
import type { Edns, Flag } from '../wire/message.ts';
import type { Name } from '../wire/name.ts';
import type { Question } from '../wire/question.ts';
import type { ResourceRecord } from '../wire/record.ts';

/** The version of the shapes below; raised on a breaking change. */
export const SCHEMA = 2;

/** An exact probability: as the nearest double, and as text ("1/8"). */
export interface Exact {
  readonly probability: number;
  readonly fraction: string;
}

/** An end, by the identifier that steps name it by. */
export type EndRow = { readonly id: string } & End;

/** An end and its probability. */
export type OutcomeRow = End & Exact;

/** Outcomes grouped by kind; answers by their sorted set of data. */
export interface SummaryRow extends Exact {
  readonly kind: EndKind;
  readonly answer?: readonly string[];
}

/** A delegation that some path meets; its nameservers are sorted by name. */
export interface DelegationRow {
  readonly id: string;
  readonly zone: Name;
  readonly nameservers: readonly { readonly name: Name; readonly glue: readonly string[] }[];
}

/** A name server's share of a step, as number and as text; those of a step sum to 1. */
export interface Share {
  readonly share: number;
  readonly fraction: string;
}

/** Where something leads: to another step, or to an end, each by its identifier. */
export type LeadsTo = { readonly step: string } | { readonly end: string };

/** An address of a name server at a step: its share of the step, what it said and where that leads. */
export interface AddressRow extends Share {
  readonly address: string;
  readonly exchange?: string;
  readonly class?: string;
  readonly leadsTo: LeadsTo;
}

/** A name server at a step: its share, where its addresses come from, and what they lead to. */
export interface NameserverRow extends Share {
  readonly name: Name;
  readonly source: 'glue' | 'lookup' | 'none';
  readonly lookups?: readonly (LeadsTo & { readonly type: 'A' | 'AAAA' })[];
  readonly addresses: readonly AddressRow[];
  /** Ways in which no address was to be had, with their shares of the step. */
  readonly failures?: readonly (Share & { readonly end: string })[];
}

/** One step of the graph. `probability` counts how often a path passes on average (more than once: in lookups). */
export interface StepRow extends Exact {
  readonly id: string;
  readonly question: Question;
  readonly zone: Name;
  readonly delegation: string;
  readonly nameservers: readonly NameserverRow[];
}

/** A server: its address, with every name under which paths come to it, sorted. */
export interface ServerRow {
  readonly address: string;
  readonly names: readonly Name[];
}

/** An exchange without its record sections: what an event says of it. */
export interface ExchangeHead {
  readonly id: string;
  readonly server: ServerRow;
  readonly question: Question;
  readonly rcode?: string;
  readonly flags?: readonly Flag[];
  readonly transport: 'udp' | 'tcp';
  /** Queries sent. */
  readonly attempts: number;
  readonly rttMs?: number;
  /** From the first packet to the end, attempts and fallbacks included. */
  readonly elapsedMs: number;
  readonly bytes?: number;
  readonly edns?: Edns;
  readonly failure?: Failure['kind'];
  readonly failureDetail?: string;
}

/** An exchange as recorded: with its record sections, tries and traffic. */
export interface ExchangeRow extends ExchangeHead {
  readonly answer?: readonly ResourceRecord[];
  readonly authority?: readonly ResourceRecord[];
  readonly additional?: readonly ResourceRecord[];
  readonly tries: Exchanged['tries'];
  readonly traffic: Exchanged['traffic'];
}

/** A question that some path contains and that was not asked. */
export interface UnaskedRow {
  readonly server: ServerRow;
  readonly question: Question;
  readonly kind: 'query-limit' | 'time-limit';
  readonly limit: number;
}

/** How bad a finding is, the worst first. */
export type Severity = 'critical' | 'error' | 'warning' | 'notice' | 'info';

/** Something that is wrong, from the catalogue of findings. */
export interface Finding {
  /** "f1" and so on: unique within the result. */
  readonly id: string;
  /** The identifier of the finding that this one only follows from. */
  readonly consequenceOf?: string;
  readonly code: string;
  readonly severity: Severity;
  readonly zone?: Name;
  readonly server?: { readonly name: Name; readonly address?: string };
  /** One plain sentence: what is wrong and what to do. */
  readonly message: string;
  /** Identifiers of the exchanges that prove it. */
  readonly exchanges: readonly string[];
  readonly reference?: string;
}

/** What was counted. */
export interface Stats {
  /** Distinct (address, name, type). */
  readonly exchanges: number;
  readonly packetsSent: number;
  readonly packetsReceived: number;
  readonly bytesSent: number;
  readonly bytesReceived: number;
  /** Tries that nothing came back to. */
  readonly timeouts: number;
  /** Distinct addresses asked. */
  readonly servers: number;
  readonly zones: number;
  /** The number of distinct paths, in decimal: it can be astronomically large. */
  readonly paths: string;
}

/** The traversal result (JSON contract, section 1). */
export interface TraversalResult {
  readonly schema: typeof SCHEMA;
  readonly query: Question & { readonly class: 'IN' };
  readonly options: TraversalOptions;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly durationMs: number;
  readonly complete: boolean;
  /** How the asking ended. */
  readonly ending: 'whole' | 'query-limit' | 'time-limit' | 'cancelled';
  /** Each end once: those that steps name, or where there is no step, the one that a walk begins with. */
  readonly ends: readonly EndRow[];
  readonly outcomes: readonly OutcomeRow[];
  readonly summary: readonly SummaryRow[];
  readonly resolver: { readonly outcomes: readonly OutcomeRow[]; readonly summary: readonly SummaryRow[] };
  readonly coldLatencyMs: { readonly best: number; readonly mean: number; readonly worst: number };
  readonly zones: readonly { readonly zone: Name; readonly delegations: readonly string[] }[];
  readonly delegations: readonly DelegationRow[];
  readonly steps: readonly StepRow[];
  readonly exchanges: readonly ExchangeRow[];
  readonly unasked: readonly UnaskedRow[];
  readonly findings: readonly Finding[];
  readonly stats: Stats;
}
