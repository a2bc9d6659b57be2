import { jsonLine } from '../../base/json.ts';
import type { Question } from '../../dns/message.ts';
import { labelCount } from '../../dns/name.ts';
import { definedMembers } from '../../document/options.ts';
import type { Saved } from '../../document/read-result.ts';
import type { TraversalResult } from '../../document/result.ts';
import { plain } from '../../document/words/names.ts';
import { count } from '../../document/words/quantities.ts';
import { FORMATS } from '../../report/formats.ts';
import { judgedBy } from '../../traversal/configuration.ts';
import { revalidated } from '../../traversal/node-replay.ts';
import { replayEvents, replaying } from '../../traversal/replay.ts';
import type { DnssecFlags } from '../flags/dnssec-flags.ts';
import { checkItems } from '../flags/expect-flags.ts';
import { type Format, type FormatFlags, formatOf } from '../flags/format-flags.ts';
import type { ManyFlags } from '../flags/many-flags.ts';
import type { ResolverFlags } from '../flags/names.ts';
import { type Asked, namesQuestion, type QuestionFlags, questionOf } from '../flags/question.ts';
import { type ServerFlags, serverOf } from '../flags/server-flag.ts';
import type { TraversalFlags } from '../flags/traversal-flags.ts';
import { evaluatingFor, type WhatIfFlags } from '../flags/what-if-flags.ts';
import { EXIT, type ExitStatus, usageError } from '../process/errors.ts';
import { checkWritable, nameOf } from '../process/files.ts';
import type { Io } from '../process/io.ts';
import { readSaved, readTrustAnchors, withConfiguration } from '../runner/input-files.ts';
import { openRunner } from '../runner/open-runner.ts';
import { jsonWriter } from '../view/event-output.ts';
import { printResult, statusOf } from '../view/write-result.ts';
import { listShowcases, traverseShown } from './run-target.ts';

/** Traverses one name, or evaluates a saved result again, and prints the result. */
export async function traverseOne(asked: AskedOfTraverse, io: Io): Promise<ExitStatus> {
  const { flags } = asked;
  const server = serverOf(flags, io.env);
  if (flags.save !== undefined) await checkWritable(flags.save);
  if (flags.replay !== undefined) {
    checkReplay(asked);
    return await replaySaved(flags.replay, flags, io);
  }
  checkResolversShown(flags);
  if (flags.demo && !namesQuestion(asked)) return await listShowcases(io);
  const question = questionOf(asked);
  return await traverseLive(question, server, flags, io);
}

/** The options of `svc traverse`, as commander gives them. */
export interface TraverseFlags
  extends TraversalFlags,
    FormatFlags,
    ServerFlags,
    ManyFlags,
    QuestionFlags,
    ResolverFlags,
    WhatIfFlags {
  readonly save?: string;
  readonly replay?: string;
}

/** A command line that asks for the traversal of one name. */
interface AskedOfTraverse extends Asked {
  readonly flags: TraverseFlags;
}

/** Throws a `CommandError` for options that a saved result cannot follow, beside those that commander refuses. */
function checkReplay(asked: AskedOfTraverse): void {
  const { resolvers, delegate, zone, ds } = asked.flags;
  if (namesQuestion(asked))
    throw usageError('--replay FILE names the question itself: leave out NAME and TYPE');
  if (resolvers !== undefined)
    throw usageError('--replay does not go with @RESOLVER, which is asked now: leave out one of them');
  const planned = delegate ? '--delegate' : zone ? '--zone' : ds && '--ds';
  if (planned)
    throw usageError(
      `--replay does not go with ${planned}: a planned change needs other servers to be asked than those recorded`,
    );
}

/** Throws a `CommandError` where there are no resolvers, or nothing that is asked for would show what they said. */
function checkResolversShown({ resolvers, demo, format, chain, save }: TraverseFlags): void {
  if (resolvers === undefined) return;
  if (demo)
    throw usageError(
      '@RESOLVER does not go with --demo, whose network has no resolvers: leave out one of them',
    );
  if (save !== undefined) return;
  if (chain) throw usageError('@RESOLVER does not go with --chain, which does not show what it says');
  if (FORMATS[format].resolvers === 'not-shown')
    throw usageError(`@RESOLVER does not go with ${format}, which does not show what it says`);
}

/** Traverses one name, here or at a server, showing how far it is, and prints the result. */
async function traverseLive(
  question: Question,
  server: URL | undefined,
  flags: TraversalFlags & ResolverFlags & FormatFlags & WhatIfFlags & { readonly save?: string },
  io: Io,
): Promise<ExitStatus> {
  const format = formatOf(flags, io);
  const evaluate = await evaluatingFor(flags);
  const { result, isInterrupted } = await traverseShown(
    question,
    () => openRunner(server, flags, io, evaluate),
    server,
    {
      flags,
      io,
      ...(format.made.kind === 'events' && { events: jsonWriter(io.stdout) }),
      view: isShownLive(format, io) ? 'live' : 'none',
    },
  );
  await printResult(result, format, flags, io);
  if (flags.demo && isUnknownToDemo(result) && !flags.quiet)
    io.stderr.write(
      `svc: the demo does not have ${plain(result.query.name)}: svc traverse --demo lists its names\n`,
    );
  return isInterrupted && format.made.kind !== 'check' ? EXIT.interrupted : await statusOf(result, format);
}

/** Whether the root or a top-level domain of the demo denies the name. Names that zones below deny are on show. */
function isUnknownToDemo({
  views: {
    'first-tries': { outcomes },
  },
}: TraversalResult): boolean {
  return outcomes.every(({ kind, zone }) => kind === 'nxdomain' && labelCount(zone) <= 1);
}

/** Events on a terminal are a live view of their own. */
function isShownLive({ made }: Format, { stdout }: Io): boolean {
  return made.kind !== 'nothing' && !(made.kind === 'events' && stdout.isTTY === true);
}

/** Evaluates a saved result again and prints what it comes to. */
async function replaySaved(path: string, flags: TraverseFlags, io: Io): Promise<ExitStatus> {
  const format = formatOf(flags, io);
  const recorded = await readSaved(path, io.stdin);
  checkRecorded(flags, recorded, path);
  checkItems(flags.expect ?? [], recorded.recording.scope.question.type);
  const validated = await revalidatedBy(flags, recorded, { path, io });
  const saved = judgedBy(validated, definedMembers(flags, ['expect', 'ignore']));
  const evaluate = await withConfiguration((await evaluatingFor(flags)) ?? replaying, flags, io);
  const result = evaluate(saved);
  if (format.made.kind === 'events') {
    for (const event of replayEvents(saved, result)) io.stdout.write(jsonLine(event));
  }
  await printResult(result, format, flags, io);
  return await statusOf(result, format);
}

/** Throws a `CommandError` if a view is asked for that the record lacks. */
function checkRecorded(
  { check, chain, at, trustAnchor }: TraverseFlags,
  { recording: { scope } }: Saved,
  path: string,
): void {
  const asked: Readonly<Record<string, boolean>> = {
    '--check': (check ?? false) && scope.check === 'off',
    '--at': at !== undefined && scope.dnssec === undefined,
    '--trust-anchor': trustAnchor !== undefined && scope.dnssec === undefined,
    '--chain': (chain ?? false) && scope.dnssec === undefined,
  };
  const lacking = Object.keys(asked).find((flag) => asked[flag]);
  if (lacking === undefined) return;
  throw usageError(
    `--replay does not go with ${lacking}: ${nameOf(path)} lacks the view that this option needs, so save the result again with that view`,
  );
}

/** The replies of a saved result, judged as of the moment and from the trust anchors that flags give. */
async function revalidatedBy(
  { at, trustAnchor }: DnssecFlags,
  saved: Saved,
  { path, io }: { readonly path: string; readonly io: Io },
): Promise<Saved> {
  if (at === undefined && trustAnchor === undefined) return saved;
  const valid = at ?? saved.circumstances.startedAt;
  const trustAnchors =
    trustAnchor === undefined ? {} : { trustAnchors: await readTrustAnchors(trustAnchor, valid) };
  const anew = revalidated(saved, { ...(at !== undefined && { at }), ...trustAnchors });
  if (anew.lacking > 0) io.stderr.write(`svc: ${lackingWords(nameOf(path), anew.lacking)}\n`);
  return anew.saved;
}

function lackingWords(name: string, lacking: number): string {
  const questions = count(lacking, 'question that was not asked', 'questions that were not asked');
  return `for this validation, ${name} lacks ${questions}: paths that need them are unknown. Traverse the name again with these options`;
}
