import type { Bidder, Blocks } from '../../base/turn-line.ts';
import type { SendingLeave } from '../../traversal/threads/messages.ts';
import type { TraversalPlace } from '../../traversal/threads/worker-thread.ts';
import type { SlotBid, Slots } from './admission.ts';

/** A job that runs: it works, waits for replies or for a slot, or waits until it may hear more. */
export class RunningJob implements JobRun, JobBid {
  readonly party: string;
  readonly most: number;
  readonly blocks: Blocks;
  readonly #around: RunSurroundings;
  readonly #listeners = new Set<(leave: SendingLeave) => void>();
  readonly #over = new AbortController();
  readonly #releases: (() => void)[] = [];
  #leave: SendingLeave = 'waits';
  #heard = 0;
  #weight: 'light' | 'heavy' = 'light';
  /** Whether it waits for replies only, without a slot. */
  #isResting = false;
  #wanted = 0;
  /** When it last wanted or got something since it has its slot. */
  #stirredAt = Number.POSITIVE_INFINITY;
  workingSince = 0;

  constructor({ party, most, blocks }: JobBid, around: RunSurroundings) {
    this.party = party;
    this.most = most;
    this.blocks = blocks;
    this.#around = around;
  }

  readonly sending: TraversalPlace['sending'] = (tell) => {
    this.#listeners.add(tell);
    tell(this.#leave);
    return () => this.#listeners.delete(tell);
  };

  readonly wants: TraversalPlace['wants'] = (packets) => {
    this.#wanted = packets;
    this.#stirredAt = this.#around.now();
    if (this.#isResting && packets > 0) this.#wantSlot();
  };

  /** It has a slot from now on. */
  work(): void {
    this.workingSince = this.#around.now();
    this.#stirredAt = Number.POSITIVE_INFINITY;
    this.#tell('may-send');
  }

  /** It has none any more. */
  pause(): void {
    this.#tell('waits');
    if (this.#wanted > 0) this.#wantSlot();
    else this.#isResting = true;
  }

  isQuiet(now: number): boolean {
    return this.#wanted === 0 && now - this.#stirredAt >= QUIET_MS;
  }

  #wantSlot(): void {
    this.#isResting = false;
    this.#around.wantsSlot();
  }

  heard(octets: number): void {
    this.#heard += octets;
    if (this.#heard <= LIGHT_OCTETS || this.#weight !== 'light') return;
    this.#weight = 'heavy';
    this.#isResting = false;
    this.#tell('waits');
    this.#around.gaveUp();
    void this.#waitForHeavy();
  }

  rest(): void {
    this.#weight = 'light';
    this.#heard = 0;
    this.#wanted = 0;
    this.#giveUp();
    this.#isResting = true;
    this.#tell('waits');
  }

  end(): void {
    this.#over.abort();
    this.#giveUp();
    this.#around.ended();
  }

  #giveUp(): void {
    this.#isResting = false;
    this.#around.gaveUp();
    for (const release of this.#releases.splice(0)) release();
  }

  async #waitForHeavy(): Promise<void> {
    const release = await this.#around.heavy.take(this, this.#over.signal);
    if (release === undefined) return;
    if (this.#over.signal.aborted) return release();
    this.#releases.push(release);
    if (this.#weight === 'heavy') this.#wantSlot();
  }

  #tell(leave: SendingLeave): void {
    this.#leave = leave;
    for (const listener of this.#listeners) listener(leave);
  }
}

/** The place of a job that runs. */
export interface JobRun extends TraversalPlace {
  /** The job has heard so many octets more. */
  readonly heard: (octets: number) => void;
  /** It does nothing until it is traversed again. */
  readonly rest: () => void;
  /** The job has ended. */
  readonly end: () => void;
}

/** A job that wants to run. */
export interface JobBid extends SlotBid, Bidder {}

interface RunSurroundings {
  readonly now: () => number;
  readonly heavy: Slots;
  readonly wantsSlot: () => void;
  /** It has no slot any more, and wants none. */
  readonly gaveUp: () => void;
  readonly ended: () => void;
}

/** A job that has not sent for so long, and does not want to, only waits for replies. */
export const QUIET_MS = 250;

/** A job that has heard more octets is heavy. */
const LIGHT_OCTETS = 1024 * 1024;
