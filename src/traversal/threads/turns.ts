import { onAbort } from '../../base/abort.ts';
import type { MainPacer, Pacer, Turn } from '../../exchange/pacer.ts';
import type { LiveUrgency } from '../../exchange/query.ts';
import { RisingUrgency, urgencyNow } from '../../exchange/urgency.ts';
import type {
  FromWorker,
  RaisedTurn,
  SendingLeave,
  TaskNumber,
  ToWorker,
  TurnNews,
  TurnNumber,
  TurnRequest,
} from './messages.ts';

/**
 * The worker's end of pacing. Who may send when is decided in the main thread; requests and turns cross over in batches, one
 * message for each turn of the event loop. However late a turn is taken, no rate is exceeded: a packet counts from when
 * the main thread hears that it left.
 */
export class WorkerTurns {
  readonly #post: (message: FromWorker) => void;
  readonly #waiting = new Map<TurnNumber, () => void>();
  #news: {
    asked: TurnRequest[];
    raised: RaisedTurn[];
    left: TurnNumber[];
    ended: TurnNumber[];
  } = nothingNew();
  #state: 'quiet' | 'about-to-tell' = 'quiet';
  #count = 0;

  constructor(post: (message: FromWorker) => void) {
    this.#post = post;
  }

  /** The pacer for one task: tasks take turns at an address. `left` is told of each packet. */
  pacerFor(task: TaskNumber, left = () => {}): Pacer {
    return {
      acquire: (address, signal, urgency = {}) =>
        new Promise((resolve, reject) => {
          if (signal.aborted) return reject(signal.reason);
          this.#count += 1;
          const turn = this.#count;
          const stay = onAbort(signal, () => {
            this.#waiting.delete(turn);
            this.#tell('ended', turn);
            reject(signal.reason);
          });
          this.#waiting.set(turn, () => {
            stay();
            resolve(this.#turn(turn, left));
          });
          this.#news.asked.push({ turn, task, address, ...urgencyNow(urgency) });
          urgency.rising?.onRise(() => this.#raise(turn, urgency));
          this.#tellSoon();
        }),
    };
  }

  /** The main thread says that these turns have come. */
  take(turns: readonly TurnNumber[]): void {
    for (const number of turns) {
      const go = this.#waiting.get(number);
      this.#waiting.delete(number);
      go?.();
    }
  }

  #raise(turn: TurnNumber, urgency: LiveUrgency): void {
    if (!this.#waiting.has(turn)) return;
    this.#news.raised.push({ turn, ...urgencyNow(urgency) });
    this.#tellSoon();
  }

  #turn(number: TurnNumber, left: () => void): Turn {
    let state: 'here' | 'left' | 'ended' = 'here';
    return {
      leave: () => {
        if (state !== 'here') return;
        state = 'left';
        left();
        this.#tell('left', number);
      },
      end: () => {
        if (state === 'ended') return;
        state = 'ended';
        this.#tell('ended', number);
      },
    };
  }

  #tell(what: 'left' | 'ended', turn: TurnNumber): void {
    this.#news[what].push(turn);
    this.#tellSoon();
  }

  #tellSoon(): void {
    if (this.#state === 'about-to-tell') return;
    this.#state = 'about-to-tell';
    setImmediate(() => {
      this.#state = 'quiet';
      const news: TurnNews = this.#news;
      this.#news = nothingNew();
      this.#post({ kind: 'pace', ...news });
    });
  }
}

function nothingNew() {
  return { asked: [], raised: [], left: [], ended: [] };
}

/** A task that may ask for turns. */
interface OpenTask {
  /** Calls off what it waits for; the pacer knows it by the signal. */
  readonly controller: AbortController;
  packets: number;
  /** How many turns it waits for. */
  wanted: number;
  /** Is told that number whenever it changes. */
  readonly wants: (packets: number) => void;
}

/**
 * The main thread's end of pacing: puts the worker's requests to the pacer of the process, each task with a signal of its
 * own, and tells in batches whose turn has come.
 */
export class MainTurns {
  readonly #pacer: MainPacer;
  readonly #post: (message: ToWorker) => void;
  readonly #tasks = new Map<TaskNumber, OpenTask>();
  /** What the worker has asked for: how urgently if it has not come yet, ended before it came, or the turn that it has. */
  readonly #turns = new Map<TurnNumber, RisingUrgency | 'ended' | Turn>();
  #come: TurnNumber[] = [];

  constructor(pacer: MainPacer, post: (message: ToWorker) => void) {
    this.#pacer = pacer;
    this.#post = post;
  }

  /** A task of the worker begins: it may ask for turns. `wants` is told how many it waits for. */
  open(task: TaskNumber, wants: OpenTask['wants'] = () => {}): void {
    this.#tasks.set(task, { controller: new AbortController(), packets: 0, wanted: 0, wants });
  }

  /** How many packets a task can have sent: as many as turns have come to it. */
  packets(task: TaskNumber): number {
    return this.#tasks.get(task)?.packets ?? 0;
  }

  /** Whether a task may send: if not, the packets that it wants to send wait. */
  give(task: TaskNumber, leave: SendingLeave): void {
    const signal = this.#tasks.get(task)?.controller.signal;
    if (signal === undefined) return;
    if (leave === 'waits') this.#pacer.hold(signal);
    else this.#pacer.release(signal);
  }

  /** A task is over: what it still waits for is dropped. */
  forget(task: TaskNumber): void {
    this.#tasks.get(task)?.controller.abort();
    this.#tasks.delete(task);
  }

  /** The worker is gone, and everything that it held is free again. */
  closeAll(): void {
    for (const task of this.#tasks.keys()) this.forget(task);
    for (const turn of this.#turns.values()) if (isTurn(turn)) turn.end();
    this.#turns.clear();
  }

  /** Takes in what became of turns. */
  take({ asked, raised, left, ended }: TurnNews): void {
    for (const request of asked) this.#ask(request);
    for (const { turn: number, ...urgency } of raised) {
      const turn = this.#turns.get(number);
      if (turn instanceof RisingUrgency) turn.raise(urgency);
    }
    for (const number of left) {
      const turn = this.#turns.get(number);
      if (isTurn(turn)) turn.leave();
    }
    for (const number of ended) this.#end(number);
  }

  #ask({ turn: number, task, address, ...urgency }: TurnRequest): void {
    const open = this.#tasks.get(task);
    if (open === undefined) return;
    const rising = new RisingUrgency(urgency);
    this.#turns.set(number, rising);
    want(open, 1);
    this.#pacer
      .acquire(address, open.controller.signal, { ...urgency, rising })
      .then(
        (turn) => this.#comes(number, turn, open),
        () => this.#turns.delete(number),
      )
      .finally(() => want(open, -1));
  }

  #comes(number: TurnNumber, turn: Turn, open: OpenTask): void {
    if (!(this.#turns.get(number) instanceof RisingUrgency)) {
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

  #end(number: TurnNumber): void {
    const turn = this.#turns.get(number);
    if (turn instanceof RisingUrgency) this.#turns.set(number, 'ended');
    if (!isTurn(turn)) return;
    this.#turns.delete(number);
    turn.end();
  }
}

function isTurn(turn: RisingUrgency | 'ended' | Turn | undefined): turn is Turn {
  return typeof turn === 'object' && 'leave' in turn;
}

function want(task: OpenTask, more: number): void {
  task.wanted += more;
  task.wants(task.wanted);
}
