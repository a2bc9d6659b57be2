import { onAbort } from '../base/abort.ts';
import type { Clock } from '../base/clock.ts';
import type { Fingerprint, ListedServer, NotAsked } from '../document/servers.ts';
import type { MetServer } from './servers-met.ts';

/**
 * Asks the servers that a traversal met which software they run, and returns a row of the server list
 * (svc-api(5)) for each, in their order. Those that never replied are not asked, and whatever they are and however many, asking ends
 * after `MOST_ASKED` servers and `SURVEY_MS`. Rejects with the signal's reason when it is aborted, else for
 * a bug.
 */
export async function survey(
  servers: readonly MetServer[],
  { fingerprint, known = () => undefined, clock, signal, tell }: SurveySurroundings,
): Promise<readonly ListedServer[]> {
  signal.throwIfAborted();
  const over = new AbortController();
  const stay = onAbort(signal, () => over.abort(signal.reason));
  const cancelTimer = clock.after(SURVEY_MS, () => over.abort());
  const rows = new Map<MetServer, ListedServer>();
  const settle = (server: MetServer, print: Fingerprint) => {
    const { reaction: _, allNames: __, ...met } = server;
    const row = { ...met, ...print };
    rows.set(server, row);
    // Once it is stopped nobody wants to know.
    if (!signal.aborted) tell?.(row);
  };
  const ask = async (server: MetServer) => {
    if (over.signal.aborted) return skipped('time');
    try {
      return await fingerprint(server, over.signal);
    } catch (error) {
      if (!over.signal.aborted) throw error;
      return skipped('time');
    }
  };
  try {
    const toAsk = servers.filter((server) => {
      const silent = server.reaction === 'silent' ? skipped('silent') : undefined;
      const print = known(server.address) ?? silent;
      if (print !== undefined) settle(server, print);
      return print === undefined;
    });
    for (const server of toAsk.slice(MOST_ASKED)) settle(server, skipped('limit'));
    const left = toAsk.slice(0, MOST_ASKED).values();
    const askRest = async () => {
      for (const server of left) settle(server, await ask(server));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, askRest));
    signal.throwIfAborted();
    return servers.flatMap((server) => rows.get(server) ?? []);
  } finally {
    over.abort();
    cancelTimer();
    stay();
  }
}

/** How many servers of one traversal are asked what they are: more than usual names have. */
export const MOST_ASKED = 250;

/** How long asking the servers of one traversal may take. */
export const SURVEY_MS = 30_000;

/** How many of them are asked at once. */
const AT_ONCE = 32;

/** What a survey needs from outside. */
interface SurveySurroundings {
  /** Asks one server. Rejects with the signal's reason when it is aborted. */
  readonly fingerprint: (server: MetServer, signal: AbortSignal) => Promise<Fingerprint>;
  /** What is known of an address without asking. */
  readonly known?: (address: string) => Fingerprint | undefined;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Receives each row once it is final. */
  readonly tell?: (row: ListedServer) => void;
}

/** The fingerprint of a server that was not asked. */
export function skipped(reason: NotAsked): Fingerprint {
  const skip = { status: 'skipped', reason } as const;
  return { versionBind: skip, hostnameBind: skip, idServer: skip, nsid: skip };
}
