/**
 * The names of a hundred zones on the servers of twenty hosters, all views, with `--share`: packets over distinct
 * questions, names an hour at the default pace with each server 30 ms away, and whether memory grows with the list. The
 * arguments may have the numbers of names.
 */
import { tell } from './figure.ts';
import { shown, size } from './figures.ts';
import { type LeanLab, spawnLab } from './lab/spawn-lab.ts';
import { PROGRAMS, type Program, runForUsage, runNode } from './program.ts';
import { portfolioNames } from './worlds/plain.ts';

const [FEW = 1_000, MANY = 4_000] = process.argv.filter((arg) => /^\d+$/.test(arg)).map(Number);
const HOUR_MS = 3_600_000;

const near = await spawnLab('portfolio', 0);
const far = await spawnLab('portfolio', 30);
try {
  for (const program of PROGRAMS) {
    packets(program, near);
    rate(program, far);
  }
} finally {
  near.close();
  far.close();
}

/** A line of the output, as far as it matters here. */
interface Line {
  readonly exchanges: readonly {
    readonly server: { readonly address: string };
    readonly question: { readonly name: string; readonly type: string };
    readonly shared?: true;
  }[];
  /** Of earlier versions: `stats`. */
  readonly figures?: { readonly packetsSent: number };
  readonly stats?: { readonly packetsSent: number };
}

function packets(program: Program, lab: LeanLab): void {
  const args = [...argsFor(lab), '--rate', '0', '--rate-prefix', '0'];
  const { stdout } = runNode([program.svc, ...args], 'read', listOf(FEW));
  const lines: readonly Line[] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const distinct = new Set<string>();
  let sent = 0;
  for (const { exchanges, stats, figures = stats } of lines) {
    sent += figures?.packetsSent ?? 0;
    for (const { server, question, shared } of exchanges)
      if (shared === undefined) distinct.add(`${server.address} ${question.name} ${question.type}`);
  }
  tell('portfolio-packets', program, sent / distinct.size, `${sent} packets for ${lines.length} names`);
}

function rate(program: Program, lab: LeanLab): void {
  const [few, many] = [FEW, MANY].map((names) => {
    return { names, usage: runForUsage(program, argsFor(lab), listOf(names)) };
  });
  if (few === undefined || many === undefined) throw new Error('two lists are compared');
  // The first names ask what all others share.
  const eachMs = (many.usage.tookMs - few.usage.tookMs) / (many.names - few.names);
  const took = `${many.names} names in ${shown(many.usage.tookMs)}, ${shown(many.usage.cpuMs)} of the processor`;
  tell('portfolio-rate', program, HOUR_MS / eachMs, took);
  const grown = many.usage.peak / few.usage.peak;
  tell(
    'portfolio-memory',
    program,
    grown,
    `${size(many.usage.peak)}, ${size(few.usage.peak)} for ${few.names} names`,
  );
}

function argsFor({ hintsFile, port }: LeanLab): readonly string[] {
  const place = ['--root-hints', hintsFile, '--port', `${port}`, '-4', '--allow-special-targets'];
  return ['traverse', '-f', '-', '--share', '--jobs', '64', '--format', 'json', ...place];
}

function listOf(names: number): string {
  return portfolioNames(names).join('\n');
}
