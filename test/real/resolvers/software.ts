import { bind } from './bind.ts';
import { knotResolver } from './knot-resolver.ts';
import { powerdnsRecursor } from './powerdns-recursor.ts';
import type { ResolverSoftware } from './resolver.ts';
import { unbound } from './unbound.ts';

/** Every resolver the suite compares the model with. */
export const resolvers: readonly ResolverSoftware[] = [unbound, bind, knotResolver, powerdnsRecursor];
