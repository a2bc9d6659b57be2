import { onAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { getOrMake } from '../../base/memo.ts';
import type { Fingerprint } from '../../document/servers.ts';
import { readyList } from '../../findings/server-list.ts';
import type { MetServer } from '../../traversal/servers-met.ts';
import { skipped, survey } from '../../traversal/survey.ts';
import { Slots } from './admission.ts';
import type { Engine, Job } from './job.ts';
import type { RunTrace } from './run-job.ts';

/**
 * The fingerprints of a service's jobs. An address is asked once in ten minutes, whoever met it. Parties
 * take turns at asking; where several want the same address, the first whose turn comes asks for all.
 */
export class Fingerprints {
  readonly #engine: Pick<Engine, 'fingerprint'>;
  readonly #clock: Clock;
  readonly #slots = new Slots(FINGERPRINTS_AT_ONCE);
  readonly #wanted = new Map<string, Wanted>();
  /** Oldest first. */
  readonly #kept = new Map<string, { readonly fingerprint: Fingerprint; readonly until: number }>();

  constructor(engine: Pick<Engine, 'fingerprint'>, clock: Clock) {
    this.#engine = engine;
    this.#clock = clock;
  }

  /** The fingerprint of an address, if it was taken in the last ten minutes. */
  known(address: string): Fingerprint | undefined {
    const kept = this.#kept.get(address);
    return kept === undefined || kept.until <= this.#clock.now() ? undefined : kept.fingerprint;
  }

  /**
   * The fingerprint of a server, asked in the inquirer's turn and at its expense, unless it is known or another's
   * turn comes first. Rejects with the signal's reason when it is aborted, else for a bug.
   */
  async of(server: MetServer, inquirer: Inquirer, signal: AbortSignal): Promise<Fingerprint> {
    signal.throwIfAborted();
    const known = this.known(server.address);
    if (known !== undefined) return known;
    const wanted = getOrMake(this.#wanted, server.address, newWanted);
    const came = this.#await(server, wanted, signal);
    if (wanted.state === 'in-line') void this.#lineUp(server, wanted, inquirer, signal);
    return await came;
  }

  #await({ address }: MetServer, wanted: Wanted, signal: AbortSignal): Promise<Fingerprint> {
    wanted.waiting += 1;
    return new Promise((resolve, reject) => {
      const stay = onAbort(signal, () => {
        this.#leave(address, wanted);
        reject(signal.reason);
      });
      wanted.came.then(resolve, reject).finally(stay);
    });
  }

  #leave(address: string, wanted: Wanted): void {
    wanted.waiting -= 1;
    if (wanted.waiting > 0) return;
    this.#forget(address, wanted);
    wanted.stop.abort();
  }

  async #lineUp(server: MetServer, wanted: Wanted, inquirer: Inquirer, signal: AbortSignal): Promise<void> {
    const { party, pay } = inquirer;
    const release = await this.#slots.take({ party, most: AT_ONCE_PER_PARTY }, signal);
    if (release === undefined) return;
    // Another party's turn may have come before.
    if (wanted.state === 'in-line') await this.#ask(server, wanted, pay);
    release();
  }

  async #ask(server: MetServer, wanted: Wanted, pay: Inquirer['pay']): Promise<void> {
    wanted.state = 'asking';
    try {
      const { fingerprint, packets } = await this.#engine.fingerprint(server, wanted.stop.signal);
      pay(packets);
      // Whom to leave alone may change any time.
      if (fingerprint.versionBind.status !== 'skipped') this.#keep(server.address, fingerprint);
      wanted.resolve(fingerprint);
    } catch (error) {
      wanted.reject(error);
    }
    this.#forget(server.address, wanted);
  }

  #forget(address: string, wanted: Wanted): void {
    if (this.#wanted.get(address) === wanted) this.#wanted.delete(address);
  }

  #keep(address: string, fingerprint: Fingerprint): void {
    const now = this.#clock.now();
    this.#kept.delete(address);
    this.#kept.set(address, { fingerprint, until: now + FRESH_MS });
    for (const [old, { until }] of this.#kept) {
      if (until > now && this.#kept.size <= MOST_KEPT) return;
      this.#kept.delete(old);
    }
  }
}

/** How long a fingerprint is kept: until then no job asks the address again. */
const FRESH_MS = 600_000;

/** The most fingerprints kept: some tens of megabytes, if all are as long as they can be. */
const MOST_KEPT = 10_000;

/** How many servers are asked at once, for all jobs together. */
export const FINGERPRINTS_AT_ONCE = 32;

/** For one party, so that there is always room for others. */
const AT_ONCE_PER_PARTY = FINGERPRINTS_AT_ONCE / 2;

/** The party on whose behalf a server is asked. */
export interface Inquirer {
  readonly party: string;
  /** Called with the number of packets that it took. */
  readonly pay: (packets: number) => void;
}

/** A fingerprint that somebody waits for. */
interface Wanted {
  readonly came: Promise<Fingerprint>;
  readonly resolve: (fingerprint: Fingerprint) => void;
  readonly reject: (error: unknown) => void;
  /** Stops asking when nobody waits any more. */
  readonly stop: AbortController;
  state: 'in-line' | 'asking';
  waiting: number;
}

function newWanted(): Wanted {
  let resolve: Wanted['resolve'] = () => {};
  let reject: Wanted['reject'] = () => {};
  const came = new Promise<Fingerprint>((take, refuse) => {
    resolve = take;
    reject = refuse;
  });
  return { came, resolve, reject, stop: new AbortController(), state: 'in-line', waiting: 0 };
}

interface IdentifySurroundings {
  readonly engine: Pick<Engine, 'fingerprintPackets'>;
  readonly clock: Clock;
  readonly fingerprints: Fingerprints;
  /** Called with the error when asking a server failed through a bug. */
  readonly failed: (job: Job, error: unknown) => void;
}

/**
 * Asks the servers that a job met which software they run, with the packets that its traversal left. Returns the server
 * list as JSON text; undefined once `signal` is aborted.
 */
export async function identifiedServers(
  job: Job,
  { met, packets: sent }: RunTrace,
  { engine, clock, fingerprints, failed }: IdentifySurroundings,
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  if (signal.aborted) return undefined;
  const { maxPackets = Number.POSITIVE_INFINITY } = job.request.options;
  const { fingerprintPackets } = engine;
  let left = maxPackets - sent;
  const pay = (packets: number) => {
    left -= packets;
  };
  const fingerprint = async (server: MetServer, stop: AbortSignal) => {
    if (left < fingerprintPackets) return skipped('limit');
    // Several are asked at once: each has set aside what it may need.
    left -= fingerprintPackets;
    try {
      return await fingerprints.of(server, { party: job.party, pay }, stop);
    } catch (error) {
      stop.throwIfAborted();
      failed(job, error);
      return FAILED;
    } finally {
      left += fingerprintPackets;
    }
  };
  const known = (address: string) => fingerprints.known(address);
  try {
    const servers = await survey(met, { fingerprint, known, clock, signal });
    return Buffer.from(JSON.stringify(readyList(servers)));
  } catch (error) {
    if (!signal.aborted) throw error;
    return undefined;
  }
}

const FAILED: Fingerprint = { versionBind: { status: 'error' } };
