import { FORMATS } from '../../report/formats.ts';
import type { FormatFlags } from '../flags/format-flags.ts';
import type { ManyFlags } from '../flags/many-flags.ts';
import type { QuestionFlags } from '../flags/question-words.ts';
import type { ResolverFlags } from '../flags/resolver-words.ts';
import { type ServerFlags, serverOf } from '../flags/server-flag.ts';
import { type Asked, namesQuestion, questionOf } from '../flags/target.ts';
import type { TraversalFlags } from '../flags/traversal-flags.ts';
import type { WhatIfFlags } from '../flags/what-if-flags.ts';
import { usageError } from '../process/command-error.ts';
import type { ExitStatus } from '../process/exit-status.ts';
import { checkWritable } from '../process/files.ts';
import type { Io } from '../process/io.ts';
import { listShowcases } from '../view/showcases.ts';

/** The options of `svc traverse`, as commander gives them. */
export interface TraverseFlags
  extends TraversalFlags,
    FormatFlags,
    ServerFlags,
    ManyFlags,
    QuestionFlags,
    ResolverFlags,
    WhatIfFlags {
  readonly save?: string;
  readonly replay?: string;
}

/** A command line that asks for the traversal of one name. */
interface AskedOfTraverse extends Asked {
  readonly flags: TraverseFlags;
}

/** Traverses one name, or evaluates a saved result again, and prints the result. */
export async function traverseOne(asked: AskedOfTraverse, io: Io): Promise<ExitStatus> {
  const { flags } = asked;
  const server = serverOf(flags, io.env);
  if (flags.save !== undefined) await checkWritable(flags.save);
  if (flags.replay !== undefined) {
    if (namesQuestion(asked))
      throw usageError('--replay FILE names the question itself: leave out NAME and TYPE');
    if (flags.resolvers !== undefined)
      throw usageError('--replay does not go with @RESOLVER, which is asked now: leave out one of them');
    if (flags.check)
      throw usageError(
        '--replay does not go with --check: save the result with --check, because a replay shows what was recorded',
      );
    if (flags.check === false || flags.dnssec === false)
      throw usageError(
        '--replay does not go with --no-check or --no-dnssec, because a replay shows all that was recorded',
      );
    if (flags.delegate !== undefined)
      throw usageError(
        '--replay does not go with --delegate: a planned change needs other servers to be asked than those recorded',
      );
    const { replaySaved } = await import('./replay-saved.ts');
    const { replay } = flags;
    return await replaySaved(replay, flags, io);
  }
  if (flags.demo && !namesQuestion(asked)) return await listShowcases(io);
  const question = questionOf(asked);
  checkResolversShown(flags);
  const { traverseLive } = await import('./traverse-live.ts');
  return await traverseLive(question, server, flags, io);
}

/** Throws a `CommandError` if nothing that is asked for would show what resolvers said. */
function checkResolversShown({ resolvers, format, one, save }: TraverseFlags): void {
  if (resolvers === undefined || save !== undefined) return;
  if (one) throw usageError('@RESOLVER does not go with --one, which does not show what it says');
  if (FORMATS[format].resolvers === 'not-shown')
    throw usageError(`@RESOLVER does not go with ${format}, which does not show what it says`);
}
