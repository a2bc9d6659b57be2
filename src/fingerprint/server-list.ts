import type { MetServer } from './servers-met.ts';
import type { Software } from './software.ts';

/** What a server told when asked about itself, as a row of the server list shows it. */
export interface ToldRow {
  readonly status: 'answer' | 'refused' | 'timeout' | 'error' | 'empty';
  readonly text?: string;
  readonly rcode?: string;
  readonly failure?: 'unreachable' | 'malformed';
}

/** A row of the server list (svc-api(5)). Has only `versionBind` if asking failed through a bug. */
export interface ListedServer extends MetServer {
  readonly versionBind: ToldRow;
  readonly hostnameBind?: ToldRow;
  readonly idServer?: ToldRow;
  readonly nsid?: ToldRow;
  readonly software?: Software;
}

/** The server list, once it is ready. */
export interface ServerList {
  readonly status: 'ready';
  readonly servers: readonly ListedServer[];
}
