/* A waiting line in which parties, such as clients or networks, take turns. */

import { Counts } from './counts.ts';
import { getOrMake } from './memo.ts';

/**
 * A party, or a block of parties, which share its turns: its members that wait stand `step` apart. The smaller the step,
 * the more of them go.
 */
interface Block {
  readonly name: string;
  readonly step: number;
}

/** A party, and the blocks that it is in, the largest last. */
export type Blocks = readonly [party: Block, ...above: readonly Block[]];

/**
 * A line in which parties take turns, however many of one party wait, and so do blocks of parties. Whoever joins gets a
 * number, and the lowest goes first, of equal ones who came first. The first of a party gets the number that is served now, plus
 * a step of each block for each other party of the block that waits; the next one of the party stands a step of the party behind
 * the last, or further if its blocks have many parties. Each one that goes raises the number that is served, so whoever waits is
 * overtaken by so many newcomers and no more.
 */
export class TurnLine<T extends Bidder> {
  /** In the order in which they go. */
  readonly #waiting: Place<T>[] = [];
  /** Those of each party, in order. */
  readonly #places = new Map<string, Place<T>[]>();
  /** How many of each block wait. */
  readonly #lengths = new Counts();
  /** How many parties of each block wait. */
  readonly #parties = new Counts();
  #served = 0;

  get length(): number {
    return this.#waiting.length;
  }

  /** How many of a block wait. */
  lengthOf(block: string): number {
    return this.#lengths.of(block);
  }

  join(item: T): void {
    const place = { item, turn: this.#turnOf(item) };
    const before = this.#waiting.findLastIndex(({ turn }) => turn <= place.turn);
    this.#waiting.splice(before + 1, 0, place);
    const [party, ...above] = item.blocks;
    if (this.lengthOf(party.name) === 0) for (const { name } of above) this.#parties.add(name);
    getOrMake(this.#places, party.name, () => []).push(place);
    for (const { name } of item.blocks) this.#lengths.add(name);
  }

  /** Takes note of one that goes without having waited. */
  pass(): void {
    this.#served += 1;
  }

  /** Removes and returns the first that may go. */
  next(may: (item: T) => boolean = () => true): T | undefined {
    const place = this.#waiting.find(({ item }) => may(item));
    if (place === undefined) return undefined;
    this.#remove(place);
    this.#served = Math.max(this.#served + 1, place.turn);
    return place.item;
  }

  /** Removes one, if it waits. */
  leave(item: T): void {
    const place = this.#waiting.find((one) => one.item === item);
    if (place !== undefined) this.#remove(place);
  }

  /** The place of the first that fits, counted from 0; undefined if none does. */
  placeOf(fits: (item: T) => boolean): number | undefined {
    const at = this.#waiting.findIndex(({ item }) => fits(item));
    return at < 0 ? undefined : at;
  }

  /** The one that has to make room for a newcomer in a full line: the last of the block that has most. Undefined: the newcomer has. */
  crowdedOutBy(newcomer: Bidder): T | undefined {
    let victim: T | undefined;
    let most = this.#weight(newcomer, 1);
    for (const { item } of this.#waiting.toReversed()) {
      const weight = this.#weight(item);
      if (weight <= most) continue;
      most = weight;
      victim = item;
    }
    return victim;
  }

  #turnOf({ blocks: [party, ...above] }: Bidder): number {
    const last = this.#places.get(party.name)?.at(-1);
    const behind = Math.max(0, ...above.map(({ name, step }) => this.#parties.of(name) * step));
    return last === undefined ? this.#served + behind : last.turn + Math.max(party.step, behind);
  }

  #weight({ blocks }: Bidder, more = 0): number {
    return Math.max(...blocks.map(({ name, step }) => (this.lengthOf(name) + more) * step));
  }

  #remove(place: Place<T>): void {
    const [party, ...above] = place.item.blocks;
    const places = this.#places.get(party.name) ?? [];
    without(this.#waiting, place);
    without(places, place);
    for (const { name } of place.item.blocks) this.#lengths.remove(name);
    if (places.length > 0) return;
    this.#places.delete(party.name);
    for (const { name } of above) this.#parties.remove(name);
  }
}

/** Whoever waits in a line. */
export interface Bidder {
  /** Its party, and the blocks that the party is in. */
  readonly blocks: Blocks;
}

interface Place<T> {
  readonly item: T;
  readonly turn: number;
}

function without<T>(list: T[], one: T): void {
  const at = list.indexOf(one);
  if (at >= 0) list.splice(at, 1);
}
