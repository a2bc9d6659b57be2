import type { Pace } from '../../exchange/pace.ts';
import { count } from '../../reading/words/quantities.ts';
import type { ListSize } from './list-size.ts';
import { roughTime } from './tally.ts';

/** Shorter runs need no notice. */
const WORTH_TELLING_S = 60;

/**
 * What the pace costs a run in which each name is asked of each root server, in one line; undefined if that is
 * not much.
 */
export function paceNotice(
  size: ListSize,
  { ratePerAddress, ratePerPrefix = 0 }: Pick<Pace, 'ratePerAddress' | 'ratePerPrefix'>,
): string | undefined {
  const rate = Math.min(...[ratePerAddress, ratePerPrefix].filter((limit) => limit > 0));
  const seconds = size.names / rate;
  if (seconds < WORTH_TELLING_S) return undefined;
  const names = `${size.kind === 'estimated' ? 'about ' : ''}${count(size.names, 'name')}`;
  const place = rate === ratePerAddress ? 'one address' : 'one prefix';
  return `${names} at ${count(rate, 'query', 'queries')} a second to ${place}: about ${roughTime(seconds)}, because every root server is asked for every name; --share-referrals asks it once for each top-level domain`;
}
