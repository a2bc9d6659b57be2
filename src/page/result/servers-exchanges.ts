import type { ExchangeRow } from '../../document/exchanges.ts';
import type { BoxServer } from '../../report/graph/box-servers.ts';

/** The exchanges with a server of a box, in the order in which they were made. */
export function exchangesWith(
  { address }: BoxServer,
  exchanges: readonly ExchangeRow[],
): readonly ExchangeRow[] {
  return exchanges.filter(({ server }) => server.address === address);
}
