import type { SummaryRow } from '../../document/ends.ts';
import type { Conclusion, JobEvent, TraversalEvent } from '../../document/events.ts';
import type { ServerList } from '../../document/servers.ts';
import type { Name } from '../../wire/name.ts';
import { type Question, questionKey } from '../../wire/question.ts';

type ExchangeEvent = Extract<TraversalEvent, { readonly event: 'exchange' }>;

/** What a reply was to the step that asked for it first. */
export type ReplyClass = ExchangeEvent['class'];

/** One address, as a zone's servers are seen. */
export interface SeenServer {
  readonly address: string;
  /** How often it did what. */
  readonly classes: ReadonlyMap<ReplyClass, number>;
}

/** One zone and the addresses that were asked for it, in the order they were heard. */
export interface SeenZone {
  readonly zone: Name;
  readonly servers: ReadonlyMap<string, SeenServer>;
}

/** What a job's events have told so far. */
export class Picture {
  /** Undefined until it has started. */
  question: Question | undefined;
  heard = 0;
  waiting = 0;
  /** Preliminary, until it is complete. */
  summary: readonly SummaryRow[] = [];
  complete: Conclusion | undefined;
  /** How many servers have said who they are. */
  identified = 0;
  list: ServerList | undefined;
  connection: 'there' | 'lost' = 'there';
  /** Exchanges that brought a reply of whatever kind. */
  replies = 0;
  /** Zones on the way to the name that was asked for. */
  readonly zones = new Zones();
  /** Zones on the way to other names: those of name servers, and targets of aliases. */
  readonly elsewhere = new Zones();

  note(event: JobEvent): void {
    switch (event.event) {
      case 'started':
        this.question = event.query;
        return;
      case 'exchange':
        this.#hear(event);
        return;
      case 'progress':
        this.heard = event.exchanges;
        this.waiting = event.pending;
        this.summary = event.summary;
        return;
      case 'complete':
        this.waiting = 0;
        this.summary = event.summary;
        this.complete = event;
        return;
      case 'servers':
        this.list = event;
        this.identified = event.servers.length;
    }
  }

  #hear(event: ExchangeEvent): void {
    this.heard += 1;
    this.waiting = Math.max(0, this.waiting - 1);
    if (event.failure !== 'timeout' && event.failure !== 'unreachable') this.replies += 1;
    const asked = this.question !== undefined && questionKey(this.question) === questionKey(event.question);
    (asked ? this.zones : this.elsewhere).hear(event);
  }
}

/** Zones in the order in which their servers were heard first. */
class Zones {
  readonly #zones = new Map<Name, { zone: Name; servers: Map<string, MutableServer> }>();

  get all(): Iterable<SeenZone> {
    return this.#zones.values();
  }

  hear({ zone, server, class: kind }: ExchangeEvent): void {
    const seen = this.#zones.get(zone) ?? { zone, servers: new Map() };
    this.#zones.set(zone, seen);
    const { address } = server;
    const known = seen.servers.get(address) ?? { address, classes: new Map() };
    seen.servers.set(address, known);
    known.classes.set(kind, (known.classes.get(kind) ?? 0) + 1);
  }
}

interface MutableServer {
  readonly address: string;
  readonly classes: Map<ReplyClass, number>;
}
