import { runThrough } from '../../pausable.ts';
import { replayEvents, replaying } from '../../replay.ts';
import { jsonLine } from '../../shape/safe-json.ts';
import type { DnssecFlags } from '../flags/dnssec-flags.ts';
import { type FormatFlags, formatOf } from '../flags/format-flags.ts';
import type { WhatIfFlags } from '../flags/what-if-flags.ts';
import { usageError } from '../process/command-error.ts';
import type { ExitStatus } from '../process/exit-status.ts';
import { nameOf } from '../process/files.ts';
import type { Io } from '../process/io.ts';
import { evaluatingFor } from '../runner/evaluating.ts';
import { readSaved } from '../runner/saved.ts';
import { statusOf } from './status-of.ts';
import { tellResult } from './tell-result.ts';

/** Evaluates a saved result again and prints what it comes to. */
export async function replaySaved(
  path: string,
  flags: FormatFlags & WhatIfFlags & DnssecFlags & { readonly save?: string },
  io: Io,
): Promise<ExitStatus> {
  const format = formatOf(flags, io);
  const saved = await readSaved(path, io.stdin);
  if (flags.dnssec && !saved.circumstances.options.dnssec)
    throw usageError(
      `--replay does not go with --dnssec: ${nameOf(path)} was saved without it, so no signatures are in it`,
    );
  const evaluate = (await evaluatingFor(flags)) ?? replaying;
  const result = runThrough(evaluate(saved));
  if (format.kind === 'jsonl') {
    for (const event of replayEvents(saved, result)) io.stdout.write(jsonLine(event));
  }
  await tellResult(result, format, flags, io);
  return await statusOf(result, format);
}
