import type { Finding } from '../../document/findings.ts';
import type { TraversalResult, ValidatingRow } from '../../document/result.ts';
import type { View } from '../../document/views.ts';
import { findingPlace } from '../finding-place.ts';
import { firstOfEach } from '../grouped.ts';
import { summaryLine } from '../summary-line.ts';
import { validatedWords } from '../validated/validation-words.ts';
import { listed } from '../words/listed.ts';
import type { GoneAndNew, NamedAddress, ResultChanges } from './result-changes.ts';

/** What changed from one result to another, in one line that may hold what servers sent. */
export function changeLine(changes: ResultChanges, before: TraversalResult, after: TraversalResult): string {
  const parts = [
    ...viewWords(changes, before, after),
    ...listWords('finding', changes.findings, findingWords),
    ...listWords('server', changes.servers, serverWords),
  ];
  return parts.length === 0 ? 'nothing changed' : parts.join('; ');
}

function viewWords(
  { outcomes, resolver, warm, validating }: ResultChanges,
  before: TraversalResult,
  after: TraversalResult,
): readonly string[] {
  const parts = [
    ...viewPart('', outcomes, before, after),
    ...viewPart('resolvers get ', resolver, before.resolver, after.resolver),
    ...(warm === undefined ? [] : viewPart('once warm ', warm.outcomes, before.warm, after.warm)),
    ...(warm === undefined
      ? []
      : viewPart('warm resolvers get ', warm.resolver, before.warm?.resolver, after.warm?.resolver)),
    ...validatingParts(validating, before.validating, after.validating),
  ];
  // Most views change in the same way.
  return firstOfEach(parts, ({ words }) => words).map(({ title, words }) => `${title}${words}`);
}

interface ViewPart {
  readonly title: string;
  readonly words: string;
}

function validatingParts(
  changes: ResultChanges['validating'],
  before: ValidatingRow | undefined,
  after: ValidatingRow | undefined,
): readonly ViewPart[] {
  if (changes === undefined) return [];
  const words = (view: View) => validatedWords(view, 'terse');
  const fewer = 'validating resolvers that do not retry get ';
  return [
    ...viewPart('validating resolvers get ', changes.outcomes, before, after, words),
    ...viewPart(fewer, changes.firstTry, before?.firstTry, after?.firstTry, words),
  ];
}

function viewPart<V extends Pick<View, 'summary'>>(
  title: string,
  changes: ResultChanges['outcomes'],
  before: V | undefined,
  after: V | undefined,
  wordsFor: (view: V) => string = ({ summary }) => summaryLine(summary, 'terse'),
): readonly ViewPart[] {
  if (changes.length === 0 || before === undefined || after === undefined) return [];
  const [was, is] = [wordsFor(before), wordsFor(after)];
  return [{ title, words: was === is ? `${is} as before, by other servers` : `${is}, was ${was}` }];
}

/** As many of a kind as one line has room for. */
const NAMED = 3;

function listWords<T>(noun: string, { gone, new: appeared }: GoneAndNew<T>, words: (item: T) => string) {
  const part = (what: string, items: readonly T[]) => {
    const texts = [...new Set(items.map(words))];
    const title = `${what} ${noun}${texts.length === 1 ? '' : 's'}`;
    return texts.length === 0 ? [] : [`${title} ${listed(texts, NAMED)}`];
  };
  return [...part('new', appeared), ...part('gone', gone)];
}

function findingWords(finding: Finding): string {
  return [finding.code, findingPlace(finding)].filter((part) => part !== '').join(' ');
}

function serverWords({ address, names }: NamedAddress): string {
  return [address, ...names.slice(0, 1)].join(' ');
}
