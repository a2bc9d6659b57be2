/* How each datum of the profiles was found: apart from them, as the page loads profiles and does not show that. */

import { BIND_FOUND, BIND_STRICT_FOUND } from './bind.ts';
import { KNOT_FOUND } from './knot.ts';
import { POWERDNS_FOUND } from './powerdns.ts';
import type { ProfileName } from './profiles.ts';
import { UNBOUND_FOUND, UNBOUND_STRICT_FOUND } from './unbound.ts';

/** Sentences for each profile. */
export const FOUND: Readonly<Record<ProfileName, readonly string[]>> = {
  bind: BIND_FOUND,
  unbound: UNBOUND_FOUND,
  knot: KNOT_FOUND,
  powerdns: POWERDNS_FOUND,
  'unbound-strict': UNBOUND_STRICT_FOUND,
  'bind-strict': BIND_STRICT_FOUND,
};
