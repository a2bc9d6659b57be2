/** How much is shown. */
export type Detail = 'terse' | 'full';

const LONGEST = 56;
const KEPT = 32;

/** A text that is cut, and says so, where detail is not asked for. */
export function shortened(text: string, detail: Detail): string {
  if (detail === 'full' || text.length <= LONGEST) return text;
  return `${text.slice(0, KEPT)}... (${text.length} characters)`;
}
