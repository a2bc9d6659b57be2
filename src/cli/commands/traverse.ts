import type { Command } from 'commander';
import { FORMATS } from '../../report/formats.ts';
import { addFormatFlags, type FormatFlags } from '../flags/format-flags.ts';
import { fileOption } from '../flags/limit-option.ts';
import { addManyFlags, fileOfNames, type ManyFlags, rowsOrLines } from '../flags/many-flags.ts';
import { isResolverWord, type ResolverFlags, readResolver } from '../flags/names.ts';
import {
  type Asked,
  addQuestionArguments,
  namesQuestion,
  type QuestionFlags,
  questionOf,
  readQuestionWords,
} from '../flags/question.ts';
import { addServerFlag, type ServerFlags, serverOf } from '../flags/server-flag.ts';
import { addTraversalFlags, type TraversalFlags } from '../flags/traversal-flags.ts';
import { addWhatIfFlags, type WhatIfFlags } from '../flags/what-if-flags.ts';
import { type ExitStatus, usageError } from '../process/errors.ts';
import { checkWritable } from '../process/files.ts';
import { addHelpSections, type Configure } from '../process/help.ts';
import type { Io } from '../process/io.ts';
import { listShowcases, resultStatuses } from './run-target.ts';

/** `svc traverse NAME [TYPE]`. */
export const configureTraverse: Configure = (command, { io, exit }) => {
  addQuestionArguments(command, 'what to look up; internationalised names are accepted');
  addTraversalFlags(command);
  const asking = command.options.map((option) => option.attributeName());
  addServerFlag(command);
  command.hook('preAction', () => {
    for (const [word, option] of DIG_WORDS)
      if (command.args.includes(word)) command.setOptionValueWithSource(option, true, 'cli');
  });
  addFormatFlags(command);
  addWhatIfFlags(command);
  addFileFlags(command, asking);
  addManyFlags(command);
  addHelpSections(command, AFTERWORD);
  command.action(async (_name, _type, options: TraverseFlags) => {
    const words = command.args.filter((word) => !DIG_WORDS.has(word) && !isResolverWord(word));
    const named = command.args.filter(isResolverWord);
    const flags = named.length === 0 ? options : { ...options, resolvers: named.map(readResolver) };
    const format = command.getOptionValueSource('format') === 'default' ? undefined : flags.format;
    const file = fileOfNames({ flags, words, format });
    if (file !== undefined) {
      const { traverseMany } = await import('../many/traverse-many.ts');
      const print = rowsOrLines({ flags, format }, io.stdout);
      const request = { path: file, flags, print, server: serverOf(flags, io.env) };
      return exit(await traverseMany(request, io));
    }
    exit(await traverseOne({ command: 'traverse', words: readQuestionWords(words), flags }, io));
  });
};

/** dig's spellings of options. */
const DIG_WORDS: ReadonlyMap<string, string> = new Map([
  ['+short', 'short'],
  ['+trace', 'one'],
]);

const AFTERWORD = {
  exitStatus: resultStatuses('a file that cannot be read or written', 'what is known so far is printed'),
  examples: [
    ['svc traverse --demo', 'list the names that the demo has'],
    ['svc traverse www.mixed.example --demo'],
    ['svc traverse example.com MX'],
    ['svc traverse -x 192.0.2.1 --json'],
    ['svc traverse www.example.com @192.0.2.53', 'say which of the ends a resolver has'],
    ['svc traverse www.mixed.example --demo --down ns2.mixed.example', 'what if that server dies'],
    ['svc traverse -f names.txt --resume results.jsonl'],
  ],
} as const;

/** Options that a saved result brings with it, and of which there is more to say, or that judge it anew. */
const TOLD_MORE: ReadonlySet<string> = new Set(['check', 'dnssec', 'at', 'trustAnchor']);

/** `asking`: the options that a saved result brings with it. */
function addFileFlags(command: Command, asking: string[]): void {
  command
    .optionsGroup('Files:')
    .addOption(fileOption('--save <file>', 'write the whole result to a file, as JSON'))
    .addOption(
      fileOption('--replay <file>', 'evaluate a saved result again (-: stdin), without a network').conflicts(
        asking.filter((option) => !TOLD_MORE.has(option)),
      ),
    );
}

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
    const { replaySaved } = await import('./traverse-one.ts');
    const { replay } = flags;
    return await replaySaved(replay, flags, io);
  }
  if (flags.demo && !namesQuestion(asked)) return await listShowcases(io);
  const question = questionOf(asked);
  checkResolversShown(flags);
  const { traverseLive } = await import('./traverse-one.ts');
  return await traverseLive(question, server, flags, io);
}

/** Throws a `CommandError` if nothing that is asked for would show what resolvers said. */
function checkResolversShown({ resolvers, format, one, save }: TraverseFlags): void {
  if (resolvers === undefined || save !== undefined) return;
  if (one) throw usageError('@RESOLVER does not go with --one, which does not show what it says');
  if (FORMATS[format].resolvers === 'not-shown')
    throw usageError(`@RESOLVER does not go with ${format}, which does not show what it says`);
}
