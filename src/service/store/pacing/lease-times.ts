import { SECOND_MS } from '../../../exchange/allowance.ts';

/** How long a lease lasts. */
export const LEASE_MS = 1_000;

/** How often leases are renewed, and an instance says that it is there. */
export const RENEW_MS = 400;

/** For how long an instance believes what the store last said. Then it is cut off. */
export const BELIEVED_MS = 2_000;

/**
 * After this long without a word an instance counts as gone; and a new one is known to all others, and no
 * packet counts any more that they sent before they knew.
 */
export const SETTLED_MS = BELIEVED_MS + SECOND_MS + 50;
