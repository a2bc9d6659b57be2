import { randomUUID } from 'node:crypto';
import { type Clock, systemClock } from '../../../base/clock.ts';
import type { DegradedReason } from '../../../document/api/service-documents.ts';
import { storeKey } from './script.ts';
import { checkStore } from './start-check.ts';
import { createStoreClient, type StoreClient, type StoreTraffic, TrafficCount } from './store-client.ts';
import type { StoreAddress } from './store-url.ts';
import { startTrouble, storeTrouble } from './trouble.ts';

/** Whether a store can be written to. */
export type StoreState =
  | { readonly kind: 'ok' }
  /** The reason is one line, without credentials; `why` is the same in a word that names nothing. */
  | { readonly kind: 'degraded'; readonly why: DegradedReason; readonly reason: string };

/** A store that was found usable. */
export interface StoreConnection {
  /** Unique to this process and connection. */
  readonly instance: string;
  /** For commands, which fail at once while the store is away. */
  readonly commands: StoreClient;
  /** Another client, for commands that block or subscribe, or for BullMQ's workers: its commands wait for the store. */
  readonly openPatient: () => StoreClient;
  readonly state: StoreState;
  /** Calls `run` whenever the state changes; the function it returns ends that. */
  readonly onState: (run: (state: StoreState) => void) => () => void;
  readonly traffic: StoreTraffic;
  /** Closes all clients; what waits for a reply fails. */
  readonly close: () => void;
}

/** What came of connecting. */
export type StoreConnected =
  | { readonly kind: 'connected'; readonly connection: StoreConnection; readonly warnings: readonly string[] }
  /** One line, without credentials. */
  | { readonly kind: 'refused'; readonly reason: string };

/** What connecting needs beside the address. */
interface ConnectingOptions {
  readonly clock?: Clock;
  /** The certificate of the issuer to believe, in PEM; absent: those that Node believes. */
  readonly ca?: string;
}

/**
 * Connects to a store, if it can be reached, written to, and is of a version that will do. From then on the
 * connection comes back by itself.
 */
export async function connectToStore(
  address: StoreAddress,
  options: ConnectingOptions = {},
): Promise<StoreConnected> {
  const connection = new Connection(address, options);
  const checked = await connection.begin();
  if (checked.kind === 'usable') return { kind: 'connected', connection, warnings: checked.warnings };
  connection.close();
  return { kind: 'refused', reason: checked.reason };
}

class Connection implements StoreConnection {
  readonly instance = randomUUID();
  readonly commands: StoreClient;
  readonly #address: StoreAddress;
  readonly #ca: string | undefined;
  readonly #clients = new Set<StoreClient>();
  readonly #traffic = new TrafficCount();
  readonly #over = new AbortController();
  readonly #listeners = new Set<(state: StoreState) => void>();
  readonly #pulse: Pulse;
  #state: StoreState = { kind: 'ok' };

  constructor(address: StoreAddress, { clock = systemClock, ca }: ConnectingOptions) {
    this.#address = address;
    this.#ca = ca;
    this.commands = this.#open('commands');
    const listener = { beat: () => this.#set({ kind: 'ok' }), missed: (error: unknown) => this.#lost(error) };
    this.#pulse = new Pulse(this.commands, storeKey('pulse', this.instance), clock, listener);
  }

  get state(): StoreState {
    return this.#state;
  }

  get traffic(): StoreTraffic {
    return this.#traffic.total;
  }

  /** Connects, writes, and looks at the settings. */
  async begin() {
    let broken: unknown;
    const noteBroken = (error: unknown) => {
      broken = error;
    };
    this.commands.once('error', noteBroken);
    try {
      await this.commands.connect();
      // The package goes on in database 0 if it cannot select another.
      await this.commands.select(this.#address.db);
      const checked = await checkStore(this.commands, this.#address);
      if (checked.kind === 'unusable') return checked;
      await this.commands.set(storeKey('pulse', this.instance), '', 'PX', 1_000);
      this.#watch();
      return checked;
    } catch (error) {
      return { kind: 'unusable', reason: startTrouble(broken ?? error, this.#address) } as const;
    } finally {
      this.commands.off('error', noteBroken);
    }
  }

  openPatient(): StoreClient {
    return this.#open('patient');
  }

  onState(run: (state: StoreState) => void): () => void {
    this.#listeners.add(run);
    return () => this.#listeners.delete(run);
  }

  close(): void {
    this.#over.abort();
    this.#pulse.stop();
    this.#listeners.clear();
    for (const client of this.#clients) client.disconnect();
  }

  #open(use: 'commands' | 'patient'): StoreClient {
    const client = createStoreClient(this.#address, use, {
      traffic: this.#traffic,
      ca: this.#ca,
      over: this.#over.signal,
    });
    this.#clients.add(client);
    client.once('end', () => this.#clients.delete(client));
    return client;
  }

  #watch(): void {
    this.commands.on('error', (error) => this.#lost(error));
    this.commands.on('close', () => {
      if (this.#state.kind === 'ok') this.#lost(new Error('Connection is closed.'));
    });
    this.commands.on('ready', () => void this.#pulse.beat());
    void this.#pulse.beat();
  }

  #lost(error: unknown): void {
    // What says why is told by the attempt to connect; each command only says that there is no connection.
    if (this.#state.kind === 'degraded' && this.commands.status !== 'ready' && isWantOfConnection(error))
      return;
    this.#set({ kind: 'degraded', ...storeTrouble(error, this.#address) });
  }

  #set(state: StoreState): void {
    const before = this.#state;
    if (isSame(before, state)) return;
    this.#state = state;
    for (const listener of this.#listeners) listener(state);
  }
}

function isWantOfConnection(error: unknown): boolean {
  return error instanceof Error && /^(Connection is closed|Stream isn't writeable)/.test(error.message);
}

function isSame(one: StoreState, other: StoreState): boolean {
  return one.kind === 'degraded'
    ? other.kind === 'degraded' && one.reason === other.reason
    : other.kind === 'ok';
}

/** What a pulse tells. */
interface PulseListener {
  readonly beat: () => void;
  /** The store does not write, or does not answer. */
  readonly missed: (error: unknown) => void;
}

/** How often the store is asked to write something. */
const EVERY_MS = 1_000;

/** A reply that takes longer is no pulse. */
const PATIENCE_MS = 2_500;

/** For how long the store remembers a pulse: then others go on with what this instance did. */
const KEPT_MS = 5_000;

/**
 * Writes a key again and again, to find out whether the store can still be written to: one that is out of
 * memory, has a full disk or has become a replica answers everything else.
 */
class Pulse {
  readonly #client: StoreClient;
  readonly #key: string;
  readonly #clock: Clock;
  readonly #listener: PulseListener;
  #cancelTimer: () => void = () => {};
  #ended = false;
  #beating = false;

  constructor(client: StoreClient, key: string, clock: Clock, listener: PulseListener) {
    this.#client = client;
    this.#key = key;
    this.#clock = clock;
    this.#listener = listener;
  }

  /** Beats now, and then every second until it is stopped. */
  async beat(): Promise<void> {
    if (this.#beating || this.#ended) return;
    this.#beating = true;
    this.#cancelTimer();
    const cancelPatience = this.#clock.after(PATIENCE_MS, () => this.#tell(new Error('Command timed out')));
    const missed = await this.#write();
    cancelPatience();
    this.#beating = false;
    this.#tell(missed);
    if (!this.#ended) this.#cancelTimer = this.#clock.after(EVERY_MS, () => void this.beat());
  }

  stop(): void {
    this.#ended = true;
    this.#cancelTimer();
  }

  async #write(): Promise<unknown> {
    try {
      await this.#client.set(this.#key, '', 'PX', KEPT_MS);
      return undefined;
    } catch (error) {
      return error;
    }
  }

  #tell(missed: unknown): void {
    if (this.#ended) return;
    if (missed === undefined) this.#listener.beat();
    else this.#listener.missed(missed);
  }
}
