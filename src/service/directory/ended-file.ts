import { readShape } from '../../shape/shape.ts';
import type { Packed } from '../../work/packing.ts';
import type { Ended } from '../jobs/job.ts';
import type { KeptJob } from '../jobs/job-keeper.ts';
import { ENDED_HEAD, type EndedHead } from './heads.ts';
import { DamagedFile, type JobFile, readJobFile } from './job-file.ts';
import { acceptedHead, acceptedIn } from './waiting-file.ts';

/** The file of a job that has ended: its server list has one of its own. */
export function endedFile(job: KeptJob): JobFile {
  const { state, progress, events, trace } = job;
  const chunks = 'result' in state ? state.result : undefined;
  const { status: _, ...conclusion } = state.conclusion;
  const head: EndedHead = {
    ...acceptedHead(job),
    status: state.status,
    ...(state.startedAt && { startedAt: state.startedAt.toISOString() }),
    finishedAt: state.finishedAt.toISOString(),
    ...(state.status === 'failed' && { error: state.error }),
    conclusion,
    progress,
    ...(chunks && { result: chunks.map((chunk) => ({ ...chunk, octets: chunk.octets.length })) }),
    events: {
      ...events,
      blocks: events.blocks.map(({ after, octets }) => ({ after, octets: octets.length })),
    },
    met: trace.met.map(({ allNames: _many, ...shown }) => shown),
    packets: trace.packets,
  };
  return { head, octets: [...(chunks ?? []), ...events.blocks].map(({ octets }) => octets) };
}

/** Reads it. Throws a `DamagedFile`, `JsonError` or `ShapeError`. */
export function readEndedFile(file: Buffer): KeptJob {
  const read = readJobFile(file);
  const head = readShape(ENDED_HEAD, read.head);
  const take = pieces(read.octets);
  const result = head.result?.map((chunk): Packed => ({ ...chunk, octets: take(chunk.octets) }));
  const blocks = head.events.blocks.map(({ after, octets }) => ({ after, octets: take(octets) }));
  return { ...endedJob(head, result), events: { ...head.events, blocks } };
}

/** The job of a head whose result has these chunks. Throws a `DamagedFile` if they do not fit. */
export function endedJob(
  head: EndedHead,
  result: readonly Packed[] | undefined,
): Omit<KeptJob, 'events' | 'servers'> {
  return {
    ...acceptedIn(head),
    state: endIn(head, result),
    progress: head.progress,
    // All names of a server that has many are no longer known, so a deny list takes it to have any.
    trace: {
      met: head.met.map((met) => (met.namesOmitted === undefined ? met : { ...met, allNames: 'unknown' })),
      packets: head.packets,
    },
  };
}

function endIn(
  { status, error, conclusion, ...head }: EndedHead,
  result: readonly Packed[] | undefined,
): Ended {
  const finishedAt = new Date(head.finishedAt);
  const startedAt = head.startedAt === undefined ? undefined : new Date(head.startedAt);
  const end = { finishedAt, conclusion: { status, ...conclusion } };
  switch (status) {
    case 'complete':
      if (startedAt === undefined || result === undefined) break;
      return { ...end, status, startedAt, result };
    case 'failed':
      if (startedAt === undefined || error === undefined) break;
      return { ...end, status, startedAt, error };
    case 'cancelled':
      return { ...end, status, ...(startedAt && { startedAt }), ...(result && { result }) };
  }
  throw new DamagedFile(`it lacks what a job that is ${status} has`);
}

/** Takes one piece after the other: copies, for else each would keep the whole file in memory. */
function pieces(octets: Buffer): (length: number) => Uint8Array<ArrayBuffer> {
  let at = 0;
  return (length) => {
    if (at + length > octets.length) throw new DamagedFile('it is too short');
    at += length;
    return Uint8Array.from(octets.subarray(at - length, at));
  };
}
