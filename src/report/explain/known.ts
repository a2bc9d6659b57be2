import type { End, PickedServer } from '../../evaluate/end.ts';
import type { Fraction } from '../../evaluate/fraction.ts';
import type { FindingCode } from '../../findings/catalogue.ts';
import type { Judge } from '../../reading/bearing.ts';
import type { Family } from '../../wire/address.ts';
import type { Name } from '../../wire/name.ts';
import type { Question } from '../../wire/question.ts';

/** What the explanation of an end needs to know of the rest of its result. */
export interface Scene {
  readonly query: Question;
  /** The zones that delegate a zone. */
  parentsOf(zone: Name): readonly Name[];
  /** The share of lookups that fail because no server of the zone is usable. */
  lostAt(zone: Name): Fraction;
  readonly judge: Judge;
  /** Whether every path ends the same way. */
  readonly agreed: boolean;
  /** The answer, or denial, that most paths get; undefined where no single one is the most common. */
  readonly usual: End | undefined;
  /** The data of an answer in a sentence; different answers look different. */
  quote(end: End): string;
  /** The picks that decide on the answer of an end: they lead to no other, while others at their step do. */
  decidingServers(end: End): readonly Decider[];
  /** Why resolvers get the answer of an end more often than paths do, if failing addresses are the reason. */
  gainOf(end: End): Gain | undefined;
  /** Whether a finding of this code is about this server, at this address or at any. */
  isFound(code: FindingCode, server: PickedServer): boolean;
  /** Whether a finding of this code is about this zone. */
  isFoundIn(code: FindingCode, zone: Name): boolean;
  /** What replies with authority say that a server's addresses are, of the family of this one; none if nobody said. */
  addressesOf(server: PickedServer): readonly string[];
  /** The codes of faults of these servers, or of any: warnings and worse that are not consequences of others. */
  faultsAt(servers: readonly PickedServer[] | 'anywhere'): readonly string[];
  /** Whether the exchange switched to TCP because the reply was too large for UDP. */
  tooLargeForUdp(end: End): boolean;
  /** The servers at fault for what does not verify; none where all servers of the zone are alike. */
  bogusServers(end: BogusEnd): readonly PickedServer[];
  /** Whether any address of this family replied. */
  isHeardOver(family: Family): boolean;
}

/** A pick that decides which answer users get: all answers behind it are the same, while its step leads to several. */
export interface Decider extends PickedServer {
  /** The zone of the step where it is picked. */
  readonly zone: Name;
  /** Whether it gives the answer itself or refers to servers that do. */
  readonly how: 'answers' | 'leads-on';
}

/** A share that grows in the resolver view, because other addresses of a name come before other names. */
export interface Gain {
  readonly path: Fraction;
  readonly resolver: Fraction;
  /** A failing address of a name server whose other addresses lead to what grows. */
  readonly failing: PickedServer;
}

/** What does not verify. */
export type BogusEnd = Extract<End, { kind: 'bogus' }>;
