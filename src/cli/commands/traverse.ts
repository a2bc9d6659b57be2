import { Readable } from 'node:stream';
import type { Command } from 'commander';
import { FORMATS } from '../../report/formats.ts';
import { addFormatFlags, checkFull } from '../flags/format-flags.ts';
import { fileOption } from '../flags/limit-option.ts';
import { addManyFlags, type NamesToTraverse, namesToTraverse, printOf } from '../flags/many-flags.ts';
import { isResolverWord, readResolver } from '../flags/names.ts';
import { addQuestionArguments, readQuestionWords } from '../flags/question.ts';
import { addServerFlag, serverOf } from '../flags/server-flag.ts';
import { addExpectFlags, addTraversalFlags } from '../flags/traversal-flags.ts';
import { addWhatIfFlags } from '../flags/what-if-flags.ts';
import { STDIN } from '../process/files.ts';
import { addHelpSections, type Configure } from '../process/help.ts';
import type { Io } from '../process/io.ts';
import type { TraverseFlags } from './traverse-one.ts';

/** `svc traverse NAME [TYPE]`. */
export const configureTraverse: Configure = (command, { io, exit }) => {
  addQuestionArguments(command, 'what to look up; internationalised names are accepted');
  addTraversalFlags(command);
  addExpectFlags(command);
  const asking = command.options.map((option) => option.attributeName());
  addServerFlag(command);
  addFormatFlags(command);
  addWhatIfFlags(command);
  addFileFlags(command, asking);
  addManyFlags(command);
  addHelpSections(command, AFTERWORD);
  command.action(async (_name, _type, options: TraverseFlags) => {
    const words = command.args.filter((word) => !isResolverWord(word));
    const named = command.args.filter(isResolverWord);
    const flags = named.length === 0 ? options : { ...options, resolvers: named.map(readResolver) };
    const format = command.getOptionValueSource('format') === 'default' ? undefined : flags.format;
    const names = namesToTraverse({ flags, words, format });
    if (names !== undefined) {
      const { traverseMany } = await import('../many/traverse-many.ts');
      const print = printOf(names, { flags, format }, io.stdout);
      checkFull(flags, print === 'lines');
      const { path, stdin } = listOf(names, io);
      const request = { path, flags, print, server: serverOf(flags, io.env) };
      return exit(await traverseMany(request, { ...io, stdin }));
    }
    checkFull(flags, FORMATS[flags.format].made.kind === 'document');
    const { traverseOne } = await import('./traverse-one.ts');
    exit(await traverseOne({ command: 'traverse', words: readQuestionWords(words), flags }, io));
  });
};

/** Names on the command line are a list on stdin. */
function listOf(names: NamesToTraverse, { stdin }: Io): { readonly path: string; readonly stdin: Readable } {
  if (names.kind === 'file') return { path: names.path, stdin };
  const lines = names.questions.map(({ name, type }) => `${name} ${type}\n`);
  return { path: STDIN, stdin: Readable.from(lines.map((line) => Buffer.from(line))) };
}

const AFTERWORD = {
  examples: ['svc traverse www.mixed.example --demo', 'svc traverse -f names.txt --resume results.jsonl'],
} as const;

/** Options that a saved result brings with it and that --replay takes too: errors of their own, or another validation. */
const WITH_REPLAY: ReadonlySet<string> = new Set([
  'check',
  'profiles',
  'at',
  'trustAnchor',
  'expect',
  'ignore',
  'config',
]);

/** `asking`: the options that a saved result brings with it. */
function addFileFlags(command: Command, asking: string[]): void {
  command
    .optionsGroup('Files:')
    .addOption(fileOption('--save <file>', 'write the whole result to a file, as JSON'))
    .addOption(
      fileOption('--replay <file>', 'evaluate a saved result again (-: stdin), without a network').conflicts(
        asking.filter((option) => !WITH_REPLAY.has(option)),
      ),
    );
}
