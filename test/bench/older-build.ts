import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../sources.ts';
import type { Program } from './program.ts';

/** Builds a commit in a folder of its own, from the packages here if it locks the same ones. */
export function olderBuild(commit: string): Program & { readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const run = (command: string, args: readonly string[], cwd: string) =>
    execFileSync(command, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 1 << 30 });
  const label = run('git', ['rev-parse', '--short', commit], ROOT).toString().trim();
  const archive = join(folder, 'archive.tar');
  run('git', ['archive', '--output', archive, commit], ROOT);
  run('tar', ['-xf', archive], folder);
  if (locked(folder) === locked(ROOT)) {
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  } else {
    run('npm', ['ci', '--prefer-offline', '--ignore-scripts'], folder);
  }
  run('npm', ['run', 'build'], folder);
  const remove = () => rmSync(folder, { recursive: true });
  return { label, svc: join(folder, 'bin/svc.js'), remove };
}

/** What a checkout locks, without the number of the package itself. */
function locked(folder: string): string {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  return JSON.stringify(Object.entries(packages).filter(([path]) => path !== ''));
}
