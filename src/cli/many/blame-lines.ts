import { plain } from '../../reading/words/names.ts';
import { printable } from '../../reading/words/printable.ts';
import { count, thousands } from '../../reading/words/quantities.ts';
import type { Name } from '../../wire/name.ts';
import type { MostCounted } from './most-counted.ts';
import { type NameCounts, namesCounted } from './tally.ts';

/** The servers that are told. */
const MOST_TOLD = 10;

/** Which servers break most names, a line each, with a line end, below an empty line; none if no server does. */
export function blameLines(blame: MostCounted<Name>, counts: NameCounts): readonly Uint8Array[] {
  const { all, isExact } = blame;
  if (all.length === 0) return [];
  const names = namesCounted(counts);
  const of = `of your ${count(names, 'name')}`;
  const told = all
    .slice(0, MOST_TOLD)
    .map(
      ({ key, count }) =>
        `${printable(plain(key))} breaks ${isExact ? '' : 'at least '}${thousands(count)} ${of}`,
    );
  const more = all.length - told.length;
  const lines = [...told, ...(more === 0 ? [] : [`and ${count(more, 'more server')}`])];
  return [encoder.encode(`\n${lines.join('\n')}\n`)];
}

const encoder = new TextEncoder();
