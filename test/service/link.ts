import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { Test } from 'tap';
import type { Place } from './http-client.ts';

/** Whose octets: `there` those to the service behind the link, `back` those from it. */
type Direction = 'there' | 'back';

/** A way to a service that can fail as a network does, and lead to another service. */
export interface Link {
  readonly port: number;
  readonly url: string;
  /** Breaks every connection; new ones can be made. */
  readonly cut: () => void;
  /** Breaks every connection, and each new one, until it is healed. */
  readonly refuse: () => void;
  /** Loses no connection, but holds the octets of a direction, by default of both, until it is healed. */
  readonly stall: (direction?: Direction) => void;
  /** From now on octets take so long in each direction. */
  readonly delay: (ms: number) => void;
  /** Everything passes again, at first what was held. */
  readonly heal: () => void;
  /** From now on new connections go there: a service that is started again has another port, its own may be taken. */
  readonly lead: (place: Place) => void;
}

/** How a link treats octets. */
interface Condition {
  readonly held: ReadonlySet<Direction>;
  readonly delayMs: number;
}

/** Opens a link to a service, gone when the test ends. `alter` changes what the service sends. */
export async function openLink(
  t: Pick<Test, 'teardown'>,
  first: Place,
  alter: (octets: Buffer) => Buffer = (octets) => octets,
): Promise<Link> {
  let behind = first;
  let isRefusing = false;
  let condition: Condition = { held: new Set(), delayMs: 0 };
  const sockets = new Set<Socket>();
  const pipes = new Set<Pipe>();
  const join = (pipe: Pipe) => {
    pipes.add(pipe);
    pipe.from.on('data', (octets: Buffer) => pipe.take(octets)).on('close', () => pipe.take('end'));
    pipe.to.on('close', () => pipes.delete(pipe));
  };
  const server = createServer((near) => {
    if (isRefusing) {
      near.destroy();
      return;
    }
    const far = connect(behind.port, behind.host);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
    }
    join(new Pipe('there', near, far, () => condition));
    join(new Pipe('back', far, near, () => condition, alter));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  t.teardown(() => {
    server.close();
    cut();
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('it listens nowhere');
  return {
    port: address.port,
    url: `http://127.0.0.1:${address.port}`,
    cut,
    refuse: () => {
      isRefusing = true;
      cut();
    },
    stall: (direction) => {
      condition = { ...condition, held: new Set(direction === undefined ? ['there', 'back'] : [direction]) };
    },
    delay: (delayMs) => {
      condition = { ...condition, delayMs };
    },
    heal: () => {
      isRefusing = false;
      condition = { held: new Set(), delayMs: 0 };
      for (const pipe of pipes) pipe.pass();
    },
    lead: (place) => {
      behind = place;
    },
  };
}

/** One direction of a connection. */
class Pipe {
  readonly from: Socket;
  readonly to: Socket;
  readonly #direction: Direction;
  readonly #condition: () => Condition;
  readonly #alter: (octets: Buffer) => Buffer;
  readonly #waiting: { readonly octets: Buffer | 'end'; readonly due: number }[] = [];

  constructor(
    direction: Direction,
    from: Socket,
    to: Socket,
    condition: () => Condition,
    alter: (octets: Buffer) => Buffer = (octets) => octets,
  ) {
    this.from = from;
    this.to = to;
    this.#direction = direction;
    this.#condition = condition;
    this.#alter = alter;
  }

  take(octets: Buffer | 'end'): void {
    const { delayMs } = this.#condition();
    this.#waiting.push({ octets, due: performance.now() + delayMs });
    if (delayMs > 0) setTimeout(() => this.pass(), delayMs + 1);
    this.pass();
  }

  /** Passes on what may pass by now, in order. */
  pass(): void {
    if (this.#condition().held.has(this.#direction)) return;
    for (;;) {
      const [first] = this.#waiting;
      if (first === undefined || first.due > performance.now()) return;
      this.#waiting.shift();
      if (first.octets === 'end') this.to.destroySoon();
      else this.to.write(this.#alter(first.octets));
    }
  }
}
