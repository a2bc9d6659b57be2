import type { Pacer, Turn } from '../exchange/pace.ts';
import { RisingUrgency } from '../exchange/pacing/urgency.ts';
import type { TaskNumber, ToWorker, TurnNews, TurnNumber, TurnRequest } from './messages.ts';

/** A task that may ask for turns. */
interface OpenTask {
  /** A closed one gets no more turns. */
  state: 'open' | 'closed';
  /** Calls off what it waits for; absent until it asks for a turn, which lines that go their own ways never do. */
  controller?: AbortController;
  packets: number;
}

/**
 * The main thread's end of pacing for one worker: puts the worker's requests to the pacer that all
 * workers share, each task with a signal of its own, and tells in batches whose turn has come.
 */
export class TurnDesk {
  readonly #pacer: Pacer;
  readonly #post: (message: ToWorker) => void;
  readonly #tasks = new Map<TaskNumber, OpenTask>();
  /** What the worker has asked for: not come yet, ended before it came, or the turn that it has. */
  readonly #turns = new Map<TurnNumber, 'asked' | 'ended' | Turn>();
  /** How urgently that is wanted which was not asked for the cold walk and has not come yet. */
  readonly #rising = new Map<TurnNumber, RisingUrgency>();
  #come: TurnNumber[] = [];

  constructor(pacer: Pacer, post: (message: ToWorker) => void) {
    this.#pacer = pacer;
    this.#post = post;
  }

  /** A task of the worker begins: it may ask for turns. */
  open(task: TaskNumber): void {
    this.#tasks.set(task, { state: 'open', packets: 0 });
  }

  /** How many packets a task can have sent: as many as turns have come to it. */
  packets(task: TaskNumber): number {
    return this.#tasks.get(task)?.packets ?? 0;
  }

  /** A task sends nothing more: what it still waits for is dropped. */
  close(task: TaskNumber): void {
    const known = this.#tasks.get(task);
    if (known === undefined) return;
    known.state = 'closed';
    known.controller?.abort();
  }

  /** A task is over. */
  forget(task: TaskNumber): void {
    this.close(task);
    this.#tasks.delete(task);
  }

  /** The worker is gone, and everything that it held is free again. */
  closeAll(): void {
    for (const task of this.#tasks.keys()) this.forget(task);
    for (const turn of this.#turns.values()) if (typeof turn === 'object') turn.end();
    this.#turns.clear();
  }

  /** Takes in what became of turns. */
  take({ asked, raised, left, ended }: TurnNews): void {
    for (const request of asked) this.#ask(request);
    for (const { turn, ...urgency } of raised) this.#rising.get(turn)?.raise(urgency);
    for (const number of left) this.#leave(number);
    for (const number of ended) this.#end(number);
  }

  #ask({ turn: number, task, address, ...urgency }: TurnRequest): void {
    const open = this.#tasks.get(task);
    if (open?.state !== 'open') return;
    this.#turns.set(number, 'asked');
    open.controller ??= new AbortController();
    const rising = urgency.rank === 'cold' ? undefined : new RisingUrgency(urgency);
    if (rising !== undefined) this.#rising.set(number, rising);
    this.#pacer.acquire(address, open.controller.signal, { ...urgency, rising }).then(
      (turn) => this.#comes(number, turn, open),
      () => this.#forget(number),
    );
  }

  #forget(number: TurnNumber): void {
    this.#turns.delete(number);
    this.#rising.delete(number);
  }

  #comes(number: TurnNumber, turn: Turn, open: OpenTask): void {
    this.#rising.delete(number);
    if (this.#turns.get(number) !== 'asked') {
      this.#turns.delete(number);
      turn.end();
      return;
    }
    this.#turns.set(number, turn);
    open.packets += 1;
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
