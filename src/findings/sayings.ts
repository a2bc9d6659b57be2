import { aliasAt } from '../explore/alias-records.ts';
import type { Name } from '../wire/name.ts';
import { comparableData } from '../wire/record.ts';
import type { Heard } from './evidence.ts';

/** What a reply says of the question's name: the target of its alias, and the data, if the reply gets that far. */
export interface Saying {
  readonly alias: Name | undefined;
  readonly data: readonly string[] | undefined;
}

/** What a reply says; undefined if it neither gives nor denies data or an alias. */
export function sayingOf(heard: Pick<Heard, 'exchanged' | 'meaning'>): Saying | undefined {
  const { meaning } = heard;
  if (meaning.kind === 'alias') return { alias: firstTarget(heard), data: undefined };
  if (meaning.kind === 'nodata') return { alias: undefined, data: [] };
  if (meaning.kind !== 'answer') return undefined;
  const data = [...new Set(meaning.records.map(comparableData))].sort();
  return { alias: meaning.aliases.length > 0 ? firstTarget(heard) : undefined, data };
}

/** Where the alias at the question's name leads. */
function firstTarget({ exchanged: { outcome, question } }: Pick<Heard, 'exchanged'>): Name | undefined {
  if (outcome.kind !== 'reply') return undefined;
  const { cnames, dname } = aliasAt(outcome.answer, question.name);
  return cnames[0] ?? dname?.makes;
}

/** The text that is equal for replies that neither ANSWERS_DIFFER nor EXISTENCE_DIFFERS tells apart. */
export function sayingKey(heard: Pick<Heard, 'exchanged' | 'meaning'>): string {
  const saying = sayingOf(heard);
  return saying === undefined ? heard.meaning.kind : (saying.alias ?? saying.data?.join('\n') ?? '');
}
