import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { Test } from 'tap';

/** A name server that keeps its replies back until they are released. */
export interface HeldServer {
  /** Resolves when it has been asked something. */
  readonly asked: Promise<void>;
  /** From now on it replies, also to what it was asked before. */
  readonly release: () => void;
}

/** Where queries come in, and where the replies are fetched. */
interface HeldPlace {
  readonly address: string;
  readonly behind: string;
  readonly port: number;
}

/** Stands in front of a server of the lab: passes on what it is asked over UDP, but nothing before it is told to. */
export async function holdServer(
  t: Pick<Test, 'teardown'>,
  { address, behind, port }: HeldPlace,
): Promise<HeldServer> {
  const front = createSocket('udp4');
  front.bind(port, address);
  await once(front, 'listening');
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  t.teardown(() => front.close());
  front.on('message', async (query, from) => {
    await released;
    const back = createSocket('udp4');
    back.send(query, port, behind);
    const [reply]: Buffer[] = await once(back, 'message');
    back.close();
    if (reply !== undefined) front.send(reply, from.port, from.address);
  });
  return { asked: once(front, 'message').then(() => {}), release };
}
