import type { Readable } from 'node:stream';
import type { Family } from '../../dns/address.ts';
import type { Marks } from '../../report/text/table.ts';

/** Everything outside the program that a command touches, apart from files and the DNS. */
export interface Io {
  /** Names to look up, or a saved result, where the command line says "-". */
  readonly stdin: Readable;
  /** Results, and nothing else. */
  readonly stdout: OutputStream;
  /** Progress and messages. */
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * Calls back once, at the first signal; a second signal has its default effect. The function it
   * returns stops listening.
   */
  readonly onSignal: (run: (signal: Signal) => void) => () => void;
  /** Calls back at each SIGHUP from now on, which otherwise ends the process. */
  readonly onReload: (run: () => void) => void;
  /** The address families that this host has a route for. */
  readonly families: () => Promise<readonly Family[]>;
  /** The addresses that this host's own resolver has for a name without its final dot, which hosts files lack. Rejects with the system's error. */
  readonly addressesOf: (name: string) => Promise<readonly string[]>;
}

/** Where a command writes to: a stream that may be a terminal. */
export type OutputStream = NodeJS.WritableStream & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  readonly writableNeedDrain?: boolean;
};

/** What interrupts a command. */
export type Signal = 'SIGINT' | 'SIGTERM';

/** The process's own. */
export const processIo: Io = {
  get stdin() {
    return process.stdin;
  },
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  onSignal: (run) => {
    const stop = () => {
      process.off('SIGINT', heard).off('SIGTERM', heard);
    };
    const heard = (signal: NodeJS.Signals) => {
      // Without a listener, the next signal has its default effect.
      stop();
      run(signal === 'SIGTERM' ? 'SIGTERM' : 'SIGINT');
    };
    process.on('SIGINT', heard).on('SIGTERM', heard);
    return stop;
  },
  onReload: (run) => {
    process.on('SIGHUP', run);
  },
  families: async () => {
    const { hostFamilies } = await import('../../exchange/udp.ts');
    return await hostFamilies();
  },
  addressesOf: async (name) => {
    const [{ ADDRCONFIG }, { lookup }] = await Promise.all([import('node:dns'), import('node:dns/promises')]);
    // Only such as this host has a network for.
    return (await lookup(name, { all: true, hints: ADDRCONFIG })).map(({ address }) => address);
  },
};

/** Width of a terminal that does not say how wide it is. */
const USUAL_COLUMNS = 80;

/** How many columns a terminal has. (Some say 0 for what they do not know.) */
export function columnsOf({ columns }: OutputStream): number {
  return columns || USUAL_COLUMNS;
}

/** Lines in pipes and files are for people, too. */
const PIPE_COLUMNS = 100;

/** The longest line of a text: a terminal's width, else what COLUMNS says; 100 columns without it. */
export function lineWidth({ stdout, env }: Pick<Io, 'stdout' | 'env'>): number {
  return stdout.columns || Number.parseInt(env.COLUMNS ?? '', 10) || PIPE_COLUMNS;
}

/** Whether lines that were written to a stream can be painted over. */
export function canRepaint({ isTTY }: OutputStream, env: Io['env']): boolean {
  return isTTY === true && env.TERM !== 'dumb';
}

/** Writes text to a stream, no faster than it takes it. */
export async function writeChunks(
  stream: OutputStream,
  chunks: Iterable<string | Uint8Array>,
): Promise<void> {
  for (const chunk of chunks) {
    // A broken stream calls back too; its errors are heard elsewhere.
    await new Promise<void>((resolve) => {
      stream.write(chunk, () => resolve());
    });
  }
}

/** Resolves once a stream takes more, or no longer can; undefined if it takes more now. */
export function roomIn(stream: OutputStream): Promise<void> | undefined {
  if (stream.writableNeedDrain !== true) return undefined;
  return new Promise((resolve) => {
    const done = () => {
      for (const event of ROOM_EVENTS) stream.off(event, done);
      resolve();
    };
    for (const event of ROOM_EVENTS) stream.on(event, done);
  });
}

const ROOM_EVENTS = ['drain', 'error', 'close'] as const;

/** Calls back once when a stream can no longer be written to: its reader has gone. The function it returns stops listening. */
export function whenUnread(stream: OutputStream, run: () => void): () => void {
  stream.once('error', run);
  return () => {
    stream.off('error', run);
  };
}

/** In which letters to write marks: those of the locale (POSIX.1-2024, XBD 8.2). Without a locale nobody forbids UTF-8. */
export function marksFor({ LC_ALL, LC_CTYPE, LANG }: Io['env']): Marks {
  const locale = LC_ALL || LC_CTYPE || LANG || 'UTF-8';
  return /utf-?8/i.test(locale) ? 'unicode' : 'ascii';
}

/** How text for people looks on this output. */
export function textLook(
  flags: ColourFlag & { readonly verbose?: boolean },
  { stdout, env }: Pick<Io, 'stdout' | 'env'>,
) {
  return {
    colour: colourFor(flags, stdout, env),
    marks: marksFor(env),
    detail: flags.verbose ? 'full' : 'terse',
    width: lineWidth({ stdout, env }),
  } as const;
}

/** What `--no-color` says: with it, `color` is false. */
export interface ColourFlag {
  readonly color: boolean;
}

/**
 * Whether to write colours to a stream: `--no-color` decides first, then FORCE_COLOR, then NO_COLOR
 * (https://no-color.org), then whether it is a terminal that knows colours.
 */
export function colourFor({ color }: ColourFlag, stream: OutputStream, env: Io['env']): 'on' | 'off' {
  if (!color) return 'off';
  const forced = env.FORCE_COLOR;
  if (forced !== undefined) return forced !== '0' && forced !== 'false' ? 'on' : 'off';
  if (env.NO_COLOR) return 'off';
  return stream.isTTY === true && env.TERM !== 'dumb' ? 'on' : 'off';
}
