import { readdirSync, readFileSync } from 'node:fs';
import type { PostgresServer } from '../service/store/postgres-server.ts';

/** What a store has done and holds. */
interface StoreInfo {
  readonly cpuMs: number;
  /** Octets of all tables and indexes. */
  readonly octets: number;
}

/** Asks a store on this host what it has done so far. */
export async function storeInfo({ tell }: Pick<PostgresServer, 'tell'>, url: string): Promise<StoreInfo> {
  const octets = await tell('SELECT pg_database_size(current_database())', url);
  const [pid] = (await tell(`SELECT pg_read_file('postmaster.pid')`)).split('\n');
  return { octets: Number(octets), cpuMs: cpuMsOf(Number(pid)) };
}

/** A tick of the processor accounts in /proc, in milliseconds. */
const TICK_MS = 10;

/** The processor time of a server's processes, also of those that have ended. */
function cpuMsOf(server: number): number {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const own = all.map(statOf).filter(({ pid, parent }) => pid === server || parent === server);
  return own.reduce((sum, { ticks }) => sum + ticks, 0) * TICK_MS;
}

/** proc(5): after the name in parentheses come the state, the parent, and from the 14th field on the ticks. */
function statOf(pid: string) {
  const fields = contentOf(`/proc/${pid}/stat`)
    .replace(/^.*\) /, '')
    .split(' ')
    .map(Number);
  const [, parent = 0] = fields;
  const ticks = fields.slice(11, 15).reduce((sum, one) => sum + one, 0);
  return { pid: Number(pid), parent, ticks };
}

/** Empty for a process that has ended meanwhile. */
function contentOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
