/**
 * One end with its share of the probability: the exact fraction, what it is ("answer 192.0.2.1",
 * "error REFUSED"), the question and zone where it stopped ("www.shop.test. A in shop.test."), and
 * the server with its address, "-" where none was picked.
 */
export type ExpectedEnd = readonly [fraction: string, what: string, where: string, server: string];

/** The ends of a walk, in its two views. */
export interface ExpectedViews {
  readonly path: readonly ExpectedEnd[];
  readonly resolver: readonly ExpectedEnd[];
}

/** A question and everything that svc-model(7) says about it in this hierarchy, worked out by hand. */
export interface Expectation extends ExpectedViews {
  readonly name: string;
  readonly type: string;
  /** The command's exit status: 0 if every path ends in the same answer or denial. */
  readonly status: 0 | 1;
  /** The number of distinct sequences of picks. */
  readonly paths: string;
}

/** Picks on the way to a zone's delegation: the root and the two registries have two servers each, all healthy. */
export const toTest = 2 * 2;

export const toExample = 2 * 2;

/** Picks on the way to the address of a hoster's server, from the root: hoster.example has two servers. */
export const toHosterAddress = toExample * 2;

/** The end of a look-up that a server of example. denies. */
export function vanishedBy(server: string): string {
  return `unresolvable-ns ns.vanished.example. because nxdomain, ns.vanished.example. A in example., ${server}`;
}
