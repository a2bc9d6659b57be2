import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Test } from 'tap';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { parseName } from '../../../src/dns/name.ts';
import type { JobCounts } from '../../../src/document/api/service-documents.ts';
import { DEFAULT_OPTIONS } from '../../../src/document/options.ts';
import type { Job, JobRequest } from '../../../src/service/jobs/job.ts';
import { JobDirectory } from '../../../src/service/jobs/job-directory.ts';
import type { JobPart, JobSettings, MakeServiceJobs, ServiceJobs } from '../../../src/service/jobs/jobs.ts';
import { LocalJobs } from '../../../src/service/jobs/local-jobs.ts';
import { createLog } from '../../../src/service/log.ts';
import { DEFAULT_SETTINGS } from '../../../src/service/settings.ts';
import { openStore } from '../../../src/service/store/open-store.ts';
import { createFakeEngine } from '../fake-engine.ts';
import { sharedPostgres } from '../store/postgres-server.ts';
import { eventsIn } from '../test-service.ts';

/** A request that all tests make. */
export const REQUEST: JobRequest = {
  question: { name: parseName('www.example'), type: 'A' },
  options: DEFAULT_OPTIONS,
};

/** Room for one job, and for five that wait. */
export const SETTINGS: JobSettings = {
  maxJobs: 1,
  maxJobsPerClient: 1,
  maxQueue: 5,
  maxQueuePerClient: 5,
  retainMs: 60_000,
  maxRetained: 10,
  maxRetainedBytes: 10_000_000,
};

const SILENT = createLog(() => {}, 'json');

/** Where jobs can be. */
export type Kind = ServiceJobs['kind'];

/** Makes the jobs of each process of a test. */
const FACTORIES: Readonly<Record<Kind, (t: Test) => Promise<() => Promise<MakeServiceJobs>>>> = {
  memory: () => Promise.resolve(async () => (settings, around) => new LocalJobs(settings, around)),
  directory: (t) => {
    // A folder of tap's would be removed before the jobs are stopped, which write into it until then.
    const folder = mkdtempSync(join(tmpdir(), 'svc-state-'));
    t.teardown(() => rmSync(folder, { recursive: true, force: true }));
    const create: MakeServiceJobs = (settings, around) =>
      new LocalJobs(settings, around, new JobDirectory(folder, settings, SILENT));
    return Promise.resolve(() => Promise.resolve(create));
  },
  postgres: async (t) => {
    const url = await (await sharedPostgres()).database();
    return async () => {
      const opened = await openStore(url, DEFAULT_SETTINGS, SILENT);
      if (opened.kind !== 'open') throw new Error(opened.reason);
      t.teardown(() => opened.store.close());
      return opened.store.createJobs;
    };
  },
};

/** Timers are as always, but time passes slowly: on a busy machine, too, no job seems to have had its slot for long. */
const CALM: Clock = { ...systemClock, now: () => systemClock.now() / 20 };

/** One process after the other, or beside it, with jobs in the same place. Those that still run are stopped when the test ends. */
export async function processesOf(t: Test, kind: Kind, more: Partial<JobSettings> = {}, clock: Clock = CALM) {
  const told: string[] = [];
  const announced: string[] = [];
  const makeFactory = await FACTORIES[kind](t);
  const process = async (own: Partial<JobSettings> = {}) => {
    const engine = createFakeEngine();
    const createJobs = await makeFactory();
    const jobs = createJobs(
      { ...SETTINGS, ...more, ...own },
      {
        engine,
        clock,
        now: () => new Date(),
        notices: {
          started: () => told.push('started'),
          ended: (_, { status }) => told.push(status),
          announce: async (_, { status, startedAt }) => {
            if (startedAt !== undefined) announced.push(status);
            return 'done';
          },
          interrupted: () => told.push('interrupted'),
          crowdedOut: () => told.push('crowded out'),
          failed: (_, error) => told.push(String(error)),
        },
      },
    );
    let drained: Promise<void> | undefined;
    const drain = (graceMs: number) => {
      drained ??= jobs.drain(graceMs);
      return drained;
    };
    t.teardown(() => drain(0));
    await jobs.open();
    jobs.begin();
    const trySubmit = async (client = '192.0.2.1', request: JobRequest = REQUEST, key?: string) =>
      await jobs.submit(request, { client, exempt: false }, key);
    const submit = async (client?: string) => {
      const submitted = await trySubmit(client);
      if (submitted.kind !== 'queued') throw new Error('it was refused');
      await submitted.stored;
      return submitted.job.id;
    };
    const find = async (id: string, part: JobPart = 'state'): Promise<Job> => {
      const job = await jobs.find(id, part);
      if (typeof job !== 'object') throw new Error(job ?? 'the job is not there');
      return job;
    };
    const status = async (id: string) => (await find(id)).state.status;
    return { engine, jobs, drain, trySubmit, submit, find, status };
  };
  return { process, told, announced };
}

/** The events of a job from a place on, as [id, name, data]. */
export function eventsOf({ events }: Job, seen = 0) {
  const frames: string[] = [];
  const from = events.placeOf(seen);
  for (let at = from; at < events.last; at = from + frames.length)
    frames.push(...events.framesAfter(at, Number.POSITIVE_INFINITY));
  return eventsIn(frames.join(''));
}

/** Waits until something is so: what passes through files or a store takes its time. */
export async function until(isSo: () => boolean | Promise<boolean>, what = 'it'): Promise<void> {
  for (let tries = 0; tries < 2_400; tries += 1) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`${what} did not come`);
}

/** Waits until so many jobs are counted: nobody waits for a store that takes long to count. */
export async function untilCounted(jobs: ServiceJobs, expected: JobCounts): Promise<void> {
  const isCounted = async () => {
    await jobs.count();
    return isDeepStrictEqual(jobs.counts, expected);
  };
  await until(isCounted, `the count ${JSON.stringify(expected)}`);
}
