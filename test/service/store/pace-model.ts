import type { Clock } from '../../../src/base/clock.ts';
import { COUNTED_MS, SETTLE_MS } from '../../../src/service/store/booked-turns.ts';
import type { Database, StoreState } from '../../../src/service/store/database.ts';
import { isStoreTrouble, StoreAway } from '../../../src/service/store/trouble.ts';

/** The connection of one instance to the model of a store. */
export type Link = Pick<Database, 'query' | 'instance' | 'onState'> & {
  state: StoreState;
  /** Whether what is sent arrives: statements, and their replies. */
  up: boolean;
};

/** Fails a test for a bug, but not because the store is away. */
export function failing(t: { readonly fail: (message: string) => unknown }): (error: unknown) => void {
  return (error) => {
    if (!isStoreTrouble(error)) t.fail(String(error));
  };
}

/** A store that knows the statements of `booked-turns.ts`, in the time of a clock that can be set. */
export class PaceModel {
  /** Milliseconds that its clock is ahead. */
  ahead = 1_790_000_000_000;
  readonly #clock: Clock;
  readonly #delay: () => number;
  readonly #senders = new Map<string, { since: number; until: number }>();
  /** When the turns at a place end. */
  readonly #ends = new Map<string, readonly number[]>();
  #start = Number.NEGATIVE_INFINITY;
  statements = 0;

  /** `delay`: milliseconds on the way, in each direction. */
  constructor(clock: Clock, delay: () => number) {
    this.#clock = clock;
    this.#delay = delay;
  }

  /** It forgets what it does not log. */
  crash(): void {
    this.#ends.clear();
    this.#start = Number.POSITIVE_INFINITY;
  }

  link(instance: string): Link {
    const link: Link = {
      up: true,
      instance,
      state: { kind: 'ok' },
      onState: () => {},
      query: async (text, values = []) => {
        const arrive = async () => {
          await new Promise<void>((resolve) => this.#clock.after(this.#delay(), resolve));
          if (!link.up) throw new StoreAway('cut off');
        };
        await arrive();
        const rows = this.#run(text, values);
        await arrive();
        return JSON.parse(JSON.stringify(rows));
      },
    };
    return link;
  }

  #run(text: string, values: readonly unknown[]): readonly unknown[] {
    this.statements += 1;
    const now = this.#clock.now() + this.ahead;
    if (text.includes('INSERT INTO svc_turn AS')) return this.#book(now, values);
    if (text.includes('INSERT INTO svc_sender')) return [this.#join(now, `${values[0]}`)];
    if (text.includes('UPDATE svc_sender')) this.#leave(now, `${values[0]}`);
    else if (text.includes('DELETE FROM svc_turn')) this.#forget(now);
    else if (!text.includes('DELETE FROM svc_sender')) throw new Error(`unknown statement: ${text}`);
    return [];
  }

  #leave(now: number, instance: string): void {
    const sender = this.#senders.get(instance);
    if (sender !== undefined) sender.until = Math.min(sender.until, now + 2_000);
  }

  #forget(now: number): void {
    for (const [place, [newest = 0]] of this.#ends)
      if (newest < now || newest > now + 60_000) this.#ends.delete(place);
  }

  #join(now: number, instance: string) {
    if (!(this.#start <= now)) this.#start = now;
    const { since, until } = this.#senders.get(instance) ?? { since: now, until: now };
    const kept = since <= now && now <= until ? since : now;
    this.#senders.set(instance, { since: kept, until: now + COUNTED_MS });
    const present = this.#counted(now);
    return { settled: kept < now - SETTLE_MS, counted: present, present, at: now };
  }

  #counted(now: number): number {
    return [...this.#senders.values()].filter(({ until }) => until > now).length;
  }

  #book(now: number, [places, turns, aside, wanted, lasting]: readonly unknown[]) {
    if (!(this.#start < now - SETTLE_MS)) return [];
    return listOf(places).flatMap((place, index) => {
      const [all, each, most] = [turns, aside, wanted].map((column) => Number(listOf(column)[index]));
      if (all === undefined || each === undefined || most === undefined) throw new Error('a short column');
      const room = all - each * Math.min(this.#counted(now), Math.floor(all / (2 * each)));
      const starts = this.#take(`${place}`, now, { room, wanted: most, lasting: Number(lasting) });
      return starts === undefined ? [] : [{ place, at: now, starts: starts.map((start) => start - now) }];
    });
  }

  #take(
    place: string,
    now: number,
    { room, wanted, lasting }: { readonly room: number; readonly wanted: number; readonly lasting: number },
  ): readonly number[] | undefined {
    let ends = (this.#ends.get(place) ?? []).filter((end) => end > now);
    /** The first moment at which fewer than `room` last. */
    const next = () => [...ends].sort((a, b) => b - a)[room - 1] ?? now;
    if (next() > now + 1_000) return undefined;
    const starts: number[] = [];
    for (let left = Math.min(wanted, room); left > 0; left -= 1) {
      const start = next();
      starts.push(start);
      ends = [Math.max(start + lasting, ...ends), ...ends];
    }
    this.#ends.set(place, ends);
    return starts;
  }
}

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error('a column is a list');
  return value;
}
