import { Socket } from 'node:net';
import { type Command, Redis, type RedisOptions } from 'ioredis';
import type { StoreAddress } from './store-url.ts';

/** What a client is used for, which decides what becomes of commands while the store is away. */
type StoreUse =
  /** They fail at once, and so do those without a reply within five seconds, which may have been carried out. */
  | 'commands'
  /** They wait for the store to come back, and are repeated: for commands that block, for subscriptions, and for BullMQ's workers. */
  | 'patient';

type Options = RedisOptions & { readonly replyMapping?: 'legacy' };

/** A connection to a store. It comes back by itself after it was lost. */
export class StoreClient extends Redis {
  readonly #traffic: TrafficCount;
  /** BullMQ makes itself one that blocks, and waits for the store before it lets go of it. */
  readonly #copies = new Set<Pick<Redis, 'disconnect' | 'status'>>();

  constructor(options: Options, traffic: TrafficCount) {
    super(options);
    this.#traffic = traffic;
    this.on('connect', () => {
      if (this.stream instanceof Socket) traffic.watch(this.stream);
    });
    // Each attempt to connect that fails says so. Whoever wants to know listens too.
    this.on('error', () => {});
  }

  override sendCommand(command: Command, stream?: Parameters<Redis['sendCommand']>[1]): unknown {
    this.#traffic?.countCommand();
    return super.sendCommand(command, stream);
  }

  override duplicate<O extends Partial<RedisOptions> | undefined = undefined>(other?: O) {
    const copy = super.duplicate(other);
    this.#copies.add(copy);
    return copy;
  }

  /** Lets go of its copies, too; where it only reconnects, as the package does after some errors, they do so by themselves. */
  override disconnect(reconnect = false): void {
    // The package would wait two seconds for the end of a connection that has ended.
    const left = reconnect ? [] : [...this.#copies].filter(({ status }) => status !== 'end');
    for (const copy of left) copy.disconnect();
    super.disconnect(reconnect);
  }
}

/** The longest that a command waits for its reply. */
const COMMAND_MS = 5_000;

/** What all clients of a connection have in common. */
interface ClientSurroundings {
  readonly traffic: TrafficCount;
  readonly ca?: string | undefined;
  /** From then on no client comes back, nor does a copy that somebody made of one. */
  readonly over: AbortSignal;
}

/** A client of the store, which does not connect before it is told to, or used. */
export function createStoreClient(
  address: StoreAddress,
  use: StoreUse,
  { traffic, ca, over }: ClientSurroundings,
): StoreClient {
  const { host, port, db, encrypted, credentials } = address;
  const options: Options = {
    host,
    port,
    db,
    ...credentials,
    ...(encrypted ? { tls: ca === undefined ? {} : { ca } } : {}),
    ...USES[use],
    ...COMMON,
    retryStrategy: (times) => (over.aborted ? null : pauseBefore(times)),
    reconnectOnError: (error) => {
      // After a failover the name may lead to the new primary already.
      if (!error.message.startsWith('READONLY')) return false;
      // Else nobody would hear more than that the connection was closed.
      client.emit('error', error);
      return true;
    },
  };
  const client = new StoreClient(options, traffic);
  return client;
}

/** Milliseconds before the next attempt to connect: longer and longer, and not for all clients alike. */
function pauseBefore(times: number): number {
  return Math.min(50 * 2 ** Math.min(times, 5), 1_000) * (0.75 + Math.random() / 2);
}

const COMMON: Options = {
  connectionName: 'svc',
  lazyConnect: true,
  connectTimeout: COMMAND_MS,
  // A host that is gone without a word is noticed after 15 seconds, which is 5 and 10 probes.
  keepAlive: 5_000,
  maxLoadingRetryTime: 500,
};

const USES: Readonly<Record<StoreUse, Options>> = {
  commands: {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    commandTimeout: COMMAND_MS,
    socketTimeout: COMMAND_MS + 1_000,
  },
  patient: { maxRetriesPerRequest: null },
};

/** What a connection to a store has cost so far. */
export interface StoreTraffic {
  /** Commands that were sent, or wait for the connection to come back. */
  readonly commands: number;
  readonly octetsSent: number;
  readonly octetsReceived: number;
}

/** Counts what all clients of one connection send and receive. */
export class TrafficCount {
  #commands = 0;
  #octetsSent = 0;
  #octetsReceived = 0;
  readonly #open = new Set<Socket>();

  countCommand(): void {
    this.#commands += 1;
  }

  /** Counts a socket's octets, also after it has closed. */
  watch(socket: Socket): void {
    if (this.#open.has(socket)) return;
    this.#open.add(socket);
    socket.once('close', () => {
      this.#open.delete(socket);
      this.#octetsSent += socket.bytesWritten;
      this.#octetsReceived += socket.bytesRead;
    });
  }

  get total(): StoreTraffic {
    const open = [...this.#open];
    return {
      commands: this.#commands,
      octetsSent: open.reduce((sum, { bytesWritten }) => sum + bytesWritten, this.#octetsSent),
      octetsReceived: open.reduce((sum, { bytesRead }) => sum + bytesRead, this.#octetsReceived),
    };
  }
}
