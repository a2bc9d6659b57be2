import type { Exchanged, Query } from '../exchange/exchanged.ts';
import type { Name } from '../wire/name.ts';
import { type Question, questionKey } from '../wire/question.ts';
import { addressesIn } from './addresses.ts';
import { aliasChain, type Chain, Chains, lookupChain } from './chain.ts';
import { classify } from './classify.ts';
import { glueFor } from './delegation.ts';
import { lookupTypes } from './lookup-types.ts';
import { isBlocked, type Plan, queryKey } from './recording.ts';
import { newStation, type Station, type Visit, type Walked } from './station.ts';

/** A question that a path needs asked, and the zone of the step that needed it first. */
export interface Wanted extends Query {
  readonly key: string;
  readonly zone: Name;
}

/**
 * Which questions must be asked, given what was heard so far: the core of exploring, without I/O.
 *
 * It follows all paths at once over distinct stations, a station being a step together with the
 * names that its walk asked before (they decide what is an alias loop). Depth is kept exactly without
 * multiplying stations: each knows the least depth at which a path reaches it, and each address the
 * least height (levels below its station) that a path needs to learn it; an exchange is wanted as soon
 * as depth + height is within the maximum. Both only ever fall, so news is passed on until nothing
 * changes. Pending lookups are not looked at: MODEL 1 allows to ask what only they would hide.
 */
export class Exploration {
  readonly #plan: Plan;
  readonly #chains = new Chains();
  readonly #stations = new Map<Chain, Map<string, Station>>();
  readonly #heard = new Map<string, Exchanged>();
  readonly #askers = new Map<string, Visit[]>();
  readonly #news: (() => void)[] = [];
  #wanted: Wanted[] = [];
  #count = 0;

  constructor(plan: Plan) {
    this.#plan = plan;
    const start = this.#station(this.#chains.root(plan.hints), plan.question, [plan.question.name]);
    if (start !== undefined) this.#reach(start, 0);
  }

  /** The questions that became known since the last call, breadth first. */
  takeWanted(): readonly Wanted[] {
    this.#settle();
    const wanted = this.#wanted;
    this.#wanted = [];
    return wanted;
  }

  /** Takes in what came of a wanted question. */
  learn(exchanged: Exchanged): void {
    const key = queryKey(exchanged);
    this.#heard.set(key, exchanged);
    for (const visit of this.#askers.get(key) ?? []) this.#hear(visit, exchanged);
    this.#settle();
  }

  #settle(): void {
    for (const tell of this.#news) tell();
    this.#news.length = 0;
  }

  /** The station for a step; undefined when there are as many as one traversal may have. */
  #station(chain: Chain, question: Question, walk: Walked): Station | undefined {
    const walked = this.#count < EXACT_STATIONS ? walk : 'not kept';
    let stations = this.#stations.get(chain);
    if (stations === undefined) {
      stations = new Map();
      this.#stations.set(chain, stations);
    }
    const key =
      walked === 'not kept'
        ? questionKey(question)
        : `${questionKey(question)}\n${[...walked].sort().join(' ')}`;
    const known = stations.get(key);
    if (known !== undefined) return known;
    if (this.#count >= this.#plan.maxWork) return undefined;
    this.#count += 1;
    const station = newStation(chain, question, walked);
    stations.set(key, station);
    return station;
  }

  /** A path reaches the station at this depth. */
  #reach(station: Station, depth: number): void {
    if (depth > this.#plan.maxDepth || depth >= station.depth) return;
    const first = station.depth === Number.POSITIVE_INFINITY;
    station.depth = depth;
    if (first) {
      this.#open(station);
      return;
    }
    for (const lookup of station.lookups) this.#reach(lookup, depth + 1);
    for (const visit of station.visits.values()) this.#visit(visit);
  }

  #open(station: Station): void {
    for (const server of station.chain.delegation.nameservers) {
      const glue = glueFor(server, this.#plan.families);
      for (const address of glue) this.#offer(station, address, 0);
      if (glue.length > 0) continue;
      const start = lookupChain(station.chain, server.name);
      if (start !== undefined) this.#lookUp(station, start, server.name);
    }
  }

  #lookUp(station: Station, start: Chain, name: Name): void {
    for (const { type } of lookupTypes(this.#plan.families)) {
      const lookup = this.#station(start, { name, type }, [name]);
      if (lookup === undefined) return;
      station.lookups.push(lookup);
      lookup.readers.push((address, height) => this.#offer(station, address, 1 + height));
      for (const [address, height] of lookup.answers) this.#offer(station, address, 1 + height);
      this.#news.push(() => this.#reach(lookup, station.depth + 1));
    }
  }

  /** An address of one of the station's name servers, learnt at this height. */
  #offer(station: Station, address: string, height: number): void {
    const known = station.visits.get(address);
    if (known !== undefined && known.height <= height) return;
    if (known !== undefined) {
      known.height = height;
      this.#visit(known);
      this.#passOn(known);
      return;
    }
    const visit: Visit = {
      station,
      address,
      height,
      state: 'offered',
      onward: undefined,
      gives: [],
    };
    station.visits.set(address, visit);
    this.#visit(visit);
  }

  /** Asks at this address if a path within the depth limit does, and goes on from what is known there. */
  #visit(visit: Visit): void {
    const { station } = visit;
    if (station.depth + visit.height > this.#plan.maxDepth || isBlocked(this.#plan, visit.address)) return;
    if (visit.state === 'offered') this.#want(visit);
    const { onward } = visit;
    if (onward !== undefined) this.#news.push(() => this.#reach(onward, station.depth + 1));
  }

  #want(visit: Visit): void {
    const { question, chain } = visit.station;
    const query = { address: visit.address, question };
    visit.state = 'asked';
    const key = queryKey(query);
    const askers = this.#askers.get(key);
    if (askers === undefined) {
      this.#askers.set(key, [visit]);
      this.#wanted.push({ ...query, key, zone: chain.delegation.zone });
      return;
    }
    askers.push(visit);
    const heard = this.#heard.get(key);
    if (heard !== undefined) this.#hear(visit, heard);
  }

  #hear(visit: Visit, exchanged: Exchanged): void {
    const { station } = visit;
    const { chain, question, walked } = station;
    const response = classify(exchanged.outcome, question, chain.delegation.zone);
    if (response.kind === 'answer') {
      visit.gives = addressesIn(response.records);
      this.#passOn(visit);
    } else if (response.kind === 'referral') {
      this.#goOn(visit, this.#station(this.#chains.extend(chain, response.delegation), question, walked));
    } else if (response.kind === 'alias') {
      const { target } = response;
      const from = aliasChain(chain, target, question.type);
      const next = { name: target, type: question.type };
      if (walked === 'not kept') this.#goOn(visit, this.#station(from, next, walked));
      else if (!walked.includes(target)) this.#goOn(visit, this.#station(from, next, [...walked, target]));
    }
  }

  #goOn(visit: Visit, onward: Station | undefined): void {
    if (onward === undefined) return;
    visit.onward = onward;
    onward.readers.push((address, height) =>
      this.#answer(visit.station, address, Math.max(visit.height, 1 + height)),
    );
    this.#passOn(visit);
    this.#visit(visit);
  }

  /** Hands what is known behind a visit back to its station. */
  #passOn(visit: Visit): void {
    for (const address of visit.gives) this.#answer(visit.station, address, visit.height);
    for (const [address, height] of visit.onward?.answers ?? []) {
      this.#answer(visit.station, address, Math.max(visit.height, 1 + height));
    }
  }

  /** A walk from this station can end in an answer with this address. */
  #answer(station: Station, address: string, height: number): void {
    const known = station.answers.get(address);
    if (known !== undefined && known <= height) return;
    station.answers.set(address, height);
    for (const reader of station.readers) this.#news.push(() => reader(address, height));
  }
}

/**
 * From this number of stations on, the names walked are no longer kept apart: hostile aliases could
 * multiply their sets without end. What it costs: a question may be asked that only a path through an
 * alias loop would need. The evaluation stays exact.
 */
const EXACT_STATIONS = 10_000;
