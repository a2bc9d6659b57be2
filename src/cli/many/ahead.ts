/** Items read before they are wanted: some, so that nobody waits for them, but memory must not grow with a list. */
const MOST_AHEAD = 1_000;

/** Items, read a little before they are wanted. */
export class Ahead<Item> implements AsyncIterator<Item, void> {
  readonly #waiting: Item[] = [];
  #at = 0;
  #read = 0;
  #state: 'reading' | 'ended' | 'stopped' = 'reading';
  #failure: { readonly error: unknown } | undefined;
  #wake: (() => void)[] = [];

  constructor(source: AsyncIterable<Item>) {
    void this.#fill(source);
  }

  /** How many items there are; undefined while it is not known. */
  get total(): number | undefined {
    return this.#state === 'ended' ? this.#read : undefined;
  }

  /** Gives no more items. Whoever waits for one waits in vain no longer. */
  stop(): void {
    this.#state = 'stopped';
    this.#changed();
  }

  async next(): Promise<IteratorResult<Item, void>> {
    for (;;) {
      if (this.#state === 'stopped') return { done: true, value: undefined };
      if (this.#failure !== undefined) throw this.#failure.error;
      const item = this.#waiting[this.#at];
      if (item !== undefined) {
        this.#advance();
        return { done: false, value: item };
      }
      if (this.#state === 'ended') return { done: true, value: undefined };
      await this.#change();
    }
  }

  #advance(): void {
    this.#at += 1;
    if (this.#at < MOST_AHEAD / 4) return;
    this.#waiting.splice(0, this.#at);
    this.#at = 0;
    this.#changed();
  }

  async #fill(source: AsyncIterable<Item>): Promise<void> {
    try {
      for await (const item of source) {
        if (this.#state === 'stopped') return;
        this.#waiting.push(item);
        this.#read += 1;
        this.#changed();
        while (this.#waiting.length - this.#at >= MOST_AHEAD && this.#state === 'reading')
          await this.#change();
      }
    } catch (error) {
      this.#failure = { error };
    }
    if (this.#state === 'reading') this.#state = 'ended';
    this.#changed();
  }

  #changed(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }

  #change(): Promise<void> {
    return new Promise((wake) => {
      this.#wake.push(wake);
    });
  }
}
