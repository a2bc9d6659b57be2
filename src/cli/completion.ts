import { Argument } from 'commander';
import { bashCompletion } from './completion-bash.ts';
import { fishCompletion } from './completion-fish.ts';
import { type Completions, completionsOf } from './completion-model.ts';
import { zshCompletion } from './completion-zsh.ts';
import { EXIT } from './exit-status.ts';
import type { Io } from './io.ts';
import { createProgram } from './program.ts';
import { type Configure, SUBCOMMANDS } from './subcommands.ts';

/** `svc completion SHELL`. */
export const configureCompletion: Configure = (command, io, exit) => {
  command
    .addArgument(new Argument('<shell>', 'the shell to complete in').choices(['bash', 'zsh', 'fish']))
    .addHelpText('after', EXAMPLES)
    .action(async (shell: keyof typeof SHELLS) => {
      io.stdout.write(SHELLS[shell](await completions(io)));
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

/** What the whole program takes: for once all of it is loaded. */
async function completions(io: Io): Promise<Completions> {
  const { showcases } = await import('../lab/demo/world.ts');
  const loaded = await Promise.all(SUBCOMMANDS.map(async ({ name, load }) => [name, await load()] as const));
  const program = createProgram(io, new Map(loaded), () => {});
  return completionsOf(program, [...new Set(showcases.map(({ name }) => name))]);
}
