import type { End } from '../../evaluate/end.ts';
import { type Exchanged, queryKey } from '../../explore/recording.ts';
import type { Evidence } from './evidence.ts';
import { causeOf } from './reached.ts';

/**
 * The exchanges that show an end: the one in which its path stops, or its cause does; of a resolver
 * that found no usable server, all that were put to the zone's servers.
 */
export function endProof({ recording, panels }: Evidence, end: End): readonly Exchanged[] {
  const { question, zone, server, kind } = causeOf(end);
  if (server !== null) {
    const exchanged = recording.exchanges.get(queryKey({ address: server.address, question }));
    return exchanged === undefined ? [] : [exchanged];
  }
  if (kind !== 'servfail') return [];
  const panel = panels.find(
    (one) => one.zone === zone && one.question.name === question.name && one.question.type === question.type,
  );
  return panel?.heard.map(({ exchanged }) => exchanged) ?? [];
}
