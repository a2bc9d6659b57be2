import { isExpected, type OutcomeRow } from '../document/ends.ts';
import type { FindingCounts } from '../document/finding.ts';
import type { TraversalResult } from '../document/result.ts';
import { type AllViews, viewsOf } from '../document/views.ts';
import { asked } from '../document/words/names.ts';
import { printable } from '../document/words/shortened.ts';
import { compare, type Fraction, readFraction, sum, toNumber, ZERO } from '../evaluate/fraction.ts';
import type { ViewName, ViewRow } from '../evaluate/views.ts';
import { isInconclusive } from './views/conclusion.ts';
import { effectOfKind, effectShare } from './views/effects.ts';
import { findingCounts, hasFinding } from './views/findings.ts';
import { ignoredWords, notCheckedWords } from './views/wording.ts';

/** A result as a check of a monitoring system. `remarks`: why the result does not say more. */
export function nagiosCheck(result: TraversalResult, remarks: readonly string[]): NagiosCheck {
  const word = wordFor(result);
  const said = `${asked(result.query)}: ${result.verdict.text}`;
  if (word === 'UNKNOWN')
    return { status: NAGIOS_STATUS[word], line: nagiosUnknown([said, ...remarks].join('; ')) };
  const [missing, ignored] = [notCheckedWords(result.notChecked), ignoredWords(result)];
  const words = [
    said,
    ...(ignored === '' ? [] : [`ignored: ${ignored}`]),
    ...(missing === '' ? [] : [`not checked: ${missing}`]),
  ].join('; ');
  return { status: NAGIOS_STATUS[word], line: `DNS ${word} - ${nagiosWords(words)} | ${measures(result)}\n` };
}

/** The exit statuses of monitoring plugins: svc-traverse(1), EXIT STATUS. */
const NAGIOS_STATUS = { OK: 0, WARNING: 1, CRITICAL: 2, UNKNOWN: 3 } as const;

type Word = keyof typeof NAGIOS_STATUS;

/** What Nagios, Icinga and their like read of a result. */
export interface NagiosCheck {
  readonly status: (typeof NAGIOS_STATUS)[Word];
  /** One line, with its end: the status, the verdict, and behind a bar what can be drawn. */
  readonly line: string;
}

function wordFor(result: TraversalResult): Word {
  if (isInconclusive(result)) return 'UNKNOWN';
  if (hasFinding(result, 'error') || someoneGetsNoAnswer(result)) return 'CRITICAL';
  return hasFinding(result, 'warning') ? 'WARNING' : 'OK';
}

function measures(result: TraversalResult): string {
  const { users, firstTries, coldLatencyMs, findings } = result;
  const { best, mean, worst } = coldLatencyMs;
  const counts: FindingCounts = findingCounts(findings);
  return [
    ...viewsOf(result).flatMap(({ row, view }) =>
      row.of === 'tries' ? [] : [percent(measureOf(row), effectShare(view.outcomes, 'ends-well'))],
    ),
    ...(['fails', 'unknown'] as const).map((effect) =>
      percent(
        MEASURED[effect],
        sum(
          users
            .filter(({ kind }) => effectOfKind(kind) === effect)
            .map(({ share }) => readFraction(share.fraction)),
        ),
      ),
    ),
    percent('first_tries_failing', sum(firstTries.map(({ fraction }) => readFraction(fraction)))),
    ...Object.entries({ best, mean, worst }).map(
      ([name, ms]) => `latency_${name}=${decimal(ms / 1_000)}s;;;0`,
    ),
    ...Object.entries(counts).map(([severity, count]) => `${severity}=${count};;;0`),
  ].join(' ');
}

/** Tools keep a measure by its name, in files: "answered_bind_warm". */
function measureOf({ name }: ViewRow): string {
  return MEASURES[name] ?? `answered_${name.replaceAll(/[^a-z0-9]/g, '_')}`;
}

/** Names that are older than the table of views. */
const MEASURES: Partial<Readonly<Record<ViewName, string>>> = {
  resolver: 'answered',
  validating: 'validated',
};

/** What users get none of. */
const MEASURED = { fails: 'failing', unknown: 'unknown' } as const;

function percent(name: string, share: Fraction): string {
  return `${name}=${decimal(100 * toNumber(share))}%;;;0;100`;
}

/** Without an exponent, which the guidelines for plugins do not allow. */
function decimal(value: number): string {
  return value.toFixed(6).replace(/\.?0+$/, '');
}

/** The line of a monitoring plugin for what could not be checked. */
export function nagiosUnknown(why: string): string {
  return `DNS UNKNOWN - ${nagiosWords(why)}\n`;
}

/** Words in front of the bar that begins the measures, so a bar in them is escaped as in zone files. */
function nagiosWords(text: string): string {
  return printable(text).replaceAll('|', '\\124');
}

/** Whether some users get no answer, in any view: nothing at all, or a denial where others get an answer. */
export function someoneGetsNoAnswer(result: AllViews): boolean {
  return viewsOf(result).some(({ row, view }) => row.of === 'users' && lacksAnswers(view.outcomes));
}

function lacksAnswers(outcomes: readonly OutcomeRow[]): boolean {
  const fails = compare(effectShare(outcomes, 'fails'), ZERO) > 0;
  const kinds = new Set(outcomes.filter((end) => !isExpected(end)).map(({ kind }) => kind));
  return fails || (kinds.has('answer') && (kinds.has('nxdomain') || kinds.has('nodata')));
}
