/* Rates: how many queries may go to an address, a prefix, and to all places together. */

import { familyOf, prefixOf } from '../dns/address.ts';

/**
 * How much may go to one place (an address, a prefix, or anywhere) now. A sliding window in this process
 * decides, or whatever else can: a share of what several machines may send together.
 */
export interface Allowance {
  /**
   * Milliseconds until one more packet may go; 0: now; infinite: not before one that was taken has left. It
   * may turn out to be more when that time has come.
   */
  wait(now: number): number;
  /** Takes leave for one packet, and gives the number by which `left` knows it. */
  take(): number;
  /** Notes that this packet left. Until then it counts as if it were about to leave. */
  left(slot: number, now: number): void;
}

/** A second and some more: whoever counts at the other end must not find one too many because packets are late. */
export const SECOND_MS = 1_050;

/** An allowance of `rate` packets in any one second; 0: no limit. It remembers as many moments. */
export function slidingSecond(rate: number): Allowance {
  if (rate === 0) return UNLIMITED;
  const moments: number[] = [];
  let next = 0;
  return {
    wait: (now) => Math.max(0, (moments[next] ?? Number.NEGATIVE_INFINITY) + SECOND_MS - now),
    take: () => {
      const slot = next;
      moments[slot] = Number.POSITIVE_INFINITY;
      next = (next + 1) % rate;
      return slot;
    },
    left: (slot, now) => {
      moments[slot] = now;
    },
  };
}

/** The allowance of what has no limit. */
export const UNLIMITED: Allowance = { wait: () => 0, take: () => 0, left: () => {} };

/** An allowance that nothing was taken from for as long is as good as new. */
export const FORGOTTEN_AFTER_MS = SECOND_MS;

/** Packets in any one second; 0 or absent: no limit. */
export interface Rates {
  readonly ratePerAddress: number;
  /** To one /24 of IPv4, or one /48 of IPv6. */
  readonly ratePerPrefix?: number;
  readonly rateTotal?: number;
}

/** An allowance for every place. Each calls `more` when a packet may go earlier than `wait` has said. */
export interface Allowances {
  readonly forAddress: (address: string, more: () => void) => Allowance;
  /** `prefix` is in CIDR notation. */
  readonly forPrefix: (prefix: string, more: () => void) => Allowance;
  readonly forAll: (more: () => void) => Allowance;
}

/** Allowances of this process alone. */
export function allowancesOf({ ratePerAddress, ratePerPrefix = 0, rateTotal = 0 }: Rates): Allowances {
  return {
    forAddress: () => slidingSecond(ratePerAddress),
    forPrefix: () => slidingSecond(ratePerPrefix),
    forAll: () => slidingSecond(rateTotal),
  };
}

/** The part of the internet that an address is in as far as rates go: usually one operator's. */
export function ratedPrefix(address: string): string {
  return prefixOf(address, RATED_BITS[familyOf(address)]);
}

const RATED_BITS = { 4: 24, 6: 48 } as const;
