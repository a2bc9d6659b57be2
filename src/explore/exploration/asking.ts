import type { Exchange, Exchanged } from '../../exchange/exchanged.ts';
import type { QueryRank, Urgency } from '../../exchange/query.ts';
import { EventLoopThrottle, RisingUrgency } from '../../exchange/urgency.ts';
import type { BudgetGuard } from '../budget.ts';
import { Denied } from '../policy.ts';
import type { WantedQuery } from './questions.ts';

/** Puts questions on the wire, each once however often it is asked, and takes in what comes of them. */
export class Asking {
  readonly #tools: AskingTools;
  readonly #heard: Map<string, Exchanged>;
  readonly #mailbox = new Mailbox();
  readonly #departing: EventLoopThrottle<Departing>;
  readonly #asked = new Set<string>();
  readonly #denied: Map<string, WantedQuery>;
  /** Keys of what is on the wire, and what of it the cold walk waits for. */
  readonly #onWire = { all: new Set<string>(), cold: new Set<string>() };
  /** The same with what has ended and was not taken yet. */
  readonly #untaken = { all: new Set<string>(), cold: new Set<string>() };
  /** By key: how urgent a question of an extra walk is that has not ended. */
  readonly #rising = new Map<string, RisingUrgency>();
  #count = 0;

  constructor(tools: AskingTools, { heard, denied }: Ended) {
    this.#tools = tools;
    this.#heard = heard;
    this.#denied = denied;
    this.#departing = new EventLoopThrottle((query) => this.#put(query), tools.guard.stop);
  }

  /** What was heard, by key. */
  get heard(): ReadonlyMap<string, Exchanged> {
    return this.#heard;
  }

  /** Keys of what was put on the wire. */
  get asked(): ReadonlySet<string> {
    return this.#asked;
  }

  /** How many questions have not been taken since they were asked. */
  awaited(whose: Whose): number {
    return this.#untaken[whose].size;
  }

  /** Puts a question on the wire, unless it was before: then it may become more urgent. */
  ask(wanted: WantedQuery, rank: QueryRank): void {
    const { key, links, place } = wanted;
    if (this.#heard.has(key) || this.#denied.has(key)) return;
    const isNew = !this.#untaken.all.has(key);
    if (rank === 'cold') this.#untaken.cold.add(key);
    if (rank === 'cold' && (isNew || this.#onWire.all.has(key))) this.#onWire.cold.add(key);
    if (!isNew) {
      this.#rising.get(key)?.raise({ rank, links, place });
      return;
    }
    this.#asked.add(key);
    this.#untaken.all.add(key);
    this.#onWire.all.add(key);
    const rising = this.#risingFor(key, { rank, links, place });
    this.#departing.add({ order: this.#count, wanted, rank, rising }, { rank, links, place, rising });
    this.#count += 1;
  }

  /** Nothing is more urgent than the cold walk. */
  #risingFor(key: string, first: Required<Urgency>): RisingUrgency | undefined {
    if (first.rank === 'cold') return undefined;
    const rising = new RisingUrgency(first);
    this.#rising.set(key, rising);
    return rising;
  }

  #put({ order, wanted, rank, rising }: Departing): void {
    const { address, question, zone, links, place } = wanted;
    const { exchange, guard } = this.#tools;
    const calledOff = { order, wanted, exchanged: undefined };
    if (this.#isDenied(wanted) || guard.stop.aborted) {
      this.#arrive(calledOff);
      return;
    }
    const leaving = () => {
      if (this.#isDenied(wanted)) throw new Denied();
      guard.send();
    };
    exchange({ address, question, rank, zone, links, place, rising }, guard.stop, leaving).then(
      (exchanged) => {
        this.#arrive({ ...calledOff, exchanged });
        guard.hear(exchanged.traffic.bytesReceived);
      },
      (reason) => {
        if (guard.stop.aborted || reason instanceof Denied) this.#arrive(calledOff);
        else this.#mailbox.fail(reason);
      },
    );
  }

  #isDenied(wanted: WantedQuery): boolean {
    if (this.#tools.mayAsk(wanted)) return false;
    this.#denied.set(wanted.key, wanted);
    return true;
  }

  #arrive(arrival: Arrival): void {
    this.#onWire.all.delete(arrival.wanted.key);
    this.#onWire.cold.delete(arrival.wanted.key);
    this.#rising.delete(arrival.wanted.key);
    this.#mailbox.put(arrival);
  }

  /** Waits until at least one question has ended, and takes all that have. */
  async takeSome(): Promise<void> {
    for (const arrival of await this.#mailbox.take((arrived) => arrived > 0)) this.#take(arrival);
  }

  /**
   * Waits for all that is on the wire, or all of the cold walk, and takes what has ended in the order in
   * which it was asked, whoever replied first. They end at once when `stop` is aborted.
   */
  async takeAll(whose: Whose): Promise<void> {
    for (const arrival of await this.#mailbox.take(() => this.#onWire[whose].size === 0)) this.#take(arrival);
  }

  #take({ wanted, exchanged }: Arrival): void {
    this.#untaken.all.delete(wanted.key);
    this.#untaken.cold.delete(wanted.key);
    if (exchanged === undefined) return;
    this.#heard.set(wanted.key, exchanged);
    this.#tools.learn(wanted, exchanged, this.#heard.size);
  }
}

/** What one run of an exploration asks with. */
interface AskingTools {
  readonly exchange: Exchange;
  /** Calls everything off that is on the wire when it is over. */
  readonly guard: BudgetGuard;
  /** Whether the policy allows asking this now; it is asked again before each packet. */
  readonly mayAsk: (wanted: WantedQuery) => boolean;
  /** Receives the exchange of each question, in the order heard. */
  readonly learn: (wanted: WantedQuery, exchanged: Exchanged, position: number) => void;
}

/** What became of questions, by key: is filled while they are asked. */
interface Ended {
  readonly heard: Map<string, Exchanged>;
  /** What the policy has come to forbid since it was known. */
  readonly denied: Map<string, WantedQuery>;
}

/** A question that is to go out. */
interface Departing {
  /** In which it was asked. */
  readonly order: number;
  readonly wanted: WantedQuery;
  readonly rank: QueryRank;
  /** Only of a question that the cold walk may come to want, too. */
  readonly rising: RisingUrgency | undefined;
}

/** All questions, or only those of the cold walk. */
type Whose = 'all' | 'cold';

/** A question that was put on the wire and has ended. */
interface Arrival {
  /** In which it was asked. */
  readonly order: number;
  readonly wanted: WantedQuery;
  /** Undefined when it was called off. */
  readonly exchanged: Exchanged | undefined;
}

/** Where ended exchanges wait until the driver takes them, in the order in which they were asked. */
class Mailbox {
  #arrived: Arrival[] = [];
  #wake: (() => void) | undefined;
  #failure: { readonly reason: unknown } | undefined;

  put(arrival: Arrival): void {
    this.#arrived.push(arrival);
    this.#wake?.();
  }

  /** Makes `take` reject. */
  fail(reason: unknown): void {
    this.#failure = { reason };
    this.#wake?.();
  }

  /** Waits until there is enough, then takes all. Rejects with the reason given to `fail`. */
  async take(isEnough: (arrived: number) => boolean): Promise<readonly Arrival[]> {
    while (!isEnough(this.#arrived.length) && this.#failure === undefined) {
      await new Promise<void>((wake) => {
        this.#wake = wake;
      });
    }
    if (this.#failure !== undefined) throw this.#failure.reason;
    const taken = this.#arrived.sort((a, b) => a.order - b.order);
    this.#arrived = [];
    return taken;
  }
}
