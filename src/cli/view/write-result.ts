import { type JsonForm, jsonText } from '../../base/json.ts';
import { octetsText, RESULT_OCTETS } from '../../base/octets.ts';
import type { TraversalResult } from '../../document/result.ts';
import { keepOctets, resultOctets } from '../../document/result-octets.ts';
import { briefResult, limitsMet } from '../../document/views.ts';
import { type BlockedReason, queryLimitWords, whyBlocked } from '../../document/words/end-words.ts';
import { percentage } from '../../document/words/quantities.ts';
import { type LimitKind, unexamined } from '../../evaluate/end.ts';
import { add, type Fraction, readFraction, ZERO } from '../../evaluate/fraction.ts';
import { exitStatus } from '../../report/views/conclusion.ts';
import { isUnheard } from '../../report/views/effects.ts';
import { isIntercepted, nothingHeard } from '../../report/views/findings.ts';
import { type Format, neededGraphviz } from '../flags/format-flags.ts';
import { type ExitStatus, notDone } from '../process/errors.ts';
import { writeTextFile } from '../process/files.ts';
import { type Io, writeChunks } from '../process/io.ts';

/** Prints the result, saves it where that is asked for, and says what would have told more. */
export async function printResult(
  result: TraversalResult,
  format: Format,
  { save }: { readonly save?: string },
  io: Io,
): Promise<void> {
  // Events have been written as they happened.
  await writeChunks(io.stdout, await chunksOf(result, format));
  if (save !== undefined) await writeTextFile(save, wholeResultJson(result, format.json.saved));
  if (format.made.kind === 'nothing' || format.made.kind === 'check') return;
  // Then the text has nothing else.
  if (format.made.kind === 'text' && isUnheard(result)) return;
  for (const line of closingWords(result)) io.stderr.write(`svc: ${line}\n`);
}

async function chunksOf(result: TraversalResult, format: Format): Promise<Iterable<string | Uint8Array>> {
  const { made, json, evidence } = format;
  switch (made.kind) {
    case 'text':
      return [await made.render(result, format)];
    case 'document':
      return evidence === 'printed'
        ? wholeResultJson(result, json.printed)
        : [jsonText(briefResult(result), json.printed)];
    case 'picture':
      return [await made.draw(result, await neededGraphviz())];
    case 'check':
      return [(await made.check(result, closingWords(result))).line];
    case 'events':
    case 'nothing':
      return [];
  }
}

/** A result as JSON, in chunks. Throws a `CommandError` if it would be too large. */
export function wholeResultJson(result: TraversalResult, form: JsonForm): readonly Uint8Array[] {
  const written = resultOctets(result, form, keepOctets);
  if (written.kind === 'failed') throw notDone(TOO_LARGE);
  return written.chunks;
}

/** What to say of a result that would be too large. */
const TOO_LARGE = `the result would have more than ${octetsText(RESULT_OCTETS)}, even without the records of its exchanges`;

/** What to tell people beside the result: why it does not say more, and what would help. */
export function closingWords(result: TraversalResult): readonly string[] {
  const {
    ending,
    views: {
      'first-tries': { outcomes },
    },
  } = result;
  if (ending === 'cancelled') return [`interrupted: ${unknownShare(result)} of paths are unknown`];
  if (nothingHeard(result))
    return ['no root server could be reached: is there a network? (--demo needs none)'];
  if (isIntercepted(result))
    return ['DNS is intercepted on the way: the name servers did not answer for themselves'];
  const blocked = new Set(outcomes.flatMap(blockedIn));
  return [
    ...limitsMet(result).map((kind) => limitAdvice(kind, result)),
    ...[...blocked].map((why) => ADVICE[why]),
  ];
}

type Outcome = TraversalResult['views']['resolver']['outcomes'][number];

const ADVICE: Readonly<Record<LimitKind | BlockedReason, string>> = {
  'time-limit': 'time ran out before every reply came: --max-time allows more',
  'query-limit': 'the query limit left questions unasked: --max-queries allows more',
  'work-limit': 'there are too many different steps to evaluate: --max-work allows more',
  'depth-limit': 'some paths are longer than the depth limit: --max-depth allows more',
  denied: 'servers on the deny list were not asked',
  'special-purpose': 'special-purpose addresses were not asked: --allow-special-targets asks them',
};

/** A query limit counts packets or octets in some traversals, all of whose questions left are left for that. */
function limitAdvice(kind: LimitKind, { unasked, ending }: TraversalResult): string {
  if (kind === 'query-limit' && ending === 'whole')
    return 'some questions that this takes were never asked, or their replies not kept: they count as beyond the query limit. Traverse the name again';
  const [first] = unasked.flatMap((row) => (row.kind === 'query-limit' ? [row] : []));
  if (kind !== 'query-limit' || first?.unit === undefined) return ADVICE[kind];
  return `a limit of ${queryLimitWords(first)} left questions unasked`;
}

function blockedIn(end: Outcome): readonly BlockedReason[] {
  const cause = unexamined(end);
  return cause?.kind === 'blocked' ? [whyBlocked(cause)] : [];
}

function unknownShare({
  views: {
    'first-tries': { outcomes },
  },
}: TraversalResult): string {
  const unknown = outcomes.filter((end) => unexamined(end) !== undefined);
  const shares = unknown.map(({ fraction }): Fraction => readFraction(fraction));
  return percentage(shares.reduce(add, ZERO));
}

/** The exit status for a result that is printed like this. */
export async function statusOf(result: TraversalResult, { made, failOn }: Format): Promise<ExitStatus> {
  return made.kind === 'check' ? (await made.check(result, [])).status : exitStatus(result, failOn);
}
