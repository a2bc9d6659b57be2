import type { JobEvent } from '../document/events.ts';
import type { ListedServer } from '../document/servers.ts';
import type { Question } from '../wire/question.ts';

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
