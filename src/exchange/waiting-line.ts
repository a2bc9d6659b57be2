/** Lets one go who waited. */
export type Go = () => void;

/**
 * Those who wait for one thing, each on behalf of somebody, such as a job. The turn goes round these, in
 * order of arrival for each, so whoever brings thousands holds up the others by no more than one at a time.
 */
export class WaitingLine<W> {
  readonly #queues = new Map<W, Set<Go>>();

  get empty(): boolean {
    return this.#queues.size === 0;
  }

  join(whose: W, go: Go): void {
    const queue = this.#queues.get(whose);
    if (queue === undefined) this.#queues.set(whose, new Set([go]));
    else queue.add(go);
  }

  leave(whose: W, go: Go): void {
    const queue = this.#queues.get(whose);
    queue?.delete(go);
    if (queue?.size === 0) this.#queues.delete(whose);
  }

  /** Takes out whose turn it is among those who may go; undefined if nobody waits who may. */
  next(may: (whose: W) => boolean): Go | undefined {
    for (const [whose, queue] of this.#queues) {
      if (!may(whose)) continue;
      const [go] = queue;
      // A map keeps order: whoever has more comes behind the others.
      this.#queues.delete(whose);
      if (go !== undefined) queue.delete(go);
      if (queue.size > 0) this.#queues.set(whose, queue);
      return go;
    }
    return undefined;
  }
}
