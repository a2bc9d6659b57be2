import { type Command, Option } from 'commander';
import { DEFAULT_SETTINGS, type ServiceSettings } from '../../service/settings.ts';
import { usageError } from '../process/command-error.ts';
import { addAfterword } from '../process/help.ts';
import { limitOption } from './limit-option.ts';
import { addServedTraversalFlags, type TraversalFlags } from './traversal-flags.ts';

/** Where a service listens. */
export interface Listen {
  readonly host: string;
  readonly port: number;
}

/** The options of `svc serve`, as commander gives them. */
export interface ServeFlags extends TraversalFlags {
  readonly listen?: Listen;
  readonly maxJobs?: number;
  readonly maxQueue?: number;
  readonly retain?: number;
  readonly maxRetained?: number;
  readonly maxRetainedMib?: number;
  readonly trustedHops?: number;
  readonly maxConnections?: number;
  readonly maxConnectionsPerClient?: number;
  readonly maxStreamsPerClient?: number;
  readonly grace?: number;
}

/** Adds the options of `svc serve`. */
export function addServeFlags(command: Command): void {
  command
    .optionsGroup('Where to listen:')
    .addOption(listenOption())
    .addOption(limitOption('--trusted-hops', 'trustedHops'))
    .optionsGroup('How much to take on:')
    .addOption(limitOption('--max-jobs', 'maxJobs'))
    .addOption(limitOption('--max-queue', 'maxQueue'))
    .addOption(limitOption('--retain', 'retainMs'))
    .addOption(limitOption('--max-retained', 'maxRetained'))
    .addOption(limitOption('--max-retained-mib', 'maxRetainedMiB'))
    .addOption(limitOption('--max-connections', 'maxConnections'))
    .addOption(limitOption('--max-connections-per-client', 'maxConnectionsPerClient'))
    .addOption(limitOption('--max-streams-per-client', 'maxStreamsPerClient'))
    .addOption(limitOption('--grace', 'graceMs'));
  addServedTraversalFlags(command);
  addAfterword(command, AFTERWORD);
}

/** The settings that flags make, which the environment adds to. */
export function settingsOf(flags: ServeFlags): Omit<ServiceSettings, 'version' | 'options'> {
  const usual = DEFAULT_SETTINGS;
  return {
    ...usual,
    ...flags.listen,
    trustedHops: flags.trustedHops ?? usual.trustedHops,
    maxJobs: flags.maxJobs ?? usual.maxJobs,
    maxQueue: flags.maxQueue ?? usual.maxQueue,
    retainMs: flags.retain ?? usual.retainMs,
    maxRetained: flags.maxRetained ?? usual.maxRetained,
    maxRetainedBytes:
      flags.maxRetainedMib === undefined ? usual.maxRetainedBytes : flags.maxRetainedMib * 1024 * 1024,
    maxConnections: flags.maxConnections ?? usual.maxConnections,
    maxConnectionsPerClient: flags.maxConnectionsPerClient ?? usual.maxConnectionsPerClient,
    maxStreamsPerClient: flags.maxStreamsPerClient ?? usual.maxStreamsPerClient,
  };
}

const AFTERWORD = {
  environment: [
    ['SERVICE_RATE_LIMIT', 'jobs that each client may start, as N/duration (default 30/1h)'],
    ['SERVICE_WEBHOOK_URL', 'receives an event when a job starts or ends (default: none)'],
    ['SERVICE_WEBHOOK_SECRET', 'signs these events: Webhook-Signature: sha256=<HMAC>'],
    ['EDGE_REGION', 'region shown in the health report'],
  ],
  exitStatus: [
    ['0', 'asked to stop, and did'],
    ['2', 'wrong usage'],
    ['3', 'could not listen, or could not read a file'],
  ],
} as const;

function listenOption(): Option {
  const { host, port } = DEFAULT_SETTINGS;
  const meaning = `address to listen on; --port is that of the name servers (default ${host}:${port})`;
  return new Option('--listen <host:port>', meaning).argParser(readListen);
}

/** Reads "192.0.2.1:80", "[2001:db8::1]:80", "localhost:80", or "80" on loopback. Port 0 is any free one. */
export function readListen(text: string): Listen {
  const match = /^(?:(?:\[([^[\]]+)\]|([^:[\]]+)):)?(\d{1,5})$/.exec(text);
  const host = match?.[1] ?? match?.[2] ?? DEFAULT_SETTINGS.host;
  const port = Number(match?.[3]);
  if (port <= 65_535) return { host, port };
  throw usageError(`--listen ${text}: must be HOST:PORT, such as 0.0.0.0:8053 or [::1]:8053, or a port`);
}
