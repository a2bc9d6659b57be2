import type { Name } from '../wire/name.ts';
import { type Question, questionKey } from '../wire/question.ts';

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

/** What a run waits for, as far as its events tell. */
export class Waits {
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
