import type { TraversalResult } from '../../document/result.ts';
import { fingerprint } from '../../fingerprint/fingerprint.ts';
import { serversMet } from '../../fingerprint/servers-met.ts';
import { traverse } from '../../traverse.ts';
import type { Question } from '../../wire/question.ts';
import type { TraversalFlags } from '../flags/traversal-flags.ts';
import type { Io } from '../process/io.ts';
import { type Field, openField } from './field.ts';
import type { JobSight } from './job-sight.ts';

/** Does what a job of the service does: traverses, then asks the servers met who they are. */
export async function runHere(
  question: Question,
  flags: TraversalFlags,
  io: Io,
  sight: JobSight,
): Promise<void> {
  const field = await openField(flags, io);
  try {
    const { options, hints, exchange } = field;
    const result = await traverse({ question, options, hints }, { exchange, ...sight });
    await identify(result, field, sight);
  } finally {
    await field.close();
  }
}

async function identify(result: TraversalResult, field: Field, sight: JobSight): Promise<void> {
  const { emit, identified, signal } = sight;
  if (signal.aborted) return;
  // Some servers know their CHAOS names by the exact octets.
  const ask = field.exchangeWith({ ...field.options, nameCase: 'lower' });
  try {
    const servers = await Promise.all(
      serversMet(result).map(async (server) => {
        const rows = await fingerprint([server], ask, signal);
        rows.forEach(identified);
        return rows;
      }),
    );
    emit({ event: 'servers', status: 'ready', servers: servers.flat() });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
