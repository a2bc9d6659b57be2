import type { OutcomeRow, SummaryRow } from '../../document/ends.ts';
import type { Finding } from '../../document/findings.ts';
import type { TraversalResult, ValidatingRow } from '../../document/result.ts';
import { equals, type Fraction, readFraction, ZERO } from '../../evaluate/fraction.ts';
import { warmthOf } from '../../reading/cold-and-warm.ts';
import { comparedShares } from '../../reading/compared-shares.ts';
import { weightOf } from '../../reading/comparison.ts';
import { type Culprit, culpritsOf } from '../../reading/culprits.ts';
import { endWords } from '../../reading/end-words.ts';
import { grouped } from '../../reading/grouped.ts';
import { likenessWords, resolverAddress, saidWords } from '../../reading/resolver-words.ts';
import { endTerm } from '../../reading/summary-line.ts';
import { verdictOn } from '../../reading/verdict.ts';
import { whatIfWords } from '../../reading/what-if-words.ts';
import { type Wording, wordingFor } from '../../reading/wording.ts';
import { percent } from '../../reading/words/percent.ts';
import { count, time } from '../../reading/words/quantities.ts';
import type { Shorten } from '../../reading/words/shortened.ts';
import { type Advice, actionSentence } from '../explain/advice.ts';
import { explained, WHO_ENDS } from '../explain/explanations.ts';
import { renderMermaid } from '../graph/mermaid.ts';
import {
  bullets,
  code,
  fenced,
  grid,
  type Inline,
  type Item,
  joined,
  prose,
  section,
  strong,
} from './markdown-text.ts';

/**
 * A result as a report in Markdown, to paste into a ticket: the verdict, who gets what, the servers at
 * fault, what to do, the findings, and the picture as Mermaid. A pure function, safe whatever names the
 * result holds.
 */
export function renderMarkdown(result: TraversalResult): string {
  const { name, type } = result.query;
  const wording = wordingFor(result, 'terse');
  const blocks = [
    `# ${code(`${name} ${type}`)}`,
    strong(prose(verdictIn(result))),
    facts(result),
    ...section(prose('Who gets what'), [shares(result, wording)]),
    ...section(prose('What resolvers say'), [resolvers(result, wording)]),
    ...section(prose('Where it goes wrong'), [culprits(culpritsOf(result), wording)]),
    ...section(prose('What to do'), [advice(result, wording)]),
    ...section(prose('Findings'), [findings(result)]),
    ...section(prose('The paths'), [fenced('mermaid', renderMermaid(result))]),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function verdictIn(result: TraversalResult): string {
  const { words } = verdictOn(result);
  return result.whatIf === undefined ? words : `If ${whatIfWords(result.whatIf)}: ${words}`;
}

function facts({ options, stats, coldLatencyMs, finishedAt }: TraversalResult): Inline {
  const { exchanges, servers } = stats;
  const { best, mean, worst } = coldLatencyMs;
  const asked = `${count(exchanges, 'question')} to ${count(servers, 'address', 'addresses')}`;
  const latency = `a lookup with an empty cache takes ${time(best)} to ${time(worst)}, on average ${time(mean)}`;
  const judged = options.at === undefined ? '' : `, judged as of ${options.at}`;
  return prose(`Seen at ${finishedAt}${judged}, by ${asked}; ${latency}.`);
}

/** One view of a result, as a column. */
interface Column {
  readonly title: string;
  readonly summary: readonly SummaryRow[];
}

function shares(result: TraversalResult, { shorten }: Wording): string {
  const columns = columnsOf(result);
  const terms = [...new Set(columns.flatMap(({ summary }) => summary.map(endTerm)))];
  return grid(
    ['', ...columns.map(({ title }) => title)].map(prose),
    terms.map((term) => [
      code(shorten(term)),
      ...columns.map(({ summary }) => prose(percent(shareOf(term, summary)))),
    ]),
  );
}

function columnsOf(result: TraversalResult): readonly Column[] {
  const { summary, resolver, warm, validating, recorded } = result;
  const now = recorded && [
    { title: 'paths now', summary: recorded.summary },
    { title: 'resolvers now', summary: recorded.resolver.summary },
    ...(recorded.validating === undefined ? [] : validatingColumns(recorded.validating, ' now')),
  ];
  const cold = [
    ...(now ?? []),
    { title: 'paths', summary },
    { title: 'resolvers', summary: resolver.summary },
    ...(validating === undefined ? [] : validatingColumns(validating, '')),
  ];
  if (warm === undefined || warmthOf(result).kind !== 'differs') return cold;
  return [
    ...cold,
    { title: 'paths, warm', summary: warm.summary },
    { title: 'resolvers, warm', summary: warm.resolver.summary },
  ];
}

/** One column where it makes no difference whether a resolver retries. */
function validatingColumns({ summary, firstTry }: ValidatingRow, when: '' | ' now'): readonly Column[] {
  const first = { title: `validating resolvers${when}`, summary };
  const differs = comparedShares([summary, firstTry.summary]).some(
    ({ shares: [one = ZERO, other = ZERO] }) => !equals(one, other),
  );
  return differs ? [first, { title: `those that do not retry${when}`, summary: firstTry.summary }] : [first];
}

function shareOf(term: string, summary: readonly SummaryRow[]): Fraction {
  const row = summary.find((one) => endTerm(one) === term);
  return row === undefined ? ZERO : readFraction(row.fraction);
}

function resolvers(result: TraversalResult, { shorten }: Wording): string {
  const { resolvers: rows = [] } = result;
  return grid(
    ['resolver', 'says', ''].map(prose),
    rows.map((row) => [
      code(resolverAddress(row.server)),
      code(shorten(saidWords(row))),
      prose(likenessWords(row, result)),
    ]),
  );
}

function culprits(found: readonly Culprit[], { shorten }: Wording): string {
  const rows = found.map(({ name, share, ends }) => {
    const ways = grouped(ends, (end) => troubleWords(end, shorten));
    const words = ways.map((alike) =>
      prose(`${percent(weightOf(alike))} ${troubleWords(alike[0], shorten)}`),
    );
    const zones = [...new Set(ends.map(({ zone }) => zone))];
    return [code(name), joined(zones.map(code)), prose(percent(share)), joined(words, '; ')];
  });
  return grid(['server', 'zone', 'paths', 'which'].map(prose), rows);
}

/** Paths do not end in what does not verify: who demands no proof goes on. */
function troubleWords(end: OutcomeRow, shorten: Shorten): string {
  return end.kind === 'bogus' ? `hear what is ${endWords(end, shorten)}` : `end in ${endWords(end, shorten)}`;
}

/** Only what somebody can do something about. */
function advice(result: TraversalResult, { shorten }: Wording): string {
  const { ends, remarks } = explained(result);
  const items = [
    ...ends.map((one) => ({
      ...one,
      title: `${percent(one.probability)} ${WHO_ENDS[one.view]}${endWords(one.end, shorten)}`,
    })),
    ...remarks,
  ];
  return bullets(items.filter(({ actions }) => actions.length > 0).map(adviceItem));
}

function adviceItem({ title, means, actions }: Advice & { readonly title: string }): Item {
  const below = actions.map((action) => prose(actionSentence(action)));
  return { words: joined([strong(prose(title)), prose(means)]), below };
}

/** Each finding with those that merely follow from it. */
function findings({ findings: all }: TraversalResult): string {
  const known = new Set(all.map(({ id }) => id));
  const causes = all.filter(({ consequenceOf }) => consequenceOf === undefined || !known.has(consequenceOf));
  return bullets(
    causes.map((cause) => ({
      words: findingWords(cause),
      below: all.filter(({ consequenceOf }) => consequenceOf === cause.id).map(findingWords),
    })),
  );
}

function findingWords({ severity, code: name, zone, server, message, reference }: Finding): Inline {
  const place = [server?.name, server?.address, zone].filter((part) => part !== undefined);
  const sentence = reference === undefined ? message : `${message} (${reference})`;
  return joined([strong(prose(severity)), ...[name, ...place].map(code), prose(sentence)]);
}
