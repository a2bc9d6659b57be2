import type { Name } from '../../dns/name.ts';
import { isExpected, type OutcomeRow } from '../../document/ends.ts';
import type { Finding } from '../../document/finding.ts';
import type { NotChecked, TraversalResult } from '../../document/result.ts';
import { allViewsOf, type View } from '../../document/views.ts';
import { firstOfEach, listed } from '../../document/words/lists.ts';
import type { Detail } from '../../document/words/shortened.ts';
import { type End, endKey } from '../../evaluate/end.ts';
import { VIEWS, type ViewKind, type ViewName, type ViewRow } from '../../evaluate/views.ts';
import { findingPlace } from './findings.ts';
import {
  isByChance,
  isHeardByChance,
  isRotating,
  type KnownRotation,
  NO_ROTATION,
  rotationIn,
} from './rotation-changes.ts';
import { validatedWords } from './users.ts';

/**
 * Compares two results for one question. Answers that rotate in either count as one answer; `remembered`: what rotated in
 * the rounds up to either of them. Findings and servers that only a view in `notCompared` shows are changes, too, unless
 * the results come without that view.
 */
export function changesBetween(
  before: TraversalResult,
  after: TraversalResult,
  remembered = { before: NO_ROTATION, after: NO_ROTATION },
  notCompared: readonly NotChecked[] = notComparedIn(before, after),
): ResultChanges {
  const rotation = rotationIn([before, after], remembered.before);
  const views = viewChanges(before, after, rotation);
  const isUnrepeated = notCompared.some(({ view }) => view === 'rotation') && rotation.findings.length > 0;
  const compared = ({ code }: Finding) => !(isUnrepeated && OF_REPEATS.includes(code));
  const findings = goneAndNew(
    findingsToCompare(before, remembered.before, rotation).filter(compared),
    findingsToCompare(after, remembered.after, rotation).filter(compared),
    findingKey,
  );
  const servers = goneAndNew(
    serversOf(before, rotation),
    serversOf(after, rotation),
    ({ address }) => address,
  );
  const lists = [views, findings, servers].flatMap((changes) => Object.values(changes));
  const same = lists.every(({ length }) => length === 0);
  const notAll = notCompared.length > 0 && { notCompared };
  return { query: after.query, views, ...notAll, findings, servers, same };
}

/** Where answers rotate, these say something else of a result whose questions were not asked again. */
const OF_REPEATS: readonly string[] = [
  'ANSWERS_ROTATE',
  'ANSWERS_DIFFER',
  'ANSWER_NOT_CERTAIN',
  'SOA_SERIAL_DIFFERS',
  'SOA_SERIAL_LOWERED',
];

/** The views that only one of two results has, and why the other lacks them. */
export function notComparedIn(before: TraversalResult, after: TraversalResult): readonly NotChecked[] {
  const onlyIn = (one: TraversalResult, other: TraversalResult, lacks: string) =>
    (other.notChecked ?? []).flatMap((row): readonly NotChecked[] => {
      const known = (one.notChecked ?? []).filter(({ view }) => view === row.view);
      const only = row.only?.filter((name) => !known.some((left) => left.only?.includes(name)));
      if (known.some((left) => left.only === undefined) || only?.length === 0) return [];
      return [{ ...row, ...(only && { only }), reason: `${lacks}: ${row.reason}` }];
    });
  return [...onlyIn(after, before, 'before'), ...onlyIn(before, after, 'after')];
}

/** What differs between two results for one question, as svc-diff(1), THE DOCUMENT describes it. */
export interface ResultChanges {
  readonly query: TraversalResult['query'];
  /** By name: of the views that both results have. */
  readonly views: Readonly<Partial<Record<ViewName, readonly EndChange[]>>>;
  /** Views that only one of them has. That is no change. */
  readonly notCompared?: readonly NotChecked[];
  readonly findings: GoneAndNew<Finding>;
  readonly servers: GoneAndNew<NamedAddress>;
  /** Whether all these lists are empty. */
  readonly same: boolean;
}

/** What only the earlier result has, and what only the later one has. */
export interface GoneAndNew<T> {
  readonly gone: readonly T[];
  readonly new: readonly T[];
}

/** An address that some path leads to, and the names of servers that have it. */
export interface NamedAddress {
  readonly address: string;
  readonly names: readonly Name[];
}

function viewChanges(
  before: TraversalResult,
  after: TraversalResult,
  rotation: KnownRotation,
): ResultChanges['views'] {
  const changes: Partial<Record<ViewName, readonly EndChange[]>> = {};
  for (const { row, was, is } of inBoth(before, after))
    changes[row.name] = endChanges(was.outcomes, is.outcomes, rotation);
  return changes;
}

/** The views that both results have, in the order of the table. */
function inBoth(
  before: TraversalResult,
  after: TraversalResult,
): readonly { readonly row: ViewRow; readonly was: View; readonly is: View }[] {
  const byRow = (result: TraversalResult) => new Map(allViewsOf(result).map(({ row, view }) => [row, view]));
  const [earlier, later] = [byRow(before), byRow(after)];
  return VIEWS.filter((row) => earlier.has(row) || later.has(row)).flatMap((row) => {
    const [was, is] = [earlier.get(row) ?? asCold(row, before), later.get(row) ?? asCold(row, after)];
    return was === undefined || is === undefined ? [] : [{ row, was, is }];
  });
}

/** A product has no warm view where that is made and comes to what it does cold. */
function asCold(row: ViewRow, { views, notChecked = [] }: TraversalResult): View | undefined {
  if (row.kind !== 'product/warm' || views.warm === undefined) return undefined;
  if (notChecked.some(({ only }) => only?.includes(row.name))) return undefined;
  return views[row.profile];
}

function goneAndNew<T>(before: readonly T[], after: readonly T[], key: (item: T) => string): GoneAndNew<T> {
  const lacking = (items: readonly T[], others: readonly T[]) => {
    const known = new Set(others.map(key));
    return items.filter((item) => !known.has(key(item)));
  };
  return { gone: lacking(before, after), new: lacking(after, before) };
}

/** What rotated in one of the last rounds does so still. */
function findingsToCompare(
  { query, findings }: TraversalResult,
  remembered: KnownRotation,
  rotation: KnownRotation,
): readonly Finding[] {
  const all = firstOfEach([...findings, ...remembered.findings], findingKey);
  return all.filter(({ zone }) => !isHeardByChance(zone, query.name, rotation));
}

/** Messages hold figures that differ each time, and severities follow from the rest of a result. */
function findingKey({ code, zone, server }: Finding): string {
  return [code, zone ?? '-', server?.name ?? '-', server?.address ?? '-'].join('\n');
}

/** Whether a limit or a policy left them unasked makes no difference: paths lead there. */
function serversOf(
  { query, exchanges, unasked }: TraversalResult,
  { behindAliases }: KnownRotation,
): readonly NamedAddress[] {
  // Which other servers a walk comes to depends on the alias that it hears of first, where aliases rotate.
  const compared = [...exchanges, ...unasked].filter(
    ({ question }) => behindAliases.size === 0 || question.name === query.name,
  );
  const servers = compared.map(({ server: { address, names } }) => ({ address, names }));
  return firstOfEach(servers, ({ address }) => address);
}

/** An end that one view has and another has not, or not with the same probability. */
export type EndChange = End & {
  /** The exact probability, as text; null where paths do not end so. */
  readonly before: string | null;
  readonly after: string | null;
};

/**
 * The ends that appeared, went, or have another probability: those that there are now first, the most
 * probable first. Times to live and the order of records do not count: they change all the time.
 */
function endChanges(
  before: readonly OutcomeRow[],
  after: readonly OutcomeRow[],
  rotation: KnownRotation,
): readonly EndChange[] {
  const [earlier, later] = [byIdentity(before, rotation), byIdentity(after, rotation)];
  const pairs = [
    ...[...later].map(([identity, row]) => ({ row, was: earlier.get(identity), is: row })),
    ...[...earlier].flatMap(([identity, row]) =>
      later.has(identity) ? [] : [{ row, was: row, is: undefined }],
    ),
  ];
  return pairs
    .filter(({ row, was, is }) => {
      const other = (was === undefined ? before : after).find((one) => endKey(one) === endKey(row));
      return was?.fraction !== is?.fraction && !isByChance(row, other, rotation);
    })
    .map(({ row, was, is }) => changeOf(row, was, is));
}

function byIdentity(
  outcomes: readonly OutcomeRow[],
  rotation: KnownRotation,
): ReadonlyMap<string, OutcomeRow> {
  const isSame = (row: OutcomeRow) => isRotating(row, rotation) || isExpected(row);
  return new Map(outcomes.map((row) => [isSame(row) ? endKey(row) : identityOf(row), row]));
}

function changeOf(
  { probability: _probability, fraction: _fraction, ...end }: OutcomeRow,
  before: OutcomeRow | undefined,
  after: OutcomeRow | undefined,
): EndChange {
  return { before: before?.fraction ?? null, after: after?.fraction ?? null, ...end };
}

/** A text that is equal for ends of different traversals that say the same. */
function identityOf(end: End): string {
  const answer = end.kind === 'answer' ? answerIdentity(end) : [];
  const cause = 'cause' in end && end.cause !== undefined ? [identityOf(end.cause)] : [];
  return [endKey(end), ...answer, ...cause].join('\n');
}

function answerIdentity({ records, authoritative }: Extract<End, { kind: 'answer' }>): readonly string[] {
  const contents = records.map(({ name, type, data }) => `${name} ${type} ${data}`).sort();
  return [`${authoritative}`, ...contents];
}

/** What changed from one result to another, in one line that may hold what servers sent. */
export function changeLine(changes: ResultChanges, before: TraversalResult, after: TraversalResult): string {
  const parts = [
    ...viewWords(changes, before, after, 'terse'),
    ...listWords('finding', changes.findings, findingWords),
    ...listWords('server', changes.servers, serverWords),
  ];
  return parts.length === 0 ? 'nothing changed' : parts.join('; ');
}

/** The changes of what users get, in one line; the whole line of changes if users get the same. */
export function userChangeLine(
  changes: ResultChanges,
  before: TraversalResult,
  after: TraversalResult,
  detail: Detail,
): string {
  return viewWords(changes, before, after, detail).join('; ') || changeLine(changes, before, after);
}

function viewWords(
  { query, views }: ResultChanges,
  before: TraversalResult,
  after: TraversalResult,
  detail: Detail,
): readonly string[] {
  // What users get comes before how first tries end.
  const usersFirst = [...inBoth(before, after)].sort(
    (a, b) => Number(a.row.of === 'tries') - Number(b.row.of === 'tries'),
  );
  const parts = usersFirst.flatMap(({ row, was, is }) => {
    const title = LINE_TITLES[row.kind];
    const ends = views[row.name] ?? [];
    if (title === undefined || ends.length === 0) return [];
    const [old, now] = [was, is].map((view) => validatedWords(view, detail));
    return [
      {
        title,
        words: old === now ? `${now} as before, ${wayWords(ends, query.name)}` : `${now}, was ${old}`,
      },
    ];
  });
  // Most views change in the same way.
  return firstOfEach(parts, ({ words }) => words).map(({ title, words }) => `${title}${words}`);
}

/** Whose changes the line of changes tells, and what is before them. */
const LINE_TITLES: Readonly<Record<ViewKind, string | undefined>> = {
  'first-tries': 'first tries end in ',
  resolver: '',
  'first-tries/warm': 'warm first tries end in ',
  warm: 'warm resolvers get ',
  validating: 'validating resolvers get ',
  product: undefined,
  'product/warm': undefined,
};

/** What is new on the way to the same answers or denials. */
function wayWords(changes: readonly EndChange[], asked: Name): string {
  const [before, after] = [aliasesIn(changes, 'before', asked), aliasesIn(changes, 'after', asked)];
  if (before === after) return 'by other servers';
  return before === '' ? 'now by an alias' : after === '' ? 'no longer by an alias' : 'by other aliases';
}

/** The names that aliases led to before, or lead to after a change; empty if there are none. */
function aliasesIn(changes: readonly EndChange[], side: 'before' | 'after', asked: Name): string {
  const ends = changes.filter((end) => end[side] !== null);
  const reached = ends.map(({ question }) => (question.name === asked ? '' : question.name));
  return [...new Set(reached)].sort().join('\n');
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
