import type { PickedServer } from '../../evaluate/end.ts';
import { firstOfEach } from '../../reading/grouped.ts';
import type { ResultIndex } from '../../reading/result-index.ts';
import { questionKey } from '../../wire/question.ts';
import type { BogusEnd } from './known.ts';

/**
 * The servers at fault for what does not verify, each address once: those whose replies do not, if replies of others of
 * the zone do. None where all are alike, so that the zone is at fault rather than a server.
 */
export function bogusServers(
  { zone, question, reason }: BogusEnd,
  index: ResultIndex,
): readonly PickedServer[] {
  const asked = index.steps.filter(
    (step) => step.zone === zone && questionKey(step.question) === questionKey(question),
  );
  const heard = asked.flatMap(({ nameservers }) =>
    nameservers.flatMap(({ name, addresses }) =>
      addresses.map((row) => ({ name, address: row.address, security: index.security(row, zone) })),
    ),
  );
  if (!heard.some(({ security }) => security?.status === 'secure' || security?.status === 'insecure'))
    return [];
  const atFault = heard.filter(
    ({ security }) => security?.reason === reason && security.otherwise === undefined,
  );
  const servers = atFault.map(({ name, address }) => ({ name, address }));
  return firstOfEach(servers, ({ name, address }) => `${name} ${address}`);
}
