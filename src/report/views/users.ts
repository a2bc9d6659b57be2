/* Which users get the same: those of cold, warm and validating resolvers (svc-model(7)). */

import type { Security } from '../../dns/dnssec/verdict.ts';
import type { OutcomeRow, SummaryRow } from '../../document/ends.ts';
import type { Conclusion } from '../../document/events.ts';
import type { TraversalResult } from '../../document/result.ts';
import { type KnownShares, sureDifference, type View } from '../../document/views.ts';
import { grouped, listed } from '../../document/words/lists.ts';
import { percentage } from '../../document/words/quantities.ts';
import type { Detail } from '../../document/words/shortened.ts';
import { isUnknownKind } from '../../evaluate/end.ts';
import { add, equals, ONE, readFraction, sum, ZERO } from '../../evaluate/fraction.ts';
import { weightOf } from './effects.ts';
import { isIntercepted } from './findings.ts';
import { endTerm, sharesOf, summaryLine } from './wording.ts';

/** A kind of resolver. `firstTry` validates, and takes the first usable reply. */
export type ResolverKind = 'cold' | 'warm' | 'validating' | 'firstTry';

/** Users who get the same, equally often, whichever of these resolvers they have. */
export interface UserGroup {
  readonly kinds: readonly ResolverKind[];
  readonly view: View;
}

/** The views that users can have. */
export type UserViews = Pick<TraversalResult, 'resolver'> &
  Partial<Pick<TraversalResult, 'warm' | 'validating' | 'findings'>>;

/** The users of a result, those of cold resolvers first. */
export function userGroups(result: UserViews): readonly UserGroup[] {
  return grouped(userViews(result), ({ view }) => viewKey(view)).map((alike) => ({
    kinds: alike.map(({ kind }) => kind),
    view: alike[0].view,
  }));
}

/** A text that is equal for views in which users get the same, equally often. */
export function viewKey({ summary }: SummaryOf): string {
  const shares = summary.map((row) => `${row.fraction} ${endTerm(row)}`);
  return shares.sort().join('\n');
}

/** What the users of one kind of resolver get. */
export interface UserView {
  readonly kind: ResolverKind;
  readonly view: View;
}

/** The views of users that a result has, that of cold resolvers first. */
export function userViews({ resolver, warm, validating, findings = [] }: UserViews): readonly UserView[] {
  const cold: UserView = { kind: 'cold', view: resolver };
  if (isIntercepted({ findings })) return [cold];
  return [
    cold,
    ...(warm === undefined ? [] : [{ kind: 'warm', view: warm.resolver } as const]),
    ...(validating === undefined
      ? []
      : [
          { kind: 'validating', view: validating } as const,
          { kind: 'firstTry', view: validating.firstTry } as const,
        ]),
  ];
}

/** What a group is called above a column: "cold and warm", "validating, no retry". */
export function groupHead({ kinds }: UserGroup): string {
  return listed(
    kinds.filter((kind) => kind !== 'firstTry' || !kinds.includes('validating')).map((kind) => HEADS[kind]),
  );
}

const HEADS: Readonly<Record<ResolverKind, string>> = {
  cold: 'cold',
  warm: 'warm',
  validating: 'validating',
  firstTry: 'validating, no retry',
};

/** The users of a group, in a sentence: "users behind validating resolvers". */
export function usersIn({ kinds }: UserGroup): string {
  const [has, lacks] = [
    (kind: ResolverKind) => kinds.includes(kind),
    (kind: ResolverKind) => !kinds.includes(kind),
  ];
  const parts = [
    ...(has('warm') ? ["resolvers that know the zones' own NS records"] : []),
    ...(has('validating')
      ? [lacks('firstTry') ? 'validating resolvers that retry' : 'validating resolvers']
      : []),
    ...(has('firstTry') && lacks('validating') ? ['validating resolvers that do not retry'] : []),
  ];
  return `users behind ${listed(parts)}`;
}

/** Whether two views surely differ, whatever was not examined of them. */
function surelyDiffer(one: SummaryOf, other: SummaryOf): boolean {
  return sureDifference(knownShares(one.summary), knownShares(other.summary)) !== 'nothing';
}

type SummaryOf = Pick<View, 'summary'>;

function knownShares(summary: readonly SummaryRow[]): KnownShares {
  const unknown = summary.filter(({ kind }) => isUnknownKind(kind));
  return {
    known: sharesOf(summary.filter(({ kind }) => !isUnknownKind(kind))),
    unknown: sum(unknown.map(({ fraction }) => readFraction(fraction))),
  };
}

/** Whether warm paths or warm resolvers surely end in something else than cold ones. */
export function warmDiffers(result: UserViews & SummaryOf): boolean {
  const { warm, resolver, findings = [] } = result;
  if (warm === undefined || isIntercepted({ findings })) return false;
  return surelyDiffer(result, warm) || surelyDiffer(resolver, warm.resolver);
}

/** Whether validating resolvers surely return something else than others. */
export function validatingDiffers({ validating, resolver, findings = [] }: UserViews): boolean {
  if (validating === undefined || isIntercepted({ findings })) return false;
  return [validating, validating.firstTry].some((view) => surelyDiffer(resolver, view));
}

/** What validating users get, and how much of that is proven: "100 % 192.0.2.80 (secure)". */
export function validatedWords({ outcomes, summary }: View, detail: Detail): string {
  const line = summaryLine(summary, detail);
  const proof = proofWords(outcomes);
  return proof === undefined ? line : `${line} (${proof})`;
}

/** "secure", "insecure", "50 % secure"; undefined where nobody gets anything that could be either. */
export function proofWords(outcomes: readonly OutcomeRow[]): string | undefined {
  const having = (security: Security) =>
    weightOf(outcomes.filter((end) => 'security' in end && end.security === security));
  const [secure, insecure] = [having('secure'), having('insecure')];
  const either = add(secure, insecure);
  if (equals(either, ZERO)) return undefined;
  const whose = equals(either, ONE) ? '' : 'answers ';
  if (equals(insecure, ZERO)) return `${whose}secure`;
  return equals(secure, ZERO) ? `${whose}insecure` : `${percentage(secure)} secure`;
}

/** What the users of both kinds of validating resolvers get, once where it is the same. */
export function bothReadingsWords(
  { summary, firstTry }: NonNullable<Conclusion['validating']>,
  detail: Detail,
): string {
  const [retrying, first] = [summary, firstTry.summary].map((rows) => summaryLine(rows, detail));
  return retrying === first ? `${first}` : `${retrying}; without retry ${first}`;
}
