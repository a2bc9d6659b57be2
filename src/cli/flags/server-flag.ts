import type { Command } from 'commander';
import { readServerUrl } from '../../client/server-url.ts';
import { usageError } from '../process/exit-status.ts';
import type { Io } from '../process/io.ts';

/** The option that says where to do it, as commander gives it. */
export interface ServerFlags {
  readonly server?: string;
}

/** Options that a command may have and that only make sense where it does the asking itself. */
export interface LocalFlags {
  readonly rootHints?: string;
  readonly port?: number;
  readonly rate?: number;
  readonly allowSpecialTargets?: true;
  readonly demo?: true;
  readonly replay?: string;
}

/** Adds `--server`. */
export function addServerFlag(command: Command): void {
  command
    .optionsGroup('Where it is done:')
    .option(
      '--server <url>',
      'have a running service do it (default: SERVICE_URL if that is set, else here)',
    );
}

/**
 * The service to call, if one is to be called: `--server`, else SERVICE_URL; empty means none, and what
 * only makes sense here goes before the environment. Throws a
 * `CommandError` for what is no URL, and for options that only this machine could follow.
 */
export function serverOf(flags: ServerFlags & LocalFlags, env: Io['env']): URL | undefined {
  const { text, said } =
    flags.server === undefined
      ? ({ text: env.SERVICE_URL ?? '', said: 'SERVICE_URL' } as const)
      : ({ text: flags.server, said: '--server' } as const);
  if (text === '' || (said === 'SERVICE_URL' && isForHere(flags))) return undefined;
  const url = readServerUrl(text);
  if (url === undefined) throw noServer(text, said);
  const local = LOCAL_ONLY.find(({ given }) => given(flags));
  if (local === undefined) return url;
  const fix = said === '--server' ? 'leave one of them out' : 'leave it out, or add --server "" to work here';
  throw usageError(`${local.option} does not go with ${said}, ${local.why}: ${fix}`);
}

/** Options that say themselves where it is done. */
function isForHere({ demo, replay }: LocalFlags): boolean {
  return demo === true || replay !== undefined;
}

function noServer(text: string, said: string): Error {
  // Not repeated: there may be a password in it.
  if (/^https?:/i.test(text) && URL.canParse(text)) {
    return usageError(`${said}: must be a URL without user, password, query and fragment`);
  }
  return usageError(`${said} ${text}: must be a URL such as http://localhost:8053`);
}

interface LocalOnly {
  readonly option: string;
  readonly given: (flags: LocalFlags) => boolean;
  readonly why: string;
}

const LOCAL_ONLY: readonly LocalOnly[] = [
  { option: '--demo', given: ({ demo }) => demo === true, why: 'which has its own network' },
  { option: '--replay', given: ({ replay }) => replay !== undefined, why: 'for it needs no network' },
  {
    option: '--root-hints',
    given: ({ rootHints }) => rootHints !== undefined,
    why: 'which starts where its operator says',
  },
  { option: '--port', given: ({ port }) => port !== undefined, why: 'whose operator decides that' },
  { option: '--rate', given: ({ rate }) => rate !== undefined, why: 'whose operator decides that' },
  {
    option: '--allow-special-targets',
    given: ({ allowSpecialTargets }) => allowSpecialTargets === true,
    why: 'whose operator decides that',
  },
];
