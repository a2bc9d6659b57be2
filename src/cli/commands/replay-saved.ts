import { replay, replayEvents } from '../../replay.ts';
import { jsonLine } from '../../shape/safe-json.ts';
import { type FormatFlags, formatOf } from '../flags/format-flags.ts';
import type { ExitStatus } from '../process/exit-status.ts';
import type { Io } from '../process/io.ts';
import { readSaved } from '../runner/saved.ts';
import { statusOf } from './status-of.ts';
import { tellResult } from './tell-result.ts';

/** Evaluates a saved result again and prints what it comes to. */
export async function replaySaved(
  path: string,
  flags: FormatFlags & { readonly save?: string },
  io: Io,
): Promise<ExitStatus> {
  const format = formatOf(flags, io);
  const saved = await readSaved(path, io.stdin);
  const result = replay(saved);
  if (format.kind === 'jsonl') {
    for (const event of replayEvents(saved, result)) io.stdout.write(jsonLine(event));
  }
  await tellResult(result, format, flags, io);
  return await statusOf(result, format);
}
