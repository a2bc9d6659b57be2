import { Readable, Writable } from 'node:stream';
import { main } from '../../src/cli/main.ts';
import type { TraversalResult } from '../../src/document/result.ts';
import type { Ran } from './svc.ts';

/** Tests look for sentences, so no line of a text is broken. */
export const UNBROKEN = { COLUMNS: '1000' } as const;

/** The surroundings of a run in this process. */
export interface Inside {
  readonly env?: Readonly<Record<string, string>>;
  /** What it can read from stdin. */
  readonly stdin?: string;
  /** Which streams are terminals, and how wide. */
  readonly terminals?: readonly ('stdout' | 'stderr')[];
  readonly columns?: number;
  /** No families: a host without a network. */
  readonly families?: readonly (4 | 6)[] | (() => Promise<readonly (4 | 6)[]>);
  readonly addressesOf?: (name: string) => Promise<readonly string[]>;
  /** Sees all that has been written to stderr each time it grows; may interrupt. */
  readonly onStderr?: (written: string, interrupt: () => void) => void;
}

/** Runs the program in this process, in surroundings that are made up. */
export async function inside(args: readonly string[], around: Inside = {}): Promise<Ran> {
  const { stdin, terminals = [], columns = 100, families = [4], onStderr = () => {} } = around;
  const { addressesOf = async () => [] } = around;
  const env = { ...UNBROKEN, ...around.env };
  const written = { stdout: '', stderr: '' };
  let interrupt = () => {};
  const stream = (which: 'stdout' | 'stderr') => {
    const sink = new Writable({
      write: (chunk, _, done) => {
        written[which] += chunk;
        if (which === 'stderr') onStderr(written.stderr, () => interrupt());
        done();
      },
    });
    return Object.assign(sink, terminals.includes(which) ? { isTTY: true, columns } : {});
  };
  const status = await main(args, {
    stdin: Readable.from(stdin === undefined ? [] : [Buffer.from(stdin)]),
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    env,
    onSignal: (run) => {
      interrupt = () => run('SIGINT');
      return () => {
        interrupt = () => {};
      };
    },
    onReload: () => {},
    families: typeof families === 'function' ? families : async () => families,
    addressesOf,
  });
  return { status, ...written };
}

/** A line of a run over many names. */
export interface Line extends TraversalResult {
  readonly line: number;
  readonly exitStatus: number;
}

/** Runs `svc traverse --demo --quick` in this process: lists are the same whatever is examined of each name. */
export const many = (...words: readonly string[]) => inside(['traverse', '--demo', '--quick', ...words]);

/** What is said at the end of a run. */
export const SUMMED_UP = /^svc: \d+ names?: [^\n]+; [\d,]+ exchanges in [^\n]+ names a second\n$/;

/** The line for a name without its final dot. */
export function lineFor(name: string, lines: readonly Line[]): Line {
  const line = lines.find(({ query }) => query.name === `${name}.`);
  if (line === undefined) throw new Error(`no line for ${name}`);
  return line;
}

/** Lines of JSON; what follows the last line end is left out. */
export function linesOf(text: string): readonly Line[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}
