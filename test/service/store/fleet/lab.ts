import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';
import { readShape } from '../../../../src/base/shape.ts';
import { object } from '../../../../src/base/shape-object.ts';
import { COUNT, TEXT } from '../../../../src/base/shape-values.ts';
import { type Entry, entriesIn } from './history.ts';

const PROGRAM = fileURLToPath(new URL('lab-program.js', import.meta.url));

const READY = object({ port: COUNT, hints: TEXT });

/**
 * Starts name servers for any name in `shop.test`, which reply at once, and in `slow.test`, which take a while; gone when
 * the test ends. Returns the flags with which instances ask them.
 */
export async function startFleetLab(
  t: Pick<Test, 'teardown'>,
  note: (entries: readonly Entry[]) => void,
): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-fleet-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const child = fork(PROGRAM);
  const exit = once(child, 'exit');
  t.teardown(async () => {
    child.kill();
    await exit;
  });
  const [first]: unknown[] = await once(child, 'message');
  const { port, hints } = readShape(READY, first);
  child.on('message', (queries: unknown) => note(entriesIn(queries)));
  const file = join(folder, 'hints');
  writeFileSync(file, hints);
  return ['--root-hints', file, '--port', `${port}`, '-4', '--allow-special-targets'];
}
