import type { Pacer, Turn } from '../exchange/pace.ts';
import type { TaskNumber, ToWorker, TurnNews, TurnNumber, TurnRequest } from './messages.ts';

/**
 * The main thread's end of pacing for one worker: puts the worker's requests to the pacer that all
 * workers share, each task with a signal of its own, and tells in batches whose turn has come.
 */
export class TurnDesk {
  readonly #pacer: Pacer;
  readonly #post: (message: ToWorker) => void;
  readonly #tasks = new Map<TaskNumber, AbortController>();
  /** What the worker has asked for: not come yet, ended before it came, or the turn that it has. */
  readonly #turns = new Map<TurnNumber, 'asked' | 'ended' | Turn>();
  #come: TurnNumber[] = [];

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
    for (const turn of this.#turns.values()) if (typeof turn === 'object') turn.end();
    this.#turns.clear();
  }

  /** Takes in what became of turns. */
  take({ asked, left, ended }: TurnNews): void {
    for (const request of asked) this.#ask(request);
    for (const number of left) this.#leave(number);
    for (const number of ended) this.#end(number);
  }

  #ask({ turn: number, task, address, rank }: TurnRequest): void {
    const signal = this.#tasks.get(task)?.signal;
    if (signal === undefined) return;
    this.#turns.set(number, 'asked');
    this.#pacer.acquire(address, signal, rank).then(
      (turn) => this.#comes(number, turn),
      () => this.#turns.delete(number),
    );
  }

  #comes(number: TurnNumber, turn: Turn): void {
    if (this.#turns.get(number) !== 'asked') {
      this.#turns.delete(number);
      turn.end();
      return;
    }
    this.#turns.set(number, turn);
    this.#come.push(number);
    if (this.#come.length > 1) return;
    setImmediate(() => {
      const turns = this.#come;
      this.#come = [];
      this.#post({ kind: 'turns', turns });
    });
  }

  #leave(number: TurnNumber): void {
    const turn = this.#turns.get(number);
    if (typeof turn === 'object') turn.leave();
  }

  #end(number: TurnNumber): void {
    const turn = this.#turns.get(number);
    if (turn === 'asked') this.#turns.set(number, 'ended');
    if (typeof turn !== 'object') return;
    this.#turns.delete(number);
    turn.end();
  }
}
