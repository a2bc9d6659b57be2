import type { Exchanged } from '../../exchange/exchanged.ts';

/** Receives each reply to a question. */
export type ReplyListener = (exchanged: Exchanged) => void;

/** The replies to a question that proves others, and who listens for them. */
export class ReplyFeed {
  readonly #heard: Exchanged[] = [];
  readonly #listeners: ReplyListener[] = [];

  hear(exchanged: Exchanged): void {
    this.#heard.push(exchanged);
    for (const listener of [...this.#listeners]) listener(exchanged);
  }

  /** Tells the listener of every reply, now and from now on. */
  listen(listener: ReplyListener): void {
    this.#listeners.push(listener);
    for (const exchanged of [...this.#heard]) listener(exchanged);
  }
}
