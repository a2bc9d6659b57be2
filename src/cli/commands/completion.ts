import { Argument, type Command } from 'commander';
import { bashCompletion } from '../completion/bash.ts';
import { fishCompletion } from '../completion/fish.ts';
import { type Completions, completionsOf } from '../completion/model.ts';
import { zshCompletion } from '../completion/zsh.ts';
import type { Configure } from '../process/configure.ts';
import { EXIT } from '../process/exit-status.ts';

/** `svc completion SHELL`. */
export const configureCompletion: Configure = (command, { io, exit, wholeProgram }) => {
  command
    .addArgument(new Argument('<shell>', 'the shell to complete in').choices(['bash', 'zsh', 'fish']))
    .addHelpText('after', EXAMPLES)
    .action(async (shell: keyof typeof SHELLS) => {
      io.stdout.write(SHELLS[shell](await completions(await wholeProgram())));
      exit(EXIT.agreed);
    });
};

const SHELLS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

const EXAMPLES = `
To have it in every shell, add to your ~/.bashrc, ~/.zshrc or ~/.config/fish/config.fish:
  source <(svc completion bash)
  source <(svc completion zsh)
  svc completion fish | source
`;

/** What the whole program takes. */
async function completions(program: Command): Promise<Completions> {
  const { showcases } = await import('../../lab/demo/world.ts');
  return completionsOf(program, [...new Set(showcases.map(({ name }) => name))]);
}
