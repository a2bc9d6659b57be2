import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ReportedTraversal } from './reported.ts';
import type { Lookup } from './resolvers/cold.ts';

const svc = fileURLToPath(new URL('../../bin/svc.js', import.meta.url));

/** A traversal as the command gives it: its JSON result and its exit status. */
export interface Traversed {
  readonly status: number | null;
  readonly result: ReportedTraversal;
}

/**
 * Runs the built `svc traverse` against the hierarchy. IPv4 only, because the hierarchy is; short
 * time-outs, because every server is on this machine. `flags` are given besides.
 */
export async function traverse(
  { name, type }: Lookup,
  rootHints: string,
  flags: readonly string[],
): Promise<Traversed> {
  const place = ['--root-hints', rootHints, '--allow-special-targets', '-4', '--rate', '0'];
  const patience = ['--timeout', '500ms', '--retries', '1'];
  const args = [svc, 'traverse', name, type, '--format', 'json', ...place, ...patience, ...flags];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (data: Buffer) => stdout.push(data));
  child.stderr.on('data', (data: Buffer) => stderr.push(data));
  await once(child, 'close');
  try {
    return { status: child.exitCode, result: JSON.parse(Buffer.concat(stdout).toString()) };
  } catch (cause) {
    throw new Error(`svc traverse ${name} ${type}: ${Buffer.concat(stderr)}`, { cause });
  }
}
