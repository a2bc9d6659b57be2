import type { Exchanged, Probed } from '../exchange/exchanged.ts';
import { queryKey } from '../exchange/query.ts';
import type { Recording } from '../explore/recording.ts';

/** Numbers the exchanges and the probes of a recording, the same in every run over it. */
export function identifiers({ exchanges, probes }: Recording): Identifiers {
  const ids = new Map<Exchanged, string>();
  for (const one of exchanges.values()) ids.set(one, `x${ids.size + 1}`);
  for (const [at, one] of probes.entries()) ids.set(one, `p${at + 1}`);
  return (one) => {
    // In another world, that of the same question in the recording.
    const own = ids.get(one) ?? ids.get(exchanges.get(queryKey(one)) ?? one);
    if (own === undefined) throw new Error('something in the result has no identifier');
    return own;
  };
}

/** The short name of an exchange or a probe in a result: "x1", "p1". */
export type Identifiers = (one: Exchanged | Probed) => string;
