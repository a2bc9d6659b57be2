/**
 * A list in a sentence: "a", "a and b", "a, b, c and 4 more". One more item than `most` is still named,
 * as "1 more" would be no shorter.
 */
export function listed(items: readonly string[], most = 3): string {
  const shown = items.length <= most + 1 ? items : [...items.slice(0, most), `${items.length - most} more`];
  const last = shown.at(-1) ?? '';
  return shown.length < 2 ? last : `${shown.slice(0, -1).join(', ')} and ${last}`;
}
