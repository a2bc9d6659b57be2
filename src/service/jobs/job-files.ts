/* Makes files of jobs, and reads them again. */

import { createHash, type Hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { parseJson } from '../../base/json.ts';
import type { Packed } from '../../base/packing.ts';
import { type Of, readShape } from '../../base/shape.ts';
import { object, optional } from '../../base/shape-object.ts';
import { BOOLEAN, COUNT, list, oneOf, TEXT, TIME } from '../../base/shape-values.ts';
import { ERROR, JOB_ID, PROGRESS } from '../../document/api/jobs.ts';
import { ADDRESS, MILLISECONDS, NAME, QUESTION } from '../../document/common-shapes.ts';
import { ENDED_STATUS } from '../../document/events.ts';
import { OPTIONS } from '../../document/options.ts';
import { VERDICT } from '../../document/result.ts';
import type { AcceptedJob, Ended } from './job.ts';
import type { KeptJob, WaitingJob } from './persistence.ts';

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
    ...(job.owed && { owed: true }),
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
  // All names of a server that has many are no longer known, so a deny list takes it to have any.
  const met = head.met.map((one) =>
    one.namesOmitted === undefined ? one : { ...one, allNames: 'unknown' as const },
  );
  const { progress, packets, owed } = head;
  const end = { state: endIn(head, result), progress, trace: { met, packets } };
  return { ...acceptedIn(head), ...end, ...(owed && { owed }) };
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
      if (error === undefined) break;
      return { ...end, status, ...(startedAt && { startedAt }), error };
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

/** The file of a job that has not ended. */
export function waitingFile(job: WaitingJob): JobFile {
  const { attempts, firstStartedAt, lastEvent } = job;
  const started = firstStartedAt && { firstStartedAt: firstStartedAt.toISOString() };
  return {
    head: { ...acceptedHead(job), attempts, ...started, lastEvent } satisfies Of<typeof WAITING_HEAD>,
    octets: [],
  };
}

/** Reads it. Throws a `DamagedFile`, `JsonError` or `ShapeError`. */
export function readWaitingFile(file: Buffer): WaitingJob {
  const head = readShape(WAITING_HEAD, readJobFile(file).head);
  const { attempts, firstStartedAt, lastEvent, ...accepted } = head;
  const started = firstStartedAt === undefined ? {} : { firstStartedAt: new Date(firstStartedAt) };
  return { ...acceptedIn(accepted), attempts, ...started, lastEvent };
}

/** Writes the members that all heads have. */
export function acceptedHead({ id, request, owner, createdAt, key }: AcceptedJob): AcceptedHead {
  return { id, ...request, owner, createdAt: createdAt.toISOString(), ...(key !== undefined && { key }) };
}

/** Reads them. */
export function acceptedIn({
  id,
  question,
  options,
  wait,
  owner,
  createdAt,
  key,
}: AcceptedHead): AcceptedJob {
  const request = { question, options, ...(wait && { wait }) };
  return { id, request, owner, createdAt: new Date(createdAt), key };
}

/** The file of a job's server list. */
export function serversFile(id: string, list: Buffer): JobFile {
  return { head: { id }, octets: [list] };
}

/** Reads it. Throws a `DamagedFile`, `JsonError` or `ShapeError`. */
export function readServersFile(file: Buffer): { readonly id: string; readonly list: Buffer } {
  const { head, octets } = readJobFile(file);
  return { ...readShape(SERVERS_HEAD, head), list: octets };
}

/** A file of the directory: a head, and the octets that it describes. */
export interface JobFile {
  /** Written as JSON. */
  readonly head: unknown;
  readonly octets: readonly Uint8Array[];
}

/** A file that is not what was once written. */
export class DamagedFile extends Error {
  override readonly name = 'DamagedFile';
}

/** The beginning of each file, before the digest of all that follows the first line. */
const MAGIC = 'svc-job 1 ';

/** So many octets are digested in some milliseconds. */
const OCTETS_AT_ONCE = 2 * 1024 * 1024;

/** The file as it is written: a line with a digest, the head as a line, and the octets. Other work goes on meanwhile. */
export async function jobFileOctets({ head, octets }: JobFile): Promise<readonly Uint8Array[]> {
  const content = [Buffer.from(`${JSON.stringify(head)}\n`), ...octets];
  const hash = createHash('sha256');
  let due = OCTETS_AT_ONCE;
  for (const piece of content) {
    hash.update(piece);
    due -= piece.length;
    if (due > 0) continue;
    due = OCTETS_AT_ONCE;
    await setImmediate();
  }
  return [Buffer.from(firstLine(hash)), ...content];
}

/** Reads such a file. Throws a `DamagedFile`. */
function readJobFile(file: Buffer): { readonly head: unknown; readonly octets: Buffer } {
  const first = file.indexOf('\n') + 1;
  const content = file.subarray(first);
  const line = Buffer.from(firstLine(createHash('sha256').update(content)));
  if (!file.subarray(0, first).equals(line))
    throw new DamagedFile('its octets are not those that were written');
  const head = content.indexOf('\n') + 1;
  return { head: parseJson(content.subarray(0, head)), octets: content.subarray(head) };
}

function firstLine(hash: Hash): string {
  return `${MAGIC}${hash.digest('hex')}\n`;
}

const ACCEPTED = {
  id: JOB_ID,
  question: QUESTION,
  options: OPTIONS,
  wait: optional(object({ forMs: MILLISECONDS })),
  owner: object({ client: TEXT, party: TEXT, cancelHash: optional(TEXT) }),
  createdAt: TIME,
  key: optional(TEXT),
};

/** The part that the heads of all job files have. */
export const ACCEPTED_HEAD = object(ACCEPTED);

type AcceptedHead = Of<typeof ACCEPTED_HEAD>;

/** The head of the file of a job that has not ended. */
const WAITING_HEAD = object({
  ...ACCEPTED,
  attempts: COUNT,
  firstStartedAt: optional(TIME),
  lastEvent: COUNT,
});

/** Octets that follow the head: those of the result, then those of the events. */
const RESULT_CHUNK = object({ form: oneOf('plain', 'deflated'), length: COUNT, octets: COUNT });
const EVENT_BLOCK = object({ after: COUNT, octets: COUNT });

const MET = object({
  address: ADDRESS,
  names: list(NAME),
  namesOmitted: optional(COUNT),
  zones: list(NAME),
  reaction: oneOf('replied', 'silent'),
});

/** The head of the file of a job that has ended. */
export const ENDED_HEAD = object({
  ...ACCEPTED,
  status: ENDED_STATUS,
  startedAt: optional(TIME),
  finishedAt: TIME,
  error: optional(ERROR),
  conclusion: object({
    durationMs: MILLISECONDS,
    data: TEXT,
    verdict: optional(VERDICT),
    validated: oneOf('other', 'as-far-as-known-the-same'),
  }),
  progress: PROGRESS,
  result: optional(list(RESULT_CHUNK)),
  events: object({ before: COUNT, last: COUNT, blocks: list(EVENT_BLOCK) }),
  met: list(MET),
  packets: COUNT,
  owed: optional(BOOLEAN),
});

type EndedHead = Of<typeof ENDED_HEAD>;

/** The head of the file with a job's server list, which is the octets that follow. */
const SERVERS_HEAD = object({ id: JOB_ID });
