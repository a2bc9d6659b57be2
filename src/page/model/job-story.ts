import { unicodeName } from '../../dns/idn.ts';
import type { Question } from '../../dns/message.ts';
import { withoutFinalDot } from '../../dns/name.ts';
import type { JobEvent } from '../../document/events.ts';
import type { TraversalResult } from '../../document/result.ts';
import type { ServerList } from '../../document/servers.ts';
import { count } from '../../document/words/quantities.ts';
import { printable } from '../../document/words/shortened.ts';
import { Progress } from '../../report/views/progress.ts';
import type { FetchedJob } from '../service-api.ts';
import type { WrittenQuestion } from './page-url.ts';

/** All that a page knows of one job, out of the replies and events of the service. Tells its listener of changes. */
export class JobStory {
  stage: JobStage = { kind: 'unknown' };
  question: Question | undefined;
  progress = new Progress();
  connection: 'up' | 'lost' = 'up';
  servers: ServerList | undefined;
  /** How long it has been running: so many milliseconds at a moment of `performance.now`. */
  clock: { readonly elapsedMs: number; readonly at: number } | undefined;
  /** Counts changes. */
  revision = 0;
  readonly #changed: () => void;
  /** The number of the last event. */
  #last = 0;
  /** Whether an event said that it starts. */
  #hasStarted = false;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** The service said what it knows of the job. `now`: of `performance.now`. */
  fetched({ status, query, result, error, runningMs, ahead }: FetchedJob, now: number): void {
    this.connection = 'up';
    if (runningMs !== undefined) this.clock = { elapsedMs: runningMs, at: now };
    this.question = query;
    switch (status) {
      case 'queued':
        this.#enter({ kind: 'queued', ahead });
        return;
      case 'running':
        this.#enter({ kind: 'running' });
        return;
      case 'complete':
      case 'cancelled':
      case 'failed':
        this.#enter({ kind: 'ended', status, result, why: error?.detail });
        return;
    }
  }

  /** An event came; one that came before makes no difference. `now`: of `performance.now`. */
  heard(event: JobEvent, number: number, now: number): void {
    if (number <= this.#last) return;
    this.#last = number;
    this.progress.note(event);
    switch (event.event) {
      case 'started':
        this.question = event.query;
        // What came before a further start is void, whether that counts as an attempt or not.
        if (this.clock === undefined || this.#hasStarted) this.clock = { elapsedMs: 0, at: now };
        this.#hasStarted = true;
        this.#enter({ kind: 'running' });
        return;
      case 'progress':
        this.#setClock(event.elapsedMs, now);
        break;
      case 'complete':
        this.clock = { elapsedMs: event.durationMs, at: now };
        this.#enter({ kind: 'ending' });
        return;
      case 'servers':
        this.servers = event;
        break;
      case 'exchange':
        break;
    }
    this.#change();
  }

  /** What the servers said of themselves. */
  identified(servers: ServerList): void {
    this.servers = servers;
    this.#change();
  }

  connected(state: 'up' | 'lost'): void {
    if (this.connection === state) return;
    this.connection = state;
    this.#change();
  }

  /** Nothing more can be told. */
  over(stage: Extract<JobStage, { kind: 'gone' | 'strange' }>): void {
    this.connection = 'up';
    this.#enter(stage);
  }

  /** Events that are told late say less than has elapsed since. */
  #setClock(elapsedMs: number, at: number): void {
    const known = this.clock;
    if (known === undefined || elapsedMs > known.elapsedMs + at - known.at) this.clock = { elapsedMs, at };
  }

  #enter(stage: JobStage): void {
    this.stage = stage;
    this.#change();
  }

  #change(): void {
    this.revision += 1;
    this.#changed();
  }
}

/** The stage of a job, as its page knows it. */
export type JobStage =
  /** Nothing was heard of it yet. */
  | { readonly kind: 'unknown' }
  /** `ahead`: how many jobs go before it, if the service says so. */
  | { readonly kind: 'queued'; readonly ahead: number | undefined }
  | { readonly kind: 'running' }
  /** It has ended, and its result is on the way. */
  | { readonly kind: 'ending' }
  /** A cancelled job has a result if it had started, a failed one says why. */
  | {
      readonly kind: 'ended';
      readonly status: 'complete' | 'cancelled' | 'failed';
      readonly result: TraversalResult | undefined;
      readonly why: string | undefined;
    }
  /** The service does not have it (any more). */
  | { readonly kind: 'gone' }
  /** The replies are not those of the service. */
  | { readonly kind: 'strange'; readonly detail: string };

/** The name and type of a job, in texts that are safe to show. */
interface JobTitle {
  readonly name: string;
  /** The name as its readers write it, if that is something else. */
  readonly unicode: string | undefined;
  readonly type: string;
  /** To be asked again. */
  readonly question: WrittenQuestion | undefined;
}

/** The title of a job: its own question once that is known, until then what the address has. */
export function titleOf(
  { question }: Pick<JobStory, 'question'>,
  asked: WrittenQuestion | undefined,
): JobTitle {
  if (question !== undefined) {
    const { name, type } = question;
    const written = withoutFinalDot(name);
    const unicode = unicodeName(name);
    return {
      name: written,
      unicode: unicode === undefined ? undefined : printable(withoutFinalDot(unicode)),
      type,
      question: { name: written, type, choices: asked?.choices ?? {} },
    };
  }
  if (asked === undefined) return { name: 'A traversal', unicode: undefined, type: '', question: undefined };
  return { name: printable(asked.name), unicode: undefined, type: asked.type, question: asked };
}

/** The title of a page with a result: tabs and bookmarks show the verdict, after a name that a narrow tab has room for. */
export function resultTitle(result: TraversalResult): string {
  const { name, type } = result.query;
  return printable(`${withoutFinalDot(name)} ${type}: ${result.verdict.text}`);
}

/** The stage of a job for screen readers: without its numbers, which change all the time. */
export function announcementOf({ stage, connection }: Pick<JobStory, 'stage' | 'connection'>): string {
  if (connection === 'lost') return 'Connection lost. Trying again…';
  switch (stage.kind) {
    case 'unknown':
      return '';
    case 'queued':
      return waitingWords(stage.ahead);
    case 'running':
      return 'Asking…';
    case 'ending':
      return 'All replies are in. Fetching the result…';
    case 'ended':
      if (stage.result === undefined)
        return stage.status === 'failed' ? 'The traversal failed.' : 'The traversal was cancelled.';
      return sentence(`Done: ${printable(stage.result.verdict.text)}`);
    case 'gone':
      return 'This traversal is no longer kept.';
    case 'strange':
      return 'The service answers strangely.';
  }
}

/** An answer can be a name, which ends in a dot of its own. */
function sentence(text: string): string {
  return text.endsWith('.') ? text : `${text}.`;
}

function waitingWords(ahead: number | undefined): string {
  switch (ahead) {
    case undefined:
      return 'Waiting for its turn…';
    case 0:
      return 'Waiting for its turn: it is the next…';
    default:
      return `Waiting for its turn: ${count(ahead, 'other goes', 'others go')} first…`;
  }
}
