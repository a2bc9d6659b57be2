import { jsonLine } from '../../base/json.ts';
import { runThrough } from '../../base/pausable.ts';
import type { Saved } from '../../document/read-result.ts';
import { count } from '../../document/words/quantities.ts';
import { revalidated } from '../../traversal/node-replay.ts';
import { replayEvents, replaying } from '../../traversal/replay.ts';
import type { DnssecFlags } from '../flags/dnssec-flags.ts';
import { type FormatFlags, formatOf } from '../flags/format-flags.ts';
import type { WhatIfFlags } from '../flags/what-if-flags.ts';
import { type ExitStatus, usageError } from '../process/errors.ts';
import { nameOf } from '../process/files.ts';
import type { Io } from '../process/io.ts';
import { evaluatingFor } from '../runner/evaluating.ts';
import { readSaved, readTrustAnchors } from '../runner/input-files.ts';
import { printResult, statusOf } from '../view/write-result.ts';

/** Evaluates a saved result again and prints what it comes to. */
export async function replaySaved(
  path: string,
  flags: FormatFlags & WhatIfFlags & DnssecFlags & { readonly save?: string },
  io: Io,
): Promise<ExitStatus> {
  const format = formatOf(flags, io);
  const saved = await judgedBy(flags, await readSaved(path, io.stdin), { path, io });
  const evaluate = (await evaluatingFor(flags)) ?? replaying;
  const result = runThrough(evaluate(saved));
  if (format.made.kind === 'events') {
    for (const event of replayEvents(saved, result)) io.stdout.write(jsonLine(event));
  }
  await printResult(result, format, flags, io);
  return await statusOf(result, format);
}

/** The replies of a saved result, judged as of the moment and from the trust anchors that flags give. */
async function judgedBy(
  { dnssec, at, trustAnchor }: DnssecFlags,
  saved: Saved,
  { path, io }: { readonly path: string; readonly io: Io },
): Promise<Saved> {
  const flag = at !== undefined ? '--at' : trustAnchor !== undefined ? '--trust-anchor' : '--dnssec';
  const isJudged = at !== undefined || trustAnchor !== undefined;
  if ((isJudged || dnssec) && !saved.circumstances.options.dnssec)
    throw usageError(
      `--replay does not go with ${flag}: ${nameOf(path)} was saved without --dnssec, so no signatures are in it`,
    );
  if (!isJudged) return saved;
  const trustAnchors = trustAnchor === undefined ? {} : { trustAnchors: await readTrustAnchors(trustAnchor) };
  const anew = runThrough(revalidated(saved, { ...(at !== undefined && { at }), ...trustAnchors }));
  if (anew.lacking > 0) io.stderr.write(`svc: ${lackingWords(nameOf(path), anew.lacking)}\n`);
  return anew.saved;
}

function lackingWords(name: string, lacking: number): string {
  const questions = count(lacking, 'question that was not asked', 'questions that were not asked');
  return `judged so, ${name} lacks ${questions}: what depends on them is unknown. To know, look the name up again with --dnssec and these options`;
}
