/**
 * A list in a sentence: "a", "a and b", "a, b, c and 4 more". One more item than `most` is still named,
 * as "1 more" would be no shorter. `count`: how many there are, if the items are only the first of them.
 */
export function listed(items: readonly string[], most = 3, count = items.length): string {
  const named = items.slice(0, most);
  const isWhole = items.length === count && count <= most + 1;
  const shown = isWhole ? items : [...named, `${count - named.length} more`];
  const last = shown.at(-1) ?? '';
  return shown.length < 2 ? last : `${shown.slice(0, -1).join(', ')} and ${last}`;
}
