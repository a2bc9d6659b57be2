import { Chains } from '../../explore/chain.ts';
import { DistinctEnds } from '../distinct-ends.ts';
import type { MainWalk } from '../evaluated-world.ts';
import { AddressSources } from './address-sources.ts';
import { Cuts } from './cuts.ts';
import { Bits } from './footprint.ts';
import { Replies } from './replies.ts';

/** What all unfoldings of one main walk have in common, however deep they go. */
export interface Landscape {
  readonly main: MainWalk;
  readonly chains: Chains;
  readonly bits: Bits;
  readonly cuts: Cuts;
  readonly ends: DistinctEnds;
  readonly replies: Replies;
  readonly sources: AddressSources;
}

/** That of a main walk. */
export function landscapeOf(main: MainWalk): Landscape {
  const [bits, cuts] = [new Bits(), new Cuts()];
  return {
    main,
    chains: new Chains(),
    bits,
    cuts,
    ends: new DistinctEnds(),
    replies: new Replies(main),
    sources: new AddressSources(main, { bits, cuts }),
  };
}
