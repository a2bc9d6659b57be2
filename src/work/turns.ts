import { onAbort } from '../abort.ts';
import type { Pacer, Turn } from '../exchange/pace.ts';
import { urgencyNow } from '../exchange/pacing/urgency.ts';
import type { LiveUrgency } from '../exchange/query.ts';
import type { FromWorker, RaisedTurn, TaskNumber, TurnNews, TurnNumber, TurnRequest } from './messages.ts';

/**
 * The worker's end of pacing. Who may send when is decided in one place for all workers, the main
 * thread; requests and turns cross over in batches, one message for each turn of the event loop. However
 * late a turn is taken, no rate is exceeded: a packet counts from when the main thread hears that it left.
 */
export class Turns {
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
      acquire: (address, signal, urgency = {}) => this.#acquire({ task, address, urgency }, signal, left),
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

  #acquire({ task, address, urgency }: WantedTurn, signal: AbortSignal, left: () => void): Promise<Turn> {
    return new Promise((resolve, reject) => {
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
    });
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

/** A turn that something in this thread waits for. */
interface WantedTurn extends Pick<TurnRequest, 'task' | 'address'> {
  readonly urgency: LiveUrgency;
}
