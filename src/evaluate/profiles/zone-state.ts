/* The memory of a resolver product that tries the servers of a zone, counted by classes of equal servers. */

import type { Fraction } from '../fraction.ts';
import type { Spent } from './waits.ts';

/** The memory of a resolver at a zone: how many members of each class are in each condition. */
export interface Visiting {
  readonly stage: number;
  /** Whether nothing was asked yet. */
  readonly begins: boolean;
  /** Replies in vain, and silences, at this stage. */
  readonly failing: number;
  readonly silences: number;
  /**
   * The number of addresses at hand that were heard before those that were looked up joined them, as long as none at hand
   * has been asked since; else 0.
   */
  readonly early: number;
  /** Time since the first question, if that can end the look-up. */
  readonly elapsed: Spent;
  /** The name whose addresses are tried now; empty: any. */
  readonly name: string;
  /** The keys of the zone: known (or not needed), wanted, or being asked for, before a stage or after the last one. */
  readonly keys: 'known' | 'wanted' | 'asked-last' | { readonly before: number };
  /** By class: how many of its members are in each condition. */
  readonly members: readonly ReadonlyMap<number, number>[];
}

/**
 * Conditions of a member: it was heard, it is not asked any more, at this stage it replied in vain or was silent, it ever
 * replied in vain, it is asked only if no other is left; how often it replied in vain at this stage; how often it replied at all, where that matters; and how often it was
 * silent.
 */
export const HEARD = 1;
export const AVOIDED = 2;
export const FAILED = 4;
export const SILENT = 8;
export const ERRED = 16;
export const LAST_RESORT = 32;
export const ONE_FAILURE = 64;
/** Above the counter of failures, and up to three of them. */
const ONE_REPLY = 512;
/** Above the counter of replies: it was silent last. */
export const UNANSWERED = 2048;
export const ONE_SILENCE = 4096;

/** The number of replies of a member in this condition. */
export function repliesOf(condition: number): number {
  return Math.floor(condition / ONE_REPLY) % MOST_REPLIES;
}

/** The condition after one reply more, as far as replies are counted. */
export function withReply(condition: number): number {
  return repliesOf(condition) === MOST_REPLIES - 1 ? condition : condition + ONE_REPLY;
}

/** The same condition, without the replies before a silence. */
export function withoutReplies(condition: number): number {
  return condition - repliesOf(condition) * ONE_REPLY;
}

/** More replies than are counted. */
export const MOST_REPLIES = UNANSWERED / ONE_REPLY;

/** Something that a resolver may ask next, and how likely that is. */
export interface Pick {
  readonly of: number;
  readonly condition: number;
  readonly weight: Fraction;
}
