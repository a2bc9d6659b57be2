import type { ExchangeEvent } from '../document/events.ts';
import { type ExchangeClass, isUsable } from '../explore/meaning.ts';
import { grouped } from '../reading/grouped.ts';
import { questionKey } from '../wire/question.ts';
import type { SeenZone } from './seen-zones.ts';

/**
 * How a server stands among those of its zone, as far as is known: it says what most say, something else (as do
 * all where none are most), or nothing that a resolver could use.
 */
export type Standing = 'agrees' | 'differs' | 'fails';

/** The standing of each server of a zone, by address. */
export function standingsIn({ servers }: SeenZone): ReadonlyMap<string, Standing> {
  const usable = [...servers.values()].flatMap(({ did }) => did).filter((event) => isUsable(event.class));
  const questions = grouped(usable, ({ question }) => questionKey(question));
  const differing = new Set(questions.flatMap(inMinority));
  return new Map(
    [...servers.values()].map((server): [string, Standing] => {
      if (!works(server)) return [server.address, 'fails'];
      return [server.address, differing.has(server.address) ? 'differs' : 'agrees'];
    }),
  );
}

/** Whether a resolver could use everything that was heard of a server. */
export function works({ classes }: { readonly classes: ReadonlyMap<ExchangeClass, number> }): boolean {
  return [...classes.keys()].every(isUsable);
}

/** The addresses whose replies to one question are not what most said. */
function inMinority(replies: readonly ExchangeEvent[]): readonly string[] {
  const groups = grouped(replies, sayingOf).map((group) => group.map(({ server }) => server.address));
  const most = Math.max(...groups.map(({ length }) => length));
  const largest = groups.filter(({ length }) => length === most);
  return groups.filter((group) => largest.length > 1 || group !== largest[0]).flat();
}

/** Equal for replies that come to the same, as far as events tell. */
function sayingOf({ class: kind, data, target, referredTo }: ExchangeEvent): string {
  return [kind, target, referredTo, ...(data ?? [])].join('\n');
}
