import { type Question, questionKey } from '../../dns/message.ts';
import type { Name } from '../../dns/name.ts';
import type { Conclusion, ExchangeEvent, JobEvent } from '../../document/events.ts';
import type { ListedServer, ServerList } from '../../document/servers.ts';
import { SeenZones } from './seen-zones.ts';
import { wasAsked } from './wording.ts';

/** The state of a running traversal, gathered from its events: the model behind every live view of terminal and page. */
export class Progress {
  /** Of `performance.now`. */
  readonly startedAt = performance.now();
  /** Undefined until the traversal has started. */
  question: Question | undefined;
  /** Exchanges that have ended. */
  heard = 0;
  /** Exchanges that brought any reply. */
  replies = 0;
  complete: Conclusion | undefined;
  /** How many servers have been asked which software they run. */
  identified = 0;
  list: ServerList | undefined;
  connection: 'up' | 'lost' = 'up';
  /** On the way to the name that was asked for. */
  zones = new SeenZones();
  /** On the way to other names: those of name servers, and targets of aliases. */
  elsewhere = new SeenZones();
  readonly waits = new Waits();
  /** Of the last progress event, less the exchanges that have ended since. */
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
        return;
      case 'complete':
        this.#pending = 0;
        this.waits.clear();
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

  /** A job that runs again emits all events again. */
  #startAfresh(): void {
    this.heard = 0;
    this.replies = 0;
    this.#pending = 0;
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

/** What happens during a run: the events of a job, and some that are not published. */
export type RunEvent =
  | JobEvent
  /** A try begins: 1 is the first of its exchange. Only of local runs that share no exchanges. */
  | {
      readonly event: 'try';
      readonly address: string;
      readonly question: Question;
      readonly number: number;
    }
  /** A row of the server list is final, before all of them are. Only of local runs. */
  | { readonly event: 'identified'; readonly server: ListedServer }
  /** The connection to a server was lost, or is back. Only of remote runs. */
  | { readonly event: 'connection'; readonly state: 'lost' | 'back' };

/** Whether an event is part of the interface. */
export function isPublished(event: RunEvent): event is JobEvent {
  switch (event.event) {
    case 'started':
    case 'exchange':
    case 'progress':
    case 'complete':
    case 'servers':
      return true;
    case 'try':
    case 'identified':
    case 'connection':
      return false;
  }
}

/** An exchange that has not ended. */
interface Wait {
  readonly address: string;
  /** The name of its server, once it is known. */
  readonly name: Name | undefined;
  readonly question: Question;
  /** Of the step that asked, where that is known. */
  readonly zone: Name | undefined;
  /** Tries so far, the present one included; 0 where that is not known. */
  readonly tries: number;
}

/** A server and what it was asked. */
interface Asked {
  readonly server: { readonly address: string; readonly names?: readonly Name[] };
  readonly question: Question;
  readonly zone?: Name | undefined;
}

/** The exchanges that a run waits for, as far as its events show them. */
class Waits {
  readonly #tries = new Map<string, Omit<Wait, 'name'>>();
  readonly #names = new Map<string, Name>();

  get size(): number {
    return this.#tries.size;
  }

  /** Those with the most tries first, then those that have waited longest. */
  get all(): readonly Wait[] {
    return [...this.#tries.values()]
      .map((wait) => ({ ...wait, name: this.#names.get(wait.address) }))
      .sort((a, b) => b.tries - a.tries);
  }

  /** An exchange is on its way; `tries`: how many there have been, 0 where that is not known. */
  begin(asked: Asked, tries: number): void {
    const { server, question } = asked;
    const [name] = server.names ?? [];
    if (name !== undefined) this.#names.set(server.address, name);
    const key = keyOf(asked);
    const known = this.#tries.get(key);
    this.#tries.set(key, {
      address: server.address,
      question,
      zone: asked.zone ?? known?.zone,
      tries: Math.max(known?.tries ?? 0, tries),
    });
  }

  end(asked: Asked): void {
    this.#tries.delete(keyOf(asked));
  }

  clear(): void {
    this.#tries.clear();
  }
}

function keyOf({ server, question }: Asked): string {
  return `${server.address} ${questionKey(question)}`;
}
