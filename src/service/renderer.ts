import { systemClock } from '../base/clock.ts';
import type { Packed } from '../base/packing.ts';
import type { Blocks } from '../base/turn-line.ts';
import type { FormatIn } from '../report/formats.ts';
import { ComputePool, type ComputeSettings, type NotComputed } from '../traversal/threads/compute.ts';

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

/** The identifier of an exchange or a probe. */
export type ExchangeId = `x${number}` | `p${number}`;

/** Whether a text can be the identifier of an exchange or a probe. */
export function isExchangeId(text: string): text is ExchangeId {
  return /^[xp][1-9]\d*$/.test(text);
}

/** What the service makes of a result: a format, the times of a change, or a single exchange or probe. */
export type RenderedForm = RenderedFormat | 'when' | ExchangeId;

/** A result in the requested form. */
export type Rendered =
  | { readonly kind: 'rendered'; readonly text: Packed }
  /** The result has no exchange or probe of that identifier. */
  | { readonly kind: 'no-exchange' }
  /** The package that draws is not installed here. */
  | { readonly kind: 'no-graphviz' };

/** A result and the form to render it in. */
export interface RenderOrder {
  readonly form: RenderedForm;
  /** A result as JSON text, in chunks. */
  readonly result: readonly Packed[];
}

/** The outcome of an order. */
export type Rendering = Rendered | NotComputed;

/** A renderer. Its thread starts when it is first needed. */
export function createRenderer(settings: Partial<ComputeSettings> = {}): Renderer {
  const pool = new ComputePool<RenderOrder, Rendered>({ ...DEFAULTS, ...settings });
  return {
    render: async (order, blocks) => {
      if (order.result.reduce((sum, { length }) => sum + length, 0) > MOST_OCTETS) return TOO_LARGE;
      const computed = await pool.run(order, blocks);
      return computed.kind === 'done' ? computed.reply : computed;
    },
    close: pool.close,
  };
}

const DEFAULTS: ComputeSettings = {
  clock: systemClock,
  program: new URL('./render-worker.js', import.meta.url),
  threads: 1,
  memoryMiB: 512,
  mostMs: 10_000,
  mostWaiting: 15,
  mostWaitingOfParty: 3,
};

/** Octets of JSON. Objects take several times as much memory. */
const MOST_OCTETS = 32 * 1024 * 1024;

const TOO_LARGE = { kind: 'too-much', reason: 'the result is too large' } as const;
