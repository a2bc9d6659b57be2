/** Lets one go who waited. */
export type Go = () => void;

/**
 * Those who wait for one thing, each on behalf of somebody, such as a job. The turn goes round these, in
 * order of arrival for each, so whoever brings thousands holds up the others by no more than one at a time.
 */
export class WaitingLine {
  readonly #queues = new Map<object, Set<Go>>();

  get empty(): boolean {
    return this.#queues.size === 0;
  }

  join(whose: object, go: Go): void {
    const queue = this.#queues.get(whose);
    if (queue === undefined) this.#queues.set(whose, new Set([go]));
    else queue.add(go);
  }

  leave(whose: object, go: Go): void {
    const queue = this.#queues.get(whose);
    queue?.delete(go);
    if (queue?.size === 0) this.#queues.delete(whose);
  }

  /** Takes out whose turn it is; undefined if nobody waits. */
  next(): Go | undefined {
    const [turn] = this.#queues;
    if (turn === undefined) return undefined;
    const [whose, queue] = turn;
    const [go] = queue;
    // A map keeps order: whoever has more comes behind the others.
    this.#queues.delete(whose);
    if (go !== undefined) queue.delete(go);
    if (queue.size > 0) this.#queues.set(whose, queue);
    return go;
  }
}
