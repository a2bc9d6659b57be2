import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { monotonicMs } from './figures.ts';
import type { LeanLab } from './lab/spawn-lab.ts';

const USAGE = new URL('tell-usage.js', import.meta.url);

/** A build that is measured. */
export interface Program {
  readonly label: string;
  /** The path of its `bin/svc.js`. */
  readonly svc: string;
}

/** This build. */
export const NOW: Program = {
  label: 'now',
  svc: fileURLToPath(new URL('../../bin/svc.js', import.meta.url)),
};

/** This build, and the one that `against LABEL SVC` among the arguments names. */
export const PROGRAMS: readonly Program[] = [NOW, ...older(process.argv)];

function older(args: readonly string[]): Program[] {
  const [label, svc] = args.slice(args.indexOf('against') + 1);
  return args.includes('against') && label !== undefined && svc !== undefined ? [{ label, svc }] : [];
}

/** How a run went. */
interface Run {
  readonly status: number | null;
  readonly stderr: string;
  readonly tookMs: number;
  readonly stdout: string;
}

/** Where a run's stdout goes. */
type Stdout = 'ignored' | 'read';

/** Runs Node with these arguments to its end. Throws unless its status is 0 or 1, which is about the DNS. */
export function runNode(args: readonly string[], stdout: Stdout = 'ignored', input?: string): Run {
  const ran = tryNode(args, stdout, input);
  if (ran.status !== 0 && ran.status !== 1) throw new Error(`${args.join(' ')}: ${ran.status} ${ran.stderr}`);
  return ran;
}

/** The same, whatever its status. */
export function tryNode(args: readonly string[], stdout: Stdout = 'ignored', input?: string): Run {
  const begin = performance.now();
  const ran = spawnSync(process.execPath, args, {
    stdio: [input === undefined ? 'ignore' : 'pipe', stdout === 'read' ? 'pipe' : 'ignore', 'pipe'],
    maxBuffer: 1 << 30,
    ...(input !== undefined && { input }),
  });
  const tookMs = performance.now() - begin;
  const read = stdout === 'read' ? ran.stdout.toString() : '';
  return { status: ran.status, stderr: ran.stderr.toString(), tookMs, stdout: read };
}

/**
 * Runs Node with these arguments on a terminal, which nobody sees, and resolves with the time of its last output, by
 * `monotonicMs`. Rejects unless its status is 0 or 1.
 */
export async function runOnTerminal(args: readonly string[]): Promise<number> {
  const command = [process.execPath, ...args].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qec', command, '/dev/null'], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  let lastMs = 0;
  child.stdout.on('data', (chunk) => {
    lastMs = monotonicMs();
    output += chunk;
  });
  const [status] = await once(child, 'close');
  if (status !== 0 && status !== 1) throw new Error(`${command}: ${status} ${output}`);
  return lastMs;
}

/** What a run took of the machine. */
export interface Usage {
  readonly tookMs: number;
  /** User and system time of all its threads. */
  readonly cpuMs: number;
  /** The most memory that it had, in octets. */
  readonly peak: number;
}

/** Runs a program to its end and asks it for what it took. */
export function runForUsage({ svc }: Program, args: readonly string[], input?: string): Usage {
  const begin = performance.now();
  const ran = spawnSync(process.execPath, ['--import', USAGE.href, svc, ...args], {
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
    ...(input !== undefined && { input }),
  });
  const tookMs = performance.now() - begin;
  if (ran.status !== 0 && ran.status !== 1) throw new Error(`${args.join(' ')}: ${ran.status} ${ran.stderr}`);
  return { tookMs, ...JSON.parse(String(ran.output[3])) };
}

const HURRY = {
  '-4': [],
  '--rate': ['0'],
  '--rate-prefix': ['0'],
  '--allow-special-targets': [],
} as const satisfies Record<string, readonly string[]>;

/** The flags that have a program ask a lab without pacing; earlier builds lack some. */
export function labFlags(program: Program, { hintsFile, port }: LeanLab): readonly string[] {
  const known = Object.entries(HURRY).filter(([flag]) => knows(program, flag));
  return ['--root-hints', hintsFile, '--port', `${port}`, ...known.flat(2)];
}

/** Whether a program has this flag. Since 0.3 those that several commands share have a help text of their own. */
export function knows({ svc }: Program, flag: string): boolean {
  const helps = [
    ['traverse', '--help'],
    ['help', 'options'],
  ];
  return helps.some((words) => tryNode([svc, ...words], 'read').stdout.includes(flag));
}
