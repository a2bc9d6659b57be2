/** So many checks of a reply's signatures may fail. What is honest and broken needs a few for each RRset. */
const MOST_FAILURES = 64;

/**
 * Counts the checks of one reply's signatures that fail. A hostile reply can bring hundreds that have to be checked, with
 * several keys each, to be found wrong (CVE-2023-50387). Those that are right cost their zone as much as us.
 */
export class FailedChecks {
  #failures = 0;

  /** Whether none of the reply's signatures is checked any more. */
  get areTooMany(): boolean {
    return this.#failures >= MOST_FAILURES;
  }

  /** One more. */
  count(): void {
    this.#failures += 1;
  }
}
