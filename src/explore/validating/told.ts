import type { Exchanged } from '../../exchange/exchanged.ts';

/** Is told of each reply to a question. */
export type ReplyReader = (exchanged: Exchanged) => void;

/** What was heard in reply to a question that proves others, and who wants to know. */
export class Telling {
  readonly #heard: Exchanged[] = [];
  readonly #told: ReplyReader[] = [];

  hear(exchanged: Exchanged): void {
    this.#heard.push(exchanged);
    for (const tell of [...this.#told]) tell(exchanged);
  }

  /** Tells of every reply, now and from now on. */
  to(told: ReplyReader): void {
    this.#told.push(told);
    for (const exchanged of [...this.#heard]) told(exchanged);
  }
}
