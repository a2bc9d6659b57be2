/* The zones on the way to the answer, and what each of their servers replied there. */

import { answerData } from '../../document/ends.ts';
import type { UnjudgedResult, ZoneRow } from '../../document/result.ts';
import { firstOfEach, grouped } from '../../document/words/lists.ts';
import { mainWalk, resultIndex } from './result-index.ts';

/** The zones of the main walk, from the root down, each with the addresses of its servers. */
export function zonesOnWay(result: UnjudgedResult): readonly ZoneRow[] {
  const index = resultIndex(result);
  return grouped(mainWalk(index).steps, ({ zone }) => zone).map((steps): ZoneRow => {
    const servers = steps.flatMap(({ zone, nameservers }) =>
      nameservers.flatMap(({ name, addresses }) =>
        addresses.map((row) => {
          const next = index.next(row.leadsTo);
          const answer = next.kind === 'end' ? answerData(next.end) : [];
          const rttMs = index.exchange(row)?.rttMs;
          const security = index.security(row, zone)?.status;
          return {
            name,
            address: row.address,
            ...(rttMs !== undefined && { rttMs }),
            ...(row.class && { reply: row.class }),
            ...(answer.length > 0 && { answer }),
            ...(security && { security }),
            share: row.fraction,
          };
        }),
      ),
    );
    return {
      zone: steps[0].zone,
      servers: firstOfEach(servers, ({ name, address }) => `${name} ${address}`),
    };
  });
}
