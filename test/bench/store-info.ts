import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** What a store has done and holds. */
interface StoreInfo {
  readonly commands: number;
  readonly octetsReceived: number;
  readonly octetsSent: number;
  readonly cpuMs: number;
  /** Octets of data in memory, and of the file that they are kept in. */
  readonly memory: number;
  readonly file: number;
}

/** Asks a store on this host what it has done so far. */
export async function storeInfo(port: number): Promise<StoreInfo> {
  const { stdout } = await promisify(execFile)('redis-cli', ['-p', `${port}`, 'info', 'all']);
  const value = (name: string) => Number(new RegExp(`^${name}:(.*)\\r?$`, 'm').exec(stdout)?.[1]);
  return {
    commands: value('total_commands_processed'),
    octetsReceived: value('total_net_input_bytes'),
    octetsSent: value('total_net_output_bytes'),
    cpuMs: (value('used_cpu_sys') + value('used_cpu_user')) * 1_000,
    memory: value('used_memory_dataset'),
    file: value('aof_current_size'),
  };
}
