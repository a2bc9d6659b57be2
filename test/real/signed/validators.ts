import { bind } from '../resolvers/bind.ts';
import { knotResolver } from '../resolvers/knot-resolver.ts';
import { powerdnsRecursor } from '../resolvers/powerdns-recursor.ts';
import type { ResolverSoftware } from '../resolvers/resolver.ts';
import { unbound } from '../resolvers/unbound.ts';
import type { Readings } from './views.ts';

/** A reading of svc-model(7), VALIDATING. */
export type Reading = keyof Readings;

/** A resolver that validates, and the readings that have what it gives. */
export interface Validator {
  readonly software: ResolverSoftware;
  readonly readings: readonly Reading[];
}

/** As svc-model(7), VALIDATING has them. Knot Resolver retries, but not where signatures are missing. */
export const validators: readonly Validator[] = [
  { software: unbound, readings: ['validating'] },
  { software: bind, readings: ['validating'] },
  { software: knotResolver, readings: ['validating', 'firstTry'] },
  { software: powerdnsRecursor, readings: ['firstTry'] },
];
