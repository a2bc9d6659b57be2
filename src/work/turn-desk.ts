import type { Pacer, Release } from '../exchange/pace.ts';
import {
  monotonicMs,
  type TaskNumber,
  type ToWorker,
  type TurnNumber,
  type TurnRequest,
} from './messages.ts';

/**
 * The main thread's end of pacing for one worker: puts the worker's requests to the pacer that all
 * workers share, each task with a signal of its own, and hands leave back in batches.
 */
export class TurnDesk {
  readonly #pacer: Pacer;
  readonly #post: (message: ToWorker) => void;
  readonly #tasks = new Map<TaskNumber, AbortController>();
  /** Turns that the worker has, and those given back before their leave came. */
  readonly #turns = new Map<TurnNumber, Release | 'given-back'>();
  #granted: TurnNumber[] = [];

  constructor(pacer: Pacer, post: (message: ToWorker) => void) {
    this.#pacer = pacer;
    this.#post = post;
  }

  /** A task of the worker begins: it may ask for turns. */
  open(task: TaskNumber): void {
    this.#tasks.set(task, new AbortController());
  }

  /** A task sends nothing more: what it still waits for is dropped. */
  close(task: TaskNumber): void {
    this.#tasks.get(task)?.abort();
    this.#tasks.delete(task);
  }

  /** The worker is gone, and everything that it held is free again. */
  closeAll(): void {
    for (const task of this.#tasks.keys()) this.close(task);
    for (const turn of this.#turns.values()) if (turn !== 'given-back') turn();
    this.#turns.clear();
  }

  /** Takes in what the worker asks for and gives back. */
  take(asked: readonly TurnRequest[], given: readonly TurnNumber[]): void {
    for (const request of asked) this.#ask(request);
    for (const turn of given) this.#giveBack(turn);
  }

  #ask({ turn, task, address }: TurnRequest): void {
    const signal = this.#tasks.get(task)?.signal;
    if (signal === undefined) return;
    this.#pacer.acquire(address, signal).then(
      (release) => this.#grant(turn, release),
      () => this.#turns.delete(turn),
    );
  }

  #grant(turn: TurnNumber, release: Release): void {
    if (this.#turns.delete(turn)) {
      release();
      return;
    }
    this.#turns.set(turn, release);
    this.#granted.push(turn);
    if (this.#granted.length > 1) return;
    const at = monotonicMs();
    setImmediate(() => {
      const turns = this.#granted;
      this.#granted = [];
      this.#post({ kind: 'turns', turns, at });
    });
  }

  #giveBack(turn: TurnNumber): void {
    const held = this.#turns.get(turn);
    if (held === undefined) this.#turns.set(turn, 'given-back');
    else if (held !== 'given-back') {
      this.#turns.delete(turn);
      held();
    }
  }
}
