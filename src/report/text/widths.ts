/* Widths of tables, for those who make rows without printing them. */

/** A longer cell does not widen its column: it pushes the next cells of its row aside. */
export const LONGEST_ALIGNED = 44;
