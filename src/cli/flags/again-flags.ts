import type { Command } from 'commander';
import { usageError } from '../process/command-error.ts';
import { fileOption } from './file-option.ts';
import { type LimitFlags, limitOption } from './limit-option.ts';

/** The command line's options for watching a name for changes, as commander gives them. */
export interface AgainFlags extends Pick<LimitFlags, 'everyMs'> {
  readonly onChange?: string;
  readonly keep?: string;
}

/** Adds the options for watching a name for changes. */
export function addAgainFlags(command: Command): void {
  command
    .optionsGroup('Again and again:')
    .addOption(limitOption('everyMs', 'once only'))
    .option(
      '--on-change <command>',
      'have the shell run a command at each change, with the change as JSON on its stdin',
    )
    .addOption(fileOption('--keep <folder>', 'save the first result, and each that differs, in a folder'))
    .hook('preAction', () => {
      const { everyMs, onChange, keep }: AgainFlags = command.opts();
      if (onChange === '') throw usageError('--on-change "": the command is missing');
      if (everyMs !== undefined) return;
      if (onChange !== undefined)
        throw usageError('--on-change needs --every: nothing changes in one traversal');
      if (keep !== undefined) throw usageError('--keep needs --every: svc traverse --save keeps one result');
    });
}
