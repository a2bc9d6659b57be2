import { type Exchanged, type Query, queryKey } from '../exchanged.ts';
import { getOrMake } from '../get-or-make.ts';
import type { Name } from '../wire/name.ts';
import type { ExploredVisit } from './explored-step.ts';
import { maySend, type Policy } from './policy/policy.ts';
import { isBlocked, type Scope } from './recording.ts';
import { DeniedNames, type ServerNameIndex } from './server-names.ts';

/** A question that a path needs asked, and the zone of the step that needed it first. */
export interface WantedQuery extends Query {
  readonly key: string;
  readonly zone: Name;
  /** How many exchanges, one after another, led to it. */
  readonly links: number;
}

/** The questions that one exploration has: each is wanted once, whoever puts it, and heard once. */
export class Questions {
  readonly #scope: Scope;
  readonly #policy: Policy;
  readonly #heard = new Map<string, Exchanged>();
  readonly #askers = new Map<string, ExploredVisit[]>();
  readonly #deniedNames: DeniedNames;
  readonly #denied = new Map<string, WantedQuery>();
  #wanted: WantedQuery[] = [];
  /** By key. */
  readonly #links = new Map<string, number>();
  /** Of what becomes known now. */
  #linksNow = 0;

  /** `names` has every name that `meet` is told of. */
  constructor(scope: Scope, policy: Policy, names: ServerNameIndex) {
    this.#scope = scope;
    this.#policy = policy;
    this.#deniedNames = new DeniedNames(policy, names);
  }

  /** Those that became known since the last call, in that order. */
  take(): readonly WantedQuery[] {
    const wanted = this.#wanted;
    this.#wanted = [];
    return wanted;
  }

  /** By key: those that the policy forbids. */
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

  /** A visit has this question: says what came of it, if that is known already. */
  ask(visit: ExploredVisit): Exchanged | undefined {
    const { chain, question } = visit.step;
    const query = { address: visit.address, question };
    const key = queryKey(query);
    const askers = getOrMake(this.#askers, key, (): ExploredVisit[] => []);
    const heard = this.#heard.get(key);
    if (askers.length === 0 && heard === undefined) {
      const wanted = { ...query, key, zone: chain.delegation.zone, links: this.#linksNow };
      this.#links.set(key, wanted.links);
      if (this.#isDenied(query)) this.#denied.set(key, wanted);
      else this.#wanted.push(wanted);
    }
    askers.push(visit);
    return heard;
  }

  /** What came of a visit's question, if that is known. */
  heard({ step, address }: ExploredVisit): Exchanged | undefined {
    return this.#heard.get(queryKey({ address, question: step.question }));
  }

  /** Takes in what came of a question, and says which visits had it. */
  hear(exchanged: Exchanged): readonly ExploredVisit[] {
    const key = queryKey(exchanged);
    this.#heard.set(key, exchanged);
    this.#linksNow = 1 + (this.#links.get(key) ?? 0);
    return this.#askers.get(key) ?? [];
  }

  #isDenied({ address, question }: Query): boolean {
    const names = this.#deniedNames.of(address);
    return !maySend(this.#policy, { address, names }, question.name);
  }
}
