/** Where a key leads to in a row of things that Tab comes to as one (WAI-ARIA APG, Toolbar); undefined if nowhere. */
export function alongRow(key: string, from: number, length: number): number | undefined {
  switch (key) {
    case 'ArrowRight':
    case 'ArrowDown':
      return (from + 1) % length;
    case 'ArrowLeft':
    case 'ArrowUp':
      return (from - 1 + length) % length;
    case 'Home':
      return 0;
    case 'End':
      return length - 1;
    default:
      return undefined;
  }
}
