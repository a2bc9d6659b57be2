import type { Name } from './name.ts';

/**
 * The name with each letter in a case of its own by chance, for 0x20. `random(n)` gives a whole
 * number from 0 to n - 1, as crypto's randomInt does. Escapes hold no letters, so every letter of
 * the text is one of the name.
 */
export function randomCase(name: Name, random: (below: number) => number): string {
  return name.replace(/[a-z]/g, (letter) => (random(2) === 1 ? letter.toUpperCase() : letter));
}
