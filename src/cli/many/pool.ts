/**
 * Works on many items, several at once, and writes what is done: as they end, or in the order given,
 * where fast items do not run ahead of a slow one without bounds. Rejects with the first error of either.
 */
export async function runPool<Item, Done>(plan: PoolPlan<Item, Done>): Promise<void> {
  const { items, work, jobs, order, signal } = plan;
  const writer = new Writer(plan.write, order === 'as-given' ? jobs * AHEAD : undefined);
  let count = 0;
  const worker = async () => {
    while (!signal.aborted) {
      await writer.room();
      const next = await items.next();
      if (next.done === true || signal.aborted) return;
      const place = count;
      count += 1;
      writer.begin();
      await writer.put(place, await work(next.value));
    }
  };
  await Promise.all(Array.from({ length: jobs }, worker));
  await writer.flush();
}

/** Work to be done on each of many items. */
interface PoolPlan<Item, Done> {
  readonly items: AsyncIterator<Item, void>;
  readonly work: (item: Item) => Promise<Done>;
  /** Takes what is done; never called again before it resolves. */
  readonly write: (done: Done) => Promise<void>;
  /** Items worked on at once. */
  readonly jobs: number;
  readonly order: 'as-they-end' | 'as-given';
  /** Once it is aborted, no further item is begun. */
  readonly signal: AbortSignal;
}

/** In order, items may be ahead of the first that is not done by this many times the jobs. */
const AHEAD = 4;

/** Hands on what is done one by one, in order if that is wanted. */
class Writer<Done> {
  readonly #write: (done: Done) => Promise<void>;
  /** How many may be begun beyond the first that is not written; undefined: any order will do. */
  readonly #window: number | undefined;
  readonly #done = new Map<number, Done>();
  #next = 0;
  #begun = 0;
  #last: Promise<void> = Promise.resolve();
  #wake: (() => void)[] = [];

  constructor(write: (done: Done) => Promise<void>, window: number | undefined) {
    this.#write = write;
    this.#window = window;
  }

  begin(): void {
    this.#begun += 1;
  }

  /** Resolves when one more may begin. */
  async room(): Promise<void> {
    while (this.#window !== undefined && this.#begun - this.#next >= this.#window) {
      await new Promise<void>((wake) => {
        this.#wake.push(wake);
      });
    }
  }

  async put(place: number, done: Done): Promise<void> {
    if (this.#window === undefined) {
      this.#hand(done);
    } else {
      this.#done.set(place, done);
      for (let ready = this.#take(); ready !== undefined; ready = this.#take()) this.#hand(ready.done);
    }
    await this.#last;
  }

  /** Writes what waits for its turn behind something that was never done. */
  async flush(): Promise<void> {
    const rest = [...this.#done].sort(([a], [b]) => a - b);
    for (const [, done] of rest) this.#hand(done);
    await this.#last;
  }

  #take(): { readonly done: Done } | undefined {
    const done = this.#done.get(this.#next);
    if (done === undefined) return undefined;
    this.#done.delete(this.#next);
    this.#next += 1;
    for (const wake of this.#wake.splice(0)) wake();
    return { done };
  }

  #hand(done: Done): void {
    this.#last = this.#last.then(() => this.#write(done));
    // Whoever awaits `#last` gets the error.
    this.#last.catch(() => {});
  }
}
