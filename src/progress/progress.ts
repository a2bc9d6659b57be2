import type { SummaryRow } from '../document/ends.ts';
import type { Conclusion, ExchangeEvent } from '../document/events.ts';
import type { ServerList } from '../document/servers.ts';
import { wasAsked } from '../reading/software-line.ts';
import { type Question, questionKey } from '../wire/question.ts';
import type { RunEvent } from './run-event.ts';
import { SeenZones } from './seen-zones.ts';
import { Waits } from './waits.ts';

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
  /** How many servers have been asked who they are. */
  identified = 0;
  list: ServerList | undefined;
  connection: 'up' | 'lost' = 'up';
  /** On the way to the name that was asked for. */
  zones = new SeenZones();
  /** On the way to other names: those of name servers, and targets of aliases. */
  elsewhere = new SeenZones();
  readonly waits = new Waits();
  /** As the last event of progress said, less what was heard since. */
  #pending = 0;

  /** Exchanges that have not ended. */
  get awaited(): number {
    return Math.max(this.#pending, this.waits.size);
  }

  note(event: RunEvent): void {
    switch (event.event) {
      case 'started':
        this.question = event.query;
        this.#startAfresh();
        return;
      case 'try':
        this.waits.begin({ server: event, question: event.question }, event.number);
        return;
      case 'exchange':
        this.#hear(event);
        return;
      case 'progress':
        this.heard = event.exchanges;
        this.#pending = event.pending;
        for (const asked of event.awaited ?? []) this.waits.begin(asked, 0);
        this.summary = event.summary;
        return;
      case 'complete':
        this.#pending = 0;
        this.waits.clear();
        this.summary = event.summary;
        this.complete = event;
        return;
      case 'identified':
        if (wasAsked(event.server)) this.identified += 1;
        return;
      case 'servers':
        this.list = event;
        this.identified = event.servers.filter(wasAsked).length;
        return;
      case 'connection':
        this.connection = event.state === 'lost' ? 'lost' : 'up';
        return;
    }
  }

  /** A job that is run again tells everything again. */
  #startAfresh(): void {
    this.heard = 0;
    this.replies = 0;
    this.#pending = 0;
    this.summary = [];
    this.zones = new SeenZones();
    this.elsewhere = new SeenZones();
    this.waits.clear();
  }

  #hear(event: ExchangeEvent): void {
    this.heard += 1;
    if (event.failure !== 'timeout' && event.failure !== 'unreachable') this.replies += 1;
    this.#pending = Math.max(0, this.#pending - 1);
    this.waits.end(event);
    const isAsked = this.question !== undefined && questionKey(this.question) === questionKey(event.question);
    (isAsked ? this.zones : this.elsewhere).hear(event);
  }
}
