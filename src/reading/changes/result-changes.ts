import type { Finding } from '../../document/findings.ts';
import type { TraversalResult, ValidatingRow } from '../../document/result.ts';
import type { Name } from '../../wire/name.ts';
import { firstOfEach } from '../grouped.ts';
import { type EndChange, endChanges } from './end-changes.ts';

/** What differs between two results for one question, as svc-diff(1), THE DOCUMENT describes it. */
export interface ResultChanges {
  readonly query: TraversalResult['query'];
  /** Of the path view. */
  readonly outcomes: readonly EndChange[];
  /** Of the resolver view. */
  readonly resolver: readonly EndChange[];
  /** Absent unless both results have warm views. */
  readonly warm?: { readonly outcomes: readonly EndChange[]; readonly resolver: readonly EndChange[] };
  /** Absent unless both results have validating views. */
  readonly validating?: { readonly outcomes: readonly EndChange[]; readonly firstTry: readonly EndChange[] };
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

/** Compares two results for one question. */
export function changesBetween(before: TraversalResult, after: TraversalResult): ResultChanges {
  const views = viewChanges(before, after);
  const warm = before.warm && after.warm && viewChanges(before.warm, after.warm);
  const validating =
    before.validating && after.validating && unprovenChanges(before.validating, after.validating);
  const findings = goneAndNew(before.findings, after.findings, findingKey);
  const servers = goneAndNew(serversOf(before), serversOf(after), ({ address }) => address);
  const besides = [...(warm === undefined ? [] : [warm]), ...(validating === undefined ? [] : [validating])];
  const lists = [views, ...besides, findings, servers].flatMap((changes) => Object.values(changes));
  const same = lists.every(({ length }) => length === 0);
  return {
    query: after.query,
    ...views,
    ...(warm && { warm }),
    ...(validating && { validating }),
    findings,
    servers,
    same,
  };
}

function viewChanges(
  before: Pick<TraversalResult, 'outcomes' | 'resolver'>,
  after: Pick<TraversalResult, 'outcomes' | 'resolver'>,
) {
  return {
    outcomes: endChanges(before.outcomes, after.outcomes),
    resolver: endChanges(before.resolver.outcomes, after.resolver.outcomes),
  };
}

function unprovenChanges(before: ValidatingRow, after: ValidatingRow) {
  return {
    outcomes: endChanges(before.outcomes, after.outcomes),
    firstTry: endChanges(before.firstTry.outcomes, after.firstTry.outcomes),
  };
}

function goneAndNew<T>(before: readonly T[], after: readonly T[], key: (item: T) => string): GoneAndNew<T> {
  const lacking = (items: readonly T[], others: readonly T[]) => {
    const known = new Set(others.map(key));
    return items.filter((item) => !known.has(key(item)));
  };
  return { gone: lacking(before, after), new: lacking(after, before) };
}

/** Messages hold figures that differ each time, and severities follow from the rest of a result. */
function findingKey({ code, zone, server }: Finding): string {
  return [code, zone ?? '-', server?.name ?? '-', server?.address ?? '-'].join('\n');
}

/** Whether a limit or a policy left them unasked makes no difference: paths lead there. */
function serversOf({ exchanges, unasked }: TraversalResult): readonly NamedAddress[] {
  const servers = [...exchanges, ...unasked].map(({ server: { address, names } }) => ({ address, names }));
  return firstOfEach(servers, ({ address }) => address);
}
