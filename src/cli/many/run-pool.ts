/**
 * Works on many items, several at once, and writes what is done: as they end, or in the order given,
 * where fast items do not run ahead of a slow one without bounds. Rejects with the first error of either.
 */
export function runPool<Item, Done>(plan: PoolPlan<Item, Done>): Promise<void> {
  const { items, work, write, jobs, order, signal } = plan;
  /** What is begun and not written yet, in the order of writing. */
  const unwritten: Promise<void>[] = [];
  let last = Promise.resolve();
  let isBroken = false;
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => {
      isBroken = true;
      reject(error);
    };
    const worker = async () => {
      while (!signal.aborted && !isBroken) {
        while (unwritten.length >= jobs * AHEAD) await unwritten[0];
        const next = await items.next();
        if (next.done === true || signal.aborted) return;
        const done = work(next.value);
        if (order === 'as-they-end') await done;
        last = Promise.all([done, last]).then(async ([value]) => {
          await write(value);
          unwritten.shift();
        });
        last.catch(fail);
        unwritten.push(last);
        await (order === 'as-they-end' ? last : done);
      }
    };
    Promise.all(Array.from({ length: jobs }, worker))
      .then(() => last)
      .then(resolve, fail);
  });
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

/** In order, items may be ahead of the first that is not written by this many times the jobs. */
const AHEAD = 4;
