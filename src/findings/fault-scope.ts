/* Says what fails at a server: everything that it is asked for a zone, or only types, names or questions. */

import type { Question } from '../dns/message.ts';
import type { Name } from '../dns/name.ts';
import type { Finding } from '../document/finding.ts';
import { listed } from '../document/words/lists.ts';
import { asked, plain } from '../document/words/names.ts';
import type { Exchanged } from '../exchange/exchanged.ts';
import { meaningFor } from '../explore/classify.ts';
import { isUsable } from '../explore/meaning.ts';
import { askedExchanges, type Contact, contactAsked, type Evidence, oncePer } from './evidence.ts';

/** What fails at a server of a zone, as far as all its replies tell. */
export type FaultScope =
  /** Nothing else was asked, or nothing that was asked got a usable reply. */
  | { readonly kind: 'everything' }
  /** Of these types, whatever the name. */
  | { readonly kind: 'types'; readonly types: readonly string[] }
  /** For these names, whatever the type. */
  | { readonly kind: 'names'; readonly names: readonly Name[]; readonly types: readonly string[] }
  | { readonly kind: 'questions'; readonly questions: readonly Question[] };

/** What fails at an address of a zone, if these exchanges do. */
export function faultScope(
  evidence: Evidence,
  { zone, server }: Pick<Contact, 'zone' | 'server'>,
  failing: readonly Exchanged[],
): FaultScope {
  const shown = new Set(failing);
  const replies = usableReplies(evidence, zone, server.address).filter((one) => !shown.has(one));
  const good = replies.map(({ question }) => question);
  if (good.length === 0) return { kind: 'everything' };
  const bad = failing.map(({ question }) => question);
  const [types, names] = [distinct(bad.map(({ type }) => type)), distinct(bad.map(({ name }) => name))];
  const isType = bad.every(({ type }) => good.every((one) => one.type !== type));
  if (isType && (names.length > 1 || good.some(({ name }) => names.includes(name))))
    return { kind: 'types', types };
  const isName = bad.every(({ name }) => good.every((one) => one.name !== name));
  if (isName && names.every((name) => bad.some((one) => one.name === name && one.type !== bad[0]?.type)))
    return { kind: 'names', names, types };
  return { kind: 'questions', questions: bad };
}

/** The questions of a scope, after "for" or "answers": "example", "www.example AAAA", "example of type CAA". */
export function queriesIn(scope: FaultScope, zone: Name): string {
  switch (scope.kind) {
    case 'everything':
      return `queries for ${plain(zone)}`;
    case 'types':
      return `queries of type ${listed(scope.types)} in ${plain(zone)}`;
    case 'names':
      return `queries for ${listed(scope.names.map(plain), MOST_NAMED)} (${listed(scope.types)})`;
    case 'questions':
      return `queries for ${listed(distinct(scope.questions.map(asked)), MOST_NAMED)}`;
  }
}

const MOST_NAMED = 3;

/** A scope as results have it. */
export function scopeRow(scope: FaultScope): NonNullable<Finding['scope']> {
  switch (scope.kind) {
    case 'everything':
      return {};
    case 'types':
      return { types: [...scope.types] };
    case 'names':
      return { names: [...scope.names], types: [...scope.types] };
    case 'questions': {
      const { questions } = scope;
      const [names, types] = [questions.map(({ name }) => name), questions.map(({ type }) => type)];
      return { names: [...distinct(names)], types: [...distinct(types)] };
    }
  }
}

/** ", although it answers www.example A" where that is so. */
export function althoughItAnswers(
  evidence: Evidence,
  { zone, server }: Pick<Contact, 'zone' | 'server'>,
  { kind }: FaultScope,
): string {
  const [good] = usableReplies(evidence, zone, server.address);
  return kind === 'everything' || good === undefined ? '' : `, although it answers ${asked(good.question)}`;
}

/** Whether something that a server of the zone was asked got a usable reply, be it a probe. */
export function answersSomething(
  evidence: Evidence,
  { zone, server }: Pick<Contact, 'zone' | 'server'>,
): boolean {
  return usableReplies(evidence, zone, server.address).length > 0;
}

/** What got a usable reply at an address that was asked for a zone. */
export function usableReplies(evidence: Evidence, zone: Name, address: string): readonly Exchanged[] {
  return goodIn(evidence).get(zone)?.get(address) ?? [];
}

/** By zone and address: what got a usable reply, in an order that does not depend on who replied first. */
const goodIn = oncePer((evidence: Evidence): ReadonlyMap<Name, ReadonlyMap<string, readonly Exchanged[]>> => {
  const { recording, contacts } = evidence;
  const good = new Map<Name, Map<string, Exchanged[]>>();
  for (const one of [...askedExchanges(recording), ...recording.probes]) {
    const zone = contactAsked(one, contacts)?.zone;
    if (zone === undefined || !isUsable(meaningFor(one, zone).kind)) continue;
    const there = good.get(zone) ?? new Map<string, Exchanged[]>();
    good.set(zone, there.set(one.address, [...(there.get(one.address) ?? []), one]));
  }
  for (const there of good.values())
    for (const all of there.values()) all.sort((a, b) => (asked(a.question) < asked(b.question) ? -1 : 1));
  return good;
});

function distinct<T>(all: readonly T[]): readonly T[] {
  return [...new Set(all)];
}
