/** A trust anchor as a file has it, and the line where it begins. */
export interface WrittenAnchor {
  readonly line: number;
  readonly owner: string;
  readonly type: 'DS' | 'DNSKEY';
  /** In presentation format. */
  readonly data: string;
}

/** What is wrong with trust anchors, in one line. */
export class TrustAnchorError extends Error {
  override readonly name = 'TrustAnchorError';
}

/** The error with the line where it is. */
export function wrongAt(line: number, why: string): TrustAnchorError {
  return new TrustAnchorError(`line ${line}: ${why}`);
}
