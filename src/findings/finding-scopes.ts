/* What is wrong at a server: everything, or only a name or a type, as far as its replies to other questions tell. */

import { isAtOrBelow, ROOT } from '../dns/name.ts';
import type { Finding } from '../document/finding.ts';
import { grouped } from '../document/words/lists.ts';
import type { Exchanged } from '../exchange/exchanged.ts';
import { meaningFor } from '../explore/classify.ts';
import { isUsable } from '../explore/meaning.ts';
import type { Recording } from '../explore/recording.ts';
import { HEADINGS } from './catalogue.ts';
import type { Found } from './causes/found.ts';

/**
 * Gives the scope of each finding that names an address: what its proof is about, and no usable reply of the server is. How a
 * server speaks the protocol does not depend on the question.
 */
export function findingScopes({ exchanges }: Recording): (finding: Found) => Pick<Finding, 'scope'> {
  const byAddress = new Map(
    grouped([...exchanges.values()], ({ address }) => address).map((own) => [own[0].address, own]),
  );
  return ({ code, server, zone = ROOT, proof }) => {
    if (server?.address === undefined) return {};
    if (code in HEADINGS.PROTOCOL) return { scope: {} };
    const own = (byAddress.get(server.address) ?? []).filter(({ question }) =>
      isAtOrBelow(question.name, zone),
    );
    const shown = new Set<Exchanged>(proof);
    return {
      scope: commonOf(
        own.filter((one) => shown.has(one)),
        own.filter((one) => !shown.has(one) && isUsable(meaningFor(one, zone).kind)),
      ),
    };
  };
}

function commonOf(bad: readonly Exchanged[], good: readonly Exchanged[]): NonNullable<Finding['scope']> {
  const [first, ...others] = bad.map(({ question }) => question);
  if (first === undefined || good.length === 0) return {};
  const { name, type } = first;
  const isOneType = others.every((one) => one.type === type);
  const isOneName = others.every((one) => one.name === name);
  if (isOneType && good.every(({ question }) => question.type !== type)) return { type };
  if (isOneName && good.every(({ question }) => question.name !== name)) return { name };
  return isOneType && isOneName ? { name, type } : {};
}
