// The servers of a heavy world, on a thread of their own, so that their work does not pass for that of others.
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { heavyWorld } from './heavy-worlds.ts';
import { startHostileServers } from './hostile-servers.ts';

/** Where the servers are, and what they have sent by now. */
interface News {
  readonly port: number;
  readonly hints: string;
  readonly asked: number;
  readonly sent: number;
}

/** The servers of a heavy world. */
interface HostileThread {
  /** The last that was heard of them. */
  readonly news: () => News;
  readonly close: () => Promise<void>;
}

/** Starts the servers of the world at this place in the list. */
export async function startHostileThread(at: number): Promise<HostileThread> {
  const worker = new Worker(new URL(import.meta.url), { workerData: at });
  let last = await new Promise<News>((resolve, reject) => {
    worker.once('message', resolve).once('error', reject);
  });
  worker.on('message', (news: News) => {
    last = news;
  });
  return { news: () => last, close: async () => void (await worker.terminate()) };
}

if (!isMainThread && typeof workerData === 'number') {
  const { block, count, says } = heavyWorld(workerData);
  const { port, hints, asked, sent } = await startHostileServers(block, count, says());
  const tell = () => parentPort?.postMessage({ port, hints, asked: asked(), sent: sent() });
  tell();
  setInterval(tell, 100);
}
