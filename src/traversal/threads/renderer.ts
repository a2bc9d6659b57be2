import { Worker } from 'node:worker_threads';
import { type Clock, systemClock } from '../../base/clock.ts';
import type { Packed } from '../../base/packing.ts';
import { type Bidder, type Blocks, TurnLine } from '../../base/turn-line.ts';
import type { FormatIn } from '../../report/formats.ts';

/**
 * Renders results in a thread of its own: to draw a picture can take seconds, which neither requests nor traversals
 * should wait for, and a thread that takes too long is ended without harm to anybody else.
 */
export interface Renderer {
  /** `blocks`: the party whose turn it takes, and its blocks. Rejects for a bug. */
  readonly render: (order: RenderOrder, blocks: Blocks) => Promise<Rendering>;
  /** Ends the thread. What it did, what waits and what follows is dropped. */
  readonly close: () => Promise<void>;
}

/** The formats that the service renders on request; JSON is how it keeps results. */
export type RenderedFormat = Exclude<FormatIn<'api'>, 'json'>;

/** What the service makes of a result: a format, or the times of a change. */
export type RenderedForm = RenderedFormat | 'when';

/** A result in the requested form. */
export type Rendered =
  | { readonly kind: 'rendered'; readonly text: Packed }
  /** The package that draws is not installed here. */
  | { readonly kind: 'no-graphviz' };

/** A result and the form to render it in. */
export interface RenderOrder {
  readonly form: RenderedForm;
  /** A result as JSON text, in chunks. */
  readonly result: readonly Packed[];
}

/** The outcome of an order. */
export type Rendering =
  | Rendered
  /** It is too large, or took too long. */
  | { readonly kind: 'too-much' }
  /** As much waits as may, of everybody or of this party; or the order had to make room for a party that has fewer. */
  | { readonly kind: 'busy' }
  /** The renderer was closed. */
  | { readonly kind: 'dropped' };

interface RendererSettings {
  readonly clock: Clock;
  /** The program of the thread. */
  readonly program: URL;
  /** How long one rendering may take. */
  readonly mostMs: number;
}

/** A renderer. Its thread starts when it is first needed. */
export function createRenderer(settings: Partial<RendererSettings> = {}): Renderer {
  return new ThreadRenderer({ ...DEFAULTS, ...settings });
}

const DEFAULTS: RendererSettings = {
  clock: systemClock,
  program: new URL('./render-worker.js', import.meta.url),
  mostMs: 10_000,
};

/** Octets of JSON. Objects take several times as much memory. */
const MOST_OCTETS = 32 * 1024 * 1024;

/** Mebibytes of JavaScript objects in the thread. */
const MEMORY_MIB = 512;

/** Orders that may wait beside the one in hand. */
const MOST_WAITING = 15;
const MOST_WAITING_PER_PARTY = 3;

/** A thread that has nothing to do goes: Graphviz keeps the memory that it once had. */
const IDLE_MS = 60_000;

interface Waiting extends Bidder {
  readonly order: RenderOrder;
  readonly done: (rendering: Rendering) => void;
  readonly failed: (error: unknown) => void;
}

class ThreadRenderer implements Renderer {
  readonly #settings: RendererSettings;
  #inHand: Waiting | undefined;
  readonly #line = new TurnLine<Waiting>();
  #thread: Worker | undefined;
  #cancelTimer = () => {};
  #state: 'open' | 'closed' = 'open';

  constructor(settings: RendererSettings) {
    this.#settings = settings;
  }

  readonly render: Renderer['render'] = async (order, blocks) => {
    if (this.#state === 'closed') return { kind: 'dropped' };
    if (order.result.reduce((sum, { length }) => sum + length, 0) > MOST_OCTETS) return { kind: 'too-much' };
    if (this.#line.lengthOf(blocks[0].name) >= MOST_WAITING_PER_PARTY) return { kind: 'busy' };
    return await new Promise((done, failed) => {
      this.#join({ order, blocks, done, failed });
    });
  };

  readonly close = async (): Promise<void> => {
    this.#state = 'closed';
    this.#inHand?.done({ kind: 'dropped' });
    for (let one = this.#line.next(); one !== undefined; one = this.#line.next())
      one.done({ kind: 'dropped' });
    await this.#end();
  };

  #join(waiting: Waiting): void {
    if (this.#line.length >= MOST_WAITING) {
      const victim = this.#line.crowdedOutBy(waiting) ?? waiting;
      victim.done({ kind: 'busy' });
      if (victim === waiting) return;
      this.#line.leave(victim);
    }
    this.#line.join(waiting);
    if (this.#inHand === undefined) this.#next();
  }

  #next(): void {
    this.#cancelTimer();
    const { clock, mostMs } = this.#settings;
    const first = this.#line.next();
    this.#inHand = first;
    if (first === undefined) {
      this.#cancelTimer = clock.after(IDLE_MS, () => void this.#end());
      return;
    }
    this.#thread ??= this.#newThread();
    this.#thread.postMessage(first.order);
    this.#cancelTimer = clock.after(mostMs, () => this.#died(({ done }) => done({ kind: 'too-much' })));
  }

  #newThread(): Worker {
    const thread = new Worker(this.#settings.program, {
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MIB },
    });
    thread.unref();
    thread.on('message', (rendered: Rendered) => {
      if (thread !== this.#thread) return;
      this.#inHand?.done(rendered);
      this.#next();
    });
    thread.on('error', (error) => {
      if (thread !== this.#thread) return;
      const isFull = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      this.#died(({ done, failed }) => (isFull ? done({ kind: 'too-much' }) : failed(error)));
    });
    return thread;
  }

  /** The thread is of no more use, and what was in hand is to blame. The others go on in another. */
  #died(tell: (culprit: Waiting) => void): void {
    const culprit = this.#inHand;
    void this.#end();
    if (culprit !== undefined) tell(culprit);
    this.#next();
  }

  async #end(): Promise<void> {
    this.#cancelTimer();
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.terminate();
  }
}
