import type { Command } from 'commander';
import { isJobId } from '../../client/job-id.ts';
import { ROOT } from '../../wire/name.ts';
import type { Question } from '../../wire/question.ts';
import { readQuestion, readReverse } from '../flags/question-arguments.ts';
import { type ServerFlags, serverOf } from '../flags/server-flag.ts';
import type { TraversalFlags } from '../flags/traversal-flags.ts';
import { usageError } from '../process/exit-status.ts';
import type { Io } from '../process/io.ts';
import type { JobRun } from './job-sight.ts';
import { requestBody } from './request-body.ts';

/** The job that a command line names: one to be started, or one that a server has. */
export interface JobAsked {
  /** NAME or ID. */
  readonly target: string | undefined;
  readonly type: string | undefined;
  readonly flags: TraversalFlags & ServerFlags & { readonly x?: string };
}

/** Adds the arguments that say which job. */
export function addJobArguments(command: Command): void {
  command
    .argument('[name]', "what to look up, or a job's identifier (with --server)")
    .argument('[type]', 'the type of the records: A (default), AAAA, MX, ..., or TYPE65280')
    .option('-x <address>', 'look up the name behind an address, in place of NAME and TYPE');
}

/** What somebody wants of a job: all that happens, or only the list of servers in the end. */
export type Wanted = 'events' | 'list';

/** The job that a command line names. Throws a `CommandError` for one that says none or too much. */
export async function jobRun(asked: JobAsked, wanted: Wanted, io: Io): Promise<JobRun> {
  const { target, type, flags } = asked;
  const server = serverOf(flags, io.env);
  const id = target !== undefined && isJobId(target) ? target : undefined;
  if (server === undefined) {
    if (id !== undefined) throw usageError(`${id} is a job's identifier: say whose job with --server URL`);
    const question = questionOf(asked);
    const { runHere } = await import('./run-here.ts');
    return (sight) => runHere(question, flags, io, sight);
  }
  const { jobAt, listAt, newJobAt } = await import('./job-at.ts');
  if (id === undefined) return newJobAt(server, requestBody(questionOf(asked), flags));
  const options = Object.keys(requestBody({ name: ROOT, type: 'A' }, flags).options);
  if (type !== undefined || flags.x !== undefined || options.length > 0) {
    throw usageError(`${id} is a job that has been told what to do: leave TYPE and its options out`);
  }
  return wanted === 'list' ? listAt(server, id) : jobAt(server, id);
}

function questionOf({ target, type, flags }: JobAsked): Question {
  if (flags.x !== undefined) {
    if (target !== undefined) throw usageError('-x ADDRESS takes the place of NAME and TYPE: leave them out');
    return readReverse(flags.x);
  }
  if (target === undefined) throw usageError('NAME is missing (--demo has some)');
  return readQuestion(target, type);
}
