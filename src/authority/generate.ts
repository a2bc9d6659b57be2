/* $GENERATE: a line of a zone file that stands for many records, as BIND reads it. */

/** How often, and with which numbers, a line is repeated. */
interface GenerateRange {
  readonly first: number;
  readonly last: number;
  readonly step: number;
}

const MOST = 2 ** 31 - 1;

/** Reads "1-10" or "1-10/2"; undefined for anything else. */
export function generateRange(text: string): GenerateRange | undefined {
  const [, first, last, step = '1'] = /^(\d{1,10})-(\d{1,10})(?:\/(\d{1,10}))?$/.exec(text) ?? [];
  const range = { first: Number(first), last: Number(last), step: Number(step) };
  return range.first <= range.last && range.last <= MOST && range.step >= 1 ? range : undefined;
}

/** How many numbers a range has. */
export function sizeOf({ first, last, step }: GenerateRange): number {
  return Math.floor((last - first) / step) + 1;
}

/** `$` or `${offset[,width[,base]]}`; a backslash takes a dollar its meaning, and `$$` is one dollar. */
const PLACE = /\\.|\$\$|\$\{([^}]*)\}|\$/gs;
const MODIFIER = /^([+-]?\d{1,10})(?:,(\d{1,3})(?:,([doxXnN]))?)?$/;

/**
 * One field of the line for one number: each `$` is replaced by it. Undefined for a modifier that is none, and for a
 * number below zero.
 */
export function generated(field: string, number: number): string | undefined {
  let isWrong = false;
  const made = field.replace(PLACE, (place: string, modifier: string | undefined) => {
    if (place === '\\$' || place === '$$') return '$';
    if (place.startsWith('\\')) return place;
    const text = modifier === undefined ? String(number) : modified(number, modifier);
    isWrong ||= text === undefined;
    return text ?? '';
  });
  return isWrong ? undefined : made;
}

function modified(number: number, modifier: string): string | undefined {
  const [, offset, width = '0', base = 'd'] = MODIFIER.exec(modifier) ?? [];
  const value = number + Number(offset);
  if (offset === undefined || value < 0) return undefined;
  const size = Number(width);
  switch (base) {
    case 'o':
      return value.toString(8).padStart(size, '0');
    case 'x':
      return value.toString(16).padStart(size, '0');
    case 'X':
      return value.toString(16).toUpperCase().padStart(size, '0');
    case 'n':
      return nibbles(value, size);
    case 'N':
      return nibbles(value, size).toUpperCase();
    default:
      return String(value).padStart(size, '0');
  }
}

/** Hexadecimal digits, the last one first, as labels: the width counts the dots. */
function nibbles(value: number, width: number): string {
  const digits = value.toString(16).padStart(Math.ceil(width / 2), '0');
  return [...digits].reverse().join('.');
}
