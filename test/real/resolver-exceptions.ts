/** An outcome that one resolver shows and the model says cannot be, with the reason. */
export interface Exception {
  readonly resolver: string;
  readonly name: string;
  readonly outcome: string;
  readonly reason: string;
}

/**
 * Where a resolver departs from the resolver view for a reason of its own. The outcome that the view
 * calls certain still has to be seen.
 */
export const exceptions: readonly Exception[] = [
  {
    resolver: 'Knot Resolver',
    name: 'www.sunk.test.',
    outcome: 'servfail',
    reason:
      "gives the whole look-up up after a few failures in a row while it looks for one name server's address " +
      '(its log: "too many failures in a row, bail out", against NXNSAttack, CVE-2020-12667), without trying ' +
      'the server whose address it has; measured in 2 to 5 of 100 look-ups',
  },
  {
    resolver: 'unbound',
    name: 'www.echo.test.',
    outcome: 'nodata',
    reason:
      'takes a referral to the zone itself for an empty answer: since the fix of CVE-2025-11411 it first removes ' +
      'the NS records (its log: "removing promiscuous RRset", then "nodata ANSWER"), and believes what is left; ' +
      'measured in half of the look-ups',
  },
];
