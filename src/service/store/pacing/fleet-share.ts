/** What an instance knows of the others. */
export type Membership =
  /** It has not heard from the store for a while; absent: it never has. */
  | { readonly kind: 'cut-off'; readonly instances?: number }
  /** Others may not know of it yet. */
  | { readonly kind: 'new' }
  | { readonly kind: 'settled'; readonly instances: number };

/** How much of the internet a rate is about: one address, or a prefix or all of it. */
export type Extent = 'address' | 'wider';

/**
 * Of what may go to a place in a second, half is divided among all instances, so that places where little
 * goes need no lease. The rest is the pool that leases come from.
 */
export function poolOf(rate: number): number {
  return rate - divided(rate);
}

/**
 * What an instance may send to a place in a second without a lease. Cut off, it sends to an address what
 * nobody minds, wherever it is and however many do; wider places have as many addresses as ever.
 */
export function shareOf(rate: number, extent: Extent, membership: Membership): number {
  switch (membership.kind) {
    case 'cut-off': {
      const { instances } = membership;
      const one = Math.min(1, rate);
      return extent === 'address' || instances === undefined ? one : Math.max(one, part(rate, instances));
    }
    case 'new':
      return 0;
    case 'settled':
      return part(rate, membership.instances);
  }
}

function part(rate: number, instances: number): number {
  return Math.floor(divided(rate) / instances);
}

function divided(rate: number): number {
  return Math.floor(rate / 2);
}
