import { type Command, Option } from 'commander';
import { SERVICE_LIMITS, type ServiceLimitName } from '../../service/limits.ts';
import { DEFAULT_SETTINGS } from '../../service/settings.ts';
import { usageError } from '../process/exit-status.ts';
import { boundedOption } from './limit-option.ts';
import { addTraversalFlags, type TraversalFlags } from './traversal-flags.ts';

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
    .addOption(limit('--trusted-hops', 'trustedHops'))
    .optionsGroup('How much to take on:')
    .addOption(limit('--max-jobs', 'maxJobs'))
    .addOption(limit('--max-queue', 'maxQueue'))
    .addOption(limit('--retain', 'retainMs'))
    .addOption(limit('--max-retained', 'maxRetained'))
    .addOption(limit('--max-retained-mib', 'maxRetainedMiB'))
    .addOption(limit('--max-connections', 'maxConnections'))
    .addOption(limit('--max-connections-per-client', 'maxConnectionsPerClient'))
    .addOption(limit('--max-streams-per-client', 'maxStreamsPerClient'))
    .addOption(limit('--grace', 'graceMs'));
  addTraversalFlags(command);
  command.addHelpText('after', VARIABLES);
}

const VARIABLES = `
Environment:
  SERVICE_RATE_LIMIT      jobs that one client may start, N/duration (default 30/1h)
  SERVICE_WEBHOOK_URL     where to tell of jobs that start and end (default: nowhere)
  SERVICE_WEBHOOK_SECRET  signs what is told: Webhook-Signature: sha256=<HMAC>
  EDGE_REGION             said in the health report
`;

function limit(flag: string, name: ServiceLimitName): Option {
  return boundedOption(flag, SERVICE_LIMITS[name], name.endsWith('Ms') ? 'duration' : 'number');
}

function listenOption(): Option {
  const { host, port } = DEFAULT_SETTINGS;
  const meaning = `where to take requests; --port is that of the name servers (default ${host}:${port})`;
  return new Option('--listen <host:port>', meaning).argParser(readListen);
}

/** Reads "192.0.2.1:80", "[2001:db8::1]:80", "localhost:80" or "80", on loopback; port 0 is one that is free. */
export function readListen(text: string): Listen {
  const match = /^(?:(?:\[([^[\]]+)\]|([^:[\]]+)):)?(\d{1,5})$/.exec(text);
  const host = match?.[1] ?? match?.[2] ?? DEFAULT_SETTINGS.host;
  const port = Number(match?.[3]);
  if (port <= 65_535) return { host, port };
  throw usageError(`--listen ${text}: must be HOST:PORT, such as 0.0.0.0:8053 or [::1]:8053, or a port`);
}
