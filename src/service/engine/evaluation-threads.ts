import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Saved } from '../../document/read-result.ts';
import { type Clock, systemClock } from '../../exchange/clock.ts';
import { Slots } from '../slots.ts';
import type { Evaluated } from './evaluation.ts';
import type { ThreadReply } from './evaluation-thread.ts';

/** Evaluates recordings elsewhere, so that a complex name does not delay the rest of the service. */
export interface Evaluator {
  /** Rejects only for a bug; running out of time or memory is one. */
  readonly evaluate: (saved: Saved) => Promise<Evaluated>;
}

/** The bounds of the threads. */
interface ThreadSettings {
  readonly threads?: number;
  /** For one evaluation, which has bounds of its own and should end long before. */
  readonly timeoutMs?: number;
  /** Mebibytes of JavaScript objects in one thread. */
  readonly memoryMiB?: number;
  readonly clock?: Clock;
}

/**
 * A pool of threads, each started when it is first needed. An idle thread does not keep the process
 * alive. A thread that runs out of time or memory is abandoned together with its one evaluation.
 */
export function createEvaluator(settings: ThreadSettings = {}): Evaluator {
  const bounds = { ...DEFAULTS, ...settings };
  const slots = new Slots(bounds.threads);
  const idle = new Set([new EvaluationThread(bounds)]);
  const pick = () => {
    for (const thread of idle) {
      idle.delete(thread);
      if (thread.alive) return thread;
    }
    return new EvaluationThread(bounds);
  };
  const evaluate = async (saved: Saved) => {
    const release = await slots.take(ANYBODY, NEVER);
    const thread = pick();
    try {
      return await thread.evaluate(saved);
    } finally {
      if (thread.alive) idle.add(thread);
      release?.();
    }
  };
  return { evaluate };
}

const ANYBODY = { party: 'anybody', most: Number.POSITIVE_INFINITY };

const NEVER = new AbortController().signal;

const DEFAULTS = {
  // Two even on one core, so that a long evaluation does not hold up the short ones.
  threads: Math.max(2, availableParallelism() - 1),
  timeoutMs: 60_000,
  memoryMiB: 1_024,
  clock: systemClock,
} as const satisfies Required<ThreadSettings>;

/** With this file's own extension: it runs from source and built. */
const PROGRAM = new URL(`./evaluation-thread${/\.\w+$/.exec(import.meta.url)?.[0]}`, import.meta.url);

class EvaluationThread {
  readonly #bounds: Required<ThreadSettings>;
  readonly #worker: Worker;
  #settle: ((reply: ThreadReply) => void) | undefined;
  #alive = true;

  constructor(bounds: Required<ThreadSettings>) {
    this.#bounds = bounds;
    this.#worker = new Worker(PROGRAM, { resourceLimits: { maxOldGenerationSizeMb: bounds.memoryMiB } });
    this.#worker.on('message', (reply: ThreadReply) => this.#settle?.(reply));
    this.#worker.on('messageerror', (error) => this.#giveUp(error));
    this.#worker.on('error', (error) => this.#giveUp(error));
    this.#worker.on('exit', (code) => this.#giveUp(new Error(`an evaluation thread ended with ${code}`)));
    this.#worker.unref();
  }

  /** Whether it can be used again. */
  get alive(): boolean {
    return this.#alive;
  }

  /** To be called again only once it has settled. */
  async evaluate(saved: Saved): Promise<Evaluated> {
    const { clock, timeoutMs } = this.#bounds;
    const slow = new Error(`an evaluation took longer than ${timeoutMs} ms`);
    const cancelTimer = clock.after(timeoutMs, () => this.#giveUp(slow));
    this.#worker.ref();
    const reply = new Promise<ThreadReply>((resolve) => {
      this.#settle = resolve;
      this.#worker.postMessage(saved);
    });
    return await reply.then(evaluatedIn).finally(() => {
      cancelTimer();
      this.#worker.unref();
    });
  }

  #giveUp(error: unknown): void {
    this.#alive = false;
    this.#settle?.({ kind: 'threw', error });
    void this.#worker.terminate();
  }
}

function evaluatedIn(reply: ThreadReply): Evaluated {
  if (reply.kind === 'threw') throw reply.error;
  return reply.evaluated;
}
