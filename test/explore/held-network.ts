import { onAbort } from '../../src/base/abort.ts';
import { letOthersRun } from '../../src/base/event-loop.ts';
import type { Exchanged } from '../../src/exchange/exchanged.ts';
import type { QueryRank, RankedQuery } from '../../src/exchange/query.ts';
import type { Budget } from '../../src/explore/budget.ts';
import { Explorer } from '../../src/explore/explore.ts';
import { exchangeIn, scopeOf, type TableWorld } from '../evaluate/table-world.ts';

export const PLENTY: Budget = { maxQueries: 1_000, maxTimeMs: 60_000 };

interface Waiting {
  readonly row: string;
  readonly query: RankedQuery;
  readonly resolve: (exchanged: Exchanged) => void;
  readonly reject: (reason: unknown) => void;
}

/** A network on which the test decides which question is answered next. */
export class HeldNetwork {
  readonly #world: TableWorld;
  #queue: Waiting[] = [];
  #explorer: Explorer | undefined;
  #state: 'exploring' | 'explored' = 'exploring';

  constructor(world: TableWorld) {
    this.#world = world;
  }

  explore(budget: Budget, signal: AbortSignal = new AbortController().signal): ReturnType<Explorer['run']> {
    this.#explorer = new Explorer(scopeOf(this.#world), budget);
    const silent = { heard: () => undefined };
    const run = this.#explorer.run((query, stop) => this.#ask(query, stop), signal, silent);
    const over = () => {
      this.#state = 'explored';
    };
    run.then(over, over);
    return run;
  }

  get explorer(): Explorer {
    if (this.#explorer === undefined) throw new Error('nothing is explored yet');
    return this.#explorer;
  }

  /** The questions on the wire, in the order they were asked. */
  get waiting(): readonly string[] {
    return this.#queue.map(({ row }) => row);
  }

  /** How urgent a question on the wire is by now. */
  rankOf(row: string): QueryRank | undefined {
    const query = this.#queue.find((one) => one.row === row)?.query;
    return query?.rising?.now.rank ?? query?.rank;
  }

  async answer(row: string): Promise<void> {
    const [waiting] = this.#queue.filter((one) => one.row === row);
    if (waiting === undefined) throw new Error(`nobody asked ${row}`);
    this.#queue = this.#queue.filter((one) => one !== waiting);
    waiting.resolve(exchangeIn(this.#world, waiting.query));
    await settled();
  }

  /** Answers one by one, in an order that a seed chooses, until exploring is over. */
  async answerAll(seed = 0): Promise<void> {
    await settled();
    for (let turn = seed; this.#state === 'exploring'; turn += seed * 7 + 1) {
      if (this.#queue.length === 0) await letOthersRun();
      else await this.answer(this.waiting[turn % this.#queue.length] ?? '');
    }
  }

  fail(reason: Error): void {
    this.#queue.shift()?.reject(reason);
  }

  #ask(query: RankedQuery, stop: AbortSignal): Promise<Exchanged> {
    const { name, type } = query.question;
    return new Promise((resolve, reject) => {
      const waiting = { row: `${query.address} ${name} ${type}`, query, resolve, reject };
      this.#queue.push(waiting);
      onAbort(stop, () => {
        this.#queue = this.#queue.filter((one) => one !== waiting);
        reject(stop.reason);
      });
    });
  }
}

/** Lets everything that can go on without the network go on. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
