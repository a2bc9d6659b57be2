import { type Question, questionKey } from '../../wire/question.ts';
import type { ExitStatus } from '../process/exit-status.ts';

/** What an earlier run did: there may be a million lines, so most take no more than an entry of a map. */
export class DoneBefore {
  readonly #last = new Map<string, ExitStatus>();
  /** Of questions that have more lines than one, the others. */
  readonly #others = new Map<string, ExitStatus[]>();

  add(question: Question, status: ExitStatus): void {
    const key = questionKey(question);
    const before = this.#last.get(key);
    if (before !== undefined) this.#others.set(key, [...(this.#others.get(key) ?? []), before]);
    this.#last.set(key, status);
  }

  /** The exit status of a line for the question; each line counts once. */
  take(question: Question): ExitStatus | undefined {
    const key = questionKey(question);
    const other = this.#others.get(key)?.pop();
    if (other !== undefined) return other;
    const last = this.#last.get(key);
    this.#last.delete(key);
    return last;
  }
}
