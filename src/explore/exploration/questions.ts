import { getOrMake } from '../../base/memo.ts';
import type { Name } from '../../dns/name.ts';
import type { Exchanged } from '../../exchange/exchanged.ts';
import { type Query, queryKey, type ZoneQuery } from '../../exchange/query.ts';
import { maySend, type Policy } from '../policy.ts';
import { isBlocked, type Scope } from '../recording.ts';
import { DeniedNames, type ServerNameIndex } from '../server-names.ts';
import type { ExploredVisit } from './explored-steps.ts';

/** The questions that one exploration has: each is wanted once, whoever puts it, and heard once. */
export class Questions {
  readonly #scope: Scope;
  readonly #policy: Policy;
  /** By key. */
  readonly #put = new Map<string, QuestionState>();
  readonly #deniedNames: DeniedNames;
  readonly #denied = new Map<string, WantedQuery>();
  #wanted: WantedQuery[] = [];
  /** Of what becomes known now. */
  #linksNow = 0;

  /** `names` has every name that `meet` is told of. */
  constructor(scope: Scope, policy: Policy, names: ServerNameIndex) {
    this.#scope = scope;
    this.#policy = policy;
    this.#deniedNames = new DeniedNames(policy, names);
  }

  /** The questions that became known since the last call, in that order. */
  take(): readonly WantedQuery[] {
    const wanted = this.#wanted;
    this.#wanted = [];
    return wanted;
  }

  /** By key: the questions that the policy forbids. */
  get denied(): ReadonlyMap<string, WantedQuery> {
    return this.#denied;
  }

  /** A name server was met at this address. */
  meet(name: Name, address: string): void {
    this.#deniedNames.meet(name, address);
  }

  /** Whether the question may be put to the address now: the policy can change at any time. */
  mayAsk(query: Query): boolean {
    return !isBlocked(this.#scope, query.address) && !this.#isDenied(query);
  }

  /** Notes that a visit has this question. Returns the exchange, if it is known already. */
  ask(visit: ExploredVisit): Exchanged | undefined {
    const { chain, question, visits } = visit.step;
    const query = { address: visit.address, question };
    const key = queryKey(query);
    const known = this.#put.get(key);
    if (known !== undefined) {
      known.askers.push(visit);
      return known.heard;
    }
    const links = this.#linksNow;
    const wanted = { ...query, key, zone: chain.delegation.zone, links, place: visits.size - 1 };
    this.#put.set(key, { askers: [visit], links, heard: undefined, again: [] });
    if (this.#isDenied(query)) this.#denied.set(key, wanted);
    else this.#wanted.push(wanted);
    return undefined;
  }

  /** Whether some visit has the question with this key; it may have been heard of before. */
  has(key: string): boolean {
    const known = this.#put.get(key);
    return known !== undefined && known.askers.length > 0;
  }

  /** What else the address said when a visit's question was asked again. */
  heardAgain({ step, address }: ExploredVisit): readonly Exchanged[] {
    return this.#put.get(queryKey({ address, question: step.question }))?.again ?? [];
  }

  /** What came of a visit's question, if that is known. */
  heard({ step, address }: ExploredVisit): Exchanged | undefined {
    return this.#put.get(queryKey({ address, question: step.question }))?.heard;
  }

  /** Takes in another reply to a question that was heard. Returns the visits that have the question. */
  hearAgain(exchanged: Exchanged): readonly ExploredVisit[] {
    const known = this.#put.get(queryKey(exchanged));
    known?.again.push(exchanged);
    return known?.askers ?? [];
  }

  /** Takes in the exchange of a question. Returns the visits that have the question. */
  hear(exchanged: Exchanged): readonly ExploredVisit[] {
    const known = getOrMake(this.#put, queryKey(exchanged), (): QuestionState => {
      return { askers: [], links: 0, heard: undefined, again: [] };
    });
    known.heard = exchanged;
    this.#linksNow = 1 + known.links;
    return known.askers;
  }

  #isDenied({ address, question }: Query): boolean {
    const names = this.#deniedNames.of(address);
    return !maySend(this.#policy, { address, names }, question.name);
  }
}

/** A question that a path needs asked, and the zone of the step that needed it first. */
export interface WantedQuery extends ZoneQuery {
  readonly key: string;
  /** How many exchanges, one after another, led to it. */
  readonly links: number;
  /** How many other addresses its step had when this was wanted. */
  readonly place: number;
}

/** What is known of a question that was put, or heard of without that. */
interface QuestionState {
  readonly askers: ExploredVisit[];
  readonly links: number;
  heard: Exchanged | undefined;
  readonly again: Exchanged[];
}
