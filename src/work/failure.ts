/** Why a traversal could not be brought to an end, in words for whoever asked for it. */
export interface Reason {
  readonly title: string;
  readonly detail: string;
}

/** What a traversal rejects with when it fails through no bug, and its client may know why. */
export class TraversalFailure extends Error {
  override readonly name = 'TraversalFailure';
  readonly told: Reason;

  constructor(told: Reason) {
    super(told.detail);
    this.told = told;
  }
}

/** A thread died under the traversal that was heaviest there. */
export function tooHeavy(detail: string): TraversalFailure {
  return new TraversalFailure({ title: 'Too much work', detail });
}
