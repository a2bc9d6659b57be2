import type { Command } from 'commander';
import { OPTION_NAMES, optionRow } from '../../document/options.ts';
import { usageError } from '../process/errors.ts';
import { SHARED_HEADINGS } from '../process/help.ts';
import type { Io } from '../process/io.ts';
import { readServerUrl } from '../remote/request.ts';
import { longSpelling } from './limit-option.ts';
import { isTableFlag, type TraversalFlags } from './traversal-flags.ts';

/** Adds `--server`. */
export function addServerFlag(command: Command): void {
  command
    .optionsGroup(SHARED_HEADINGS.place)
    .option(
      '--server <url>',
      'run at this traversal service (default: SERVICE_URL if set, else on this host)',
    );
}

/** The option that names a service, as commander gives it. */
export interface ServerFlags {
  readonly server?: string;
}

/** Options that a command may have and that only make sense on this host. */
type LocalFlags = Partial<TraversalFlags> & {
  readonly replay?: string;
  readonly delegate?: readonly string[];
  readonly zone?: readonly string[];
  readonly ds?: readonly string[];
  readonly resolvers?: readonly unknown[];
};

/**
 * The service to call, if any: `--server`, else SERVICE_URL unless an option names a network of its own;
 * empty means none. Throws a `CommandError` for what is no URL, and for options that only this host could
 * follow.
 */
export function serverOf(flags: ServerFlags & LocalFlags, env: Io['env']): URL | undefined {
  const { text, origin } =
    flags.server === undefined
      ? ({ text: env.SERVICE_URL ?? '', origin: 'SERVICE_URL' } as const)
      : ({ text: flags.server, origin: '--server' } as const);
  if (text === '' || (origin === 'SERVICE_URL' && hasOwnNetwork(flags))) return undefined;
  const url = readServerUrl(text);
  if (url === undefined) throw notAUrl(text, origin);
  const local = LOCAL_ONLY.find(({ flag }) => flags[flag] !== undefined);
  if (local === undefined) return url;
  const fix =
    origin === '--server' ? 'leave out one of them' : 'leave it out, or add --server "" to work here';
  throw usageError(`${local.option} does not go with ${origin}, ${local.why}: ${fix}`);
}

function hasOwnNetwork({ demo, replay }: LocalFlags): boolean {
  return demo === true || replay !== undefined;
}

function notAUrl(text: string, origin: string): Error {
  // Not repeated: it may hold a password.
  if (/^https?:/i.test(text) && URL.canParse(text)) {
    return usageError(`${origin}: must be a URL without user, password, query and fragment`);
  }
  return usageError(`${origin} ${text}: must be a URL such as http://localhost:8053`);
}

const OPERATOR_SETS = 'whose operator sets that';

interface LocalOnly {
  readonly option: string;
  readonly flag: keyof LocalFlags;
  readonly why: string;
}

const LOCAL_ONLY: readonly LocalOnly[] = [
  { option: '@RESOLVER', flag: 'resolvers', why: 'because resolvers are asked from this host' },
  { option: '--demo', flag: 'demo', why: 'which has its own network' },
  { option: '--replay', flag: 'replay', why: 'because it needs no network' },
  { option: '--delegate', flag: 'delegate', why: 'which asks only servers that the DNS names' },
  { option: '--zone', flag: 'zone', why: 'which asks servers and reads no files' },
  { option: '--ds', flag: 'ds', why: 'which validates by the records that servers give' },
  { option: '--root-hints', flag: 'rootHints', why: 'whose operator chooses the root servers' },
  { option: '--trust-anchor', flag: 'trustAnchor', why: 'whose operator chooses whom to trust' },
  ...OPTION_NAMES.filter(isTableFlag).flatMap((name) => {
    const { reach, flag, why = OPERATOR_SETS } = optionRow(name);
    const isLocal = reach === 'operator' || reach === 'one-name';
    return isLocal ? [{ option: longSpelling(flag.spelling), flag: name, why }] : [];
  }),
  { option: '--rate-prefix', flag: 'ratePerPrefix', why: OPERATOR_SETS },
];
