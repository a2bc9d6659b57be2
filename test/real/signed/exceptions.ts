import type { Exception } from '../resolvers/exceptions.ts';

/** An exception, and whether the resolver shows only that: what both readings call certain never appears then. */
export interface SignedException extends Exception {
  readonly always?: true;
}

const unboundGivesUp =
  'asks for DS at the name when a denial lacks its proof, and at both servers again and again: once each has ' +
  'failed it, chance decides which one is asked, and after five attempts it gives up (its log: "Could not establish ' +
  'a chain of trust"); measured in up to 31 of 50 look-ups';

const bindWaits =
  'asks for DS at the owners of NSEC3 records that do not verify, and for DS at the owners of those that deny that, ' +
  'until two of these questions wait for each other; after 12 s it gives up (its log: "shut down hung fetch"); ' +
  'measured in 8 of 50 look-ups';

/**
 * Where a resolver that validates departs from the readings it is held against, for a reason of its own. What both
 * readings call certain still has to be seen.
 */
export const exceptions: readonly SignedException[] = [
  ...['missing.gap.test.', 'web.gap.test.', 'x.wild.gap.test.'].map(givesUp),
  ...['missing.hole.test.', 'web.hole.test.', 'x.wild.hole.test.'].map(givesUp),
  ...['web.alien.test.', 'web.rolling.test.'].map((name) => ({
    resolver: 'BIND',
    name,
    outcome: 'servfail',
    reason: bindWaits,
  })),
  {
    resolver: 'BIND',
    name: 'missing.start.test.',
    outcome: 'insecure nxdomain',
    reason:
      'takes a denial whose NSEC records verify, whatever its SOA; the AD bit, which speaks for all records of a ' +
      'reply (RFC 4035 3.2.3), is not set then; measured in 21 to 28 of 50 look-ups',
  },
  {
    resolver: 'PowerDNS Recursor',
    name: 'web.names.test.',
    outcome: 'servfail',
    reason: 'demands that NS records which come with an answer verify, although nobody asked for them',
    always: true,
  },
];

function givesUp(name: string): SignedException {
  return { resolver: 'unbound', name, outcome: 'servfail', reason: unboundGivesUp };
}
