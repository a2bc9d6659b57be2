import type { FollowerPresence, Followers } from '../../traversal/threads/messages.ts';

/** Whether somebody follows the events of a job, for all who want to know. */
export class Audience {
  readonly #tellers = new Set<(presence: FollowerPresence) => void>();
  #presence: FollowerPresence = 'nobody';

  get presence(): FollowerPresence {
    return this.#presence;
  }

  set presence(presence: FollowerPresence) {
    if (presence === this.#presence) return;
    this.#presence = presence;
    for (const tell of this.#tellers) tell(presence);
  }

  readonly followers: Followers = (tell) => {
    this.#tellers.add(tell);
    tell(this.#presence);
    return () => {
      this.#tellers.delete(tell);
    };
  };
}
