import type { Configure } from '../process/configure.ts';

/** A subcommand as the program knows it before it is loaded. */
export interface Subcommand {
  readonly name: string;
  /** One line for `svc help`. */
  readonly summary: string;
  readonly load: () => Promise<Configure>;
}

/**
 * Every subcommand; each is loaded only when it is named. To add one, write a file that exports a
 * `Configure` and add a row here:
 *
 * ```ts
 * // src/cli/commands/serve.ts
 * export const configureServe: Configure = (command, { io, exit }) => {
 *   command.option('--region <name>', 'the region to report').action(async (flags: Flags) => {
 *     exit(await serve(flags, io));
 *   });
 * };
 * ```
 */
export const SUBCOMMANDS: readonly Subcommand[] = [
  {
    name: 'traverse',
    summary: 'follow every path from the root to NAME and say where each ends',
    load: async () => (await import('../commands/traverse.ts')).configureTraverse,
  },
  {
    name: 'diff',
    summary: 'say what changed between two results, or since one',
    load: async () => (await import('../commands/diff.ts')).configureDiff,
  },
  {
    name: 'servers',
    summary: 'say what software the name servers on the way to NAME run',
    load: async () => (await import('../commands/servers.ts')).configureServers,
  },
  {
    name: 'watch',
    summary: 'show a traversal while it runs, or what changes',
    load: async () => (await import('../commands/watch.ts')).configureWatch,
  },
  {
    name: 'serve',
    summary: 'offer traversals over HTTP',
    load: async () => (await import('../commands/serve.ts')).configureServe,
  },
  {
    name: 'completion',
    summary: 'print a script that lets a shell complete svc',
    load: async () => (await import('../commands/completion.ts')).configureCompletion,
  },
];
