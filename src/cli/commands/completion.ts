import { Argument, type Command } from 'commander';
import { bashCompletion } from '../completion/bash.ts';
import { fishCompletion } from '../completion/fish.ts';
import { type Completions, completionsOf } from '../completion/model.ts';
import { zshCompletion } from '../completion/zsh.ts';
import type { Configure } from '../process/configure.ts';
import { EXIT } from '../process/exit-status.ts';
import { addAfterword } from '../process/help.ts';

/** `svc completion SHELL`. */
export const configureCompletion: Configure = (command, { io, exit, wholeProgram }) => {
  addAfterword(command, AFTERWORD);
  command
    .addArgument(new Argument('<shell>', 'the shell to complete in').choices(['bash', 'zsh', 'fish']))
    .action(async (shell: keyof typeof SHELLS) => {
      io.stdout.write(SHELLS[shell](await completions(await wholeProgram())));
      exit(EXIT.agreed);
    });
};

const SHELLS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

const AFTERWORD = {
  notes: [
    'For completion in every new shell, add the line for yours to ~/.bashrc, ~/.zshrc or ~/.config/fish/config.fish.',
    'In ~/.zshrc it goes below compinit, if that is there; otherwise the script loads it.',
  ],
  examples: [
    ['source <(svc completion bash)'],
    ['source <(svc completion zsh)'],
    ['svc completion fish | source'],
  ],
} as const;

/** Everything that the program takes. */
async function completions(program: Command): Promise<Completions> {
  const { showcases } = await import('../../lab/demo/showcases.ts');
  return completionsOf(program, [...new Set(showcases.map(({ name }) => name))]);
}
