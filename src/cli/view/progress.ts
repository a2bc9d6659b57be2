import type { SummaryRow } from '../../document/ends.ts';
import type { Conclusion, ExchangeEvent } from '../../document/events.ts';
import type { ServerList } from '../../document/servers.ts';
import { type Question, questionKey } from '../../wire/question.ts';
import type { RunEvent } from '../runner/observer.ts';
import { SeenZones } from './seen-zones.ts';

/** A try that has not ended yet. */
export interface OpenTry {
  readonly address: string;
  readonly question: Question;
  /** 1 is the first of its exchange. */
  readonly number: number;
}

/** What the events of a run have told so far: the one model that every live view draws. */
export class Progress {
  /** Of `performance.now`. */
  readonly startedAt = performance.now();
  /** Undefined until the traversal has started. */
  question: Question | undefined;
  /** Exchanges that have ended. */
  heard = 0;
  /** Exchanges that brought a reply of whatever kind. */
  replies = 0;
  /** Preliminary, until it is complete. */
  summary: readonly SummaryRow[] = [];
  complete: Conclusion | undefined;
  /** How many servers have been identified. */
  identified = 0;
  list: ServerList | undefined;
  connection: 'up' | 'lost' = 'up';
  /** On the way to the name that was asked for. */
  readonly zones = new SeenZones();
  /** On the way to other names: those of name servers, and targets of aliases. */
  readonly elsewhere = new SeenZones();
  readonly #tries = new Map<string, OpenTry>();
  /** As the last event of progress said, less what was heard since. */
  #pending = 0;

  /** Exchanges that have not ended. */
  get awaited(): number {
    return Math.max(this.#pending, this.#tries.size);
  }

  /** The tries that are awaited, as far as they are known: those with most tries before them first. */
  get openTries(): readonly OpenTry[] {
    return [...this.#tries.values()].sort((a, b) => b.number - a.number);
  }

  note(event: RunEvent): void {
    switch (event.event) {
      case 'started':
        this.question = event.query;
        return;
      case 'try':
        this.#tries.set(tryKey(event.address, event.question), event);
        return;
      case 'exchange':
        this.#hear(event);
        return;
      case 'progress':
        this.heard = event.exchanges;
        this.#pending = event.pending;
        this.summary = event.summary;
        return;
      case 'complete':
        this.#pending = 0;
        this.#tries.clear();
        this.summary = event.summary;
        this.complete = event;
        return;
      case 'identified':
        this.identified += 1;
        return;
      case 'servers':
        this.list = event;
        this.identified = event.servers.length;
        return;
      case 'connection':
        this.connection = event.state === 'lost' ? 'lost' : 'up';
        return;
    }
  }

  #hear(event: ExchangeEvent): void {
    this.heard += 1;
    if (event.failure !== 'timeout' && event.failure !== 'unreachable') this.replies += 1;
    this.#pending = Math.max(0, this.#pending - 1);
    this.#tries.delete(tryKey(event.server.address, event.question));
    const isAsked = this.question !== undefined && questionKey(this.question) === questionKey(event.question);
    (isAsked ? this.zones : this.elsewhere).hear(event);
  }
}

function tryKey(address: string, question: Question): string {
  return `${address} ${questionKey(question)}`;
}
