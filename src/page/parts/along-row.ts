/** The index to which a key moves the focus in a toolbar (WAI-ARIA APG); undefined for other keys. */
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
