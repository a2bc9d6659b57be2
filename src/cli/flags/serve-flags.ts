import { type Command, Option } from 'commander';
import { keysOf, SERVICE_LIMITS } from '../../base/limits.ts';
import { type Prefix, parsePrefix } from '../../dns/address.ts';
import { definedMembers, isQuick } from '../../document/options.ts';
import { QUICK_VIEWS } from '../../evaluate/views.ts';
import { DEFAULT_SETTINGS, type ServiceSettings, usualJobsPerClient } from '../../service/settings.ts';
import { usageError } from '../process/errors.ts';
import { addHelpSections } from '../process/help.ts';
import { fileOption, type LimitFlags, limitOption } from './limit-option.ts';
import { addServedTraversalFlags, type ServedTraversalFlags, TAKING_ON } from './traversal-flags.ts';

/** The options of `svc serve`, as commander gives them. */
export interface ServeFlags extends ServedTraversalFlags, Pick<LimitFlags, ServiceLimit> {
  readonly listen?: Listen;
  readonly metricsListen?: Listen;
  readonly hostName?: readonly string[];
  readonly page: boolean;
  readonly onlyQuick?: true;
  readonly trustProxy?: readonly (Prefix | 'none')[];
  readonly state?: string;
  readonly store?: string;
  readonly publicHistory?: true;
}

/** Where a service listens. */
interface Listen {
  readonly host: string;
  readonly port: number;
}

type ServiceLimit = keyof typeof SERVICE_LIMITS;

/** The limits that are settings of their own name; a new one does not compile before it is a setting. */
const SETTING_LIMITS: readonly (ServiceLimit & keyof ServiceSettings)[] =
  keysOf(SERVICE_LIMITS).filter(isSetting);

function isSetting(
  name: ServiceLimit,
): name is Exclude<ServiceLimit, 'maxRetainedMiB' | 'maxHistoryGiB' | 'graceMs'> {
  return name !== 'maxRetainedMiB' && name !== 'maxHistoryGiB' && name !== 'graceMs';
}

/** The limits below "Who the client is" in the help; all others say how much to take on. */
const CLIENT_LIMITS: readonly ServiceLimit[] = ['trustedHops', 'clientPrefix6'];

/** Adds the options of `svc serve`. */
export function addServeFlags(command: Command): void {
  command
    .optionsGroup('Where to listen:')
    .addOption(listenOption())
    .addOption(metricsListenOption())
    .addOption(hostNameOption())
    .addOption(new Option('--no-page', 'only the API: show no page to browsers'))
    .optionsGroup('Who the client is:')
    .addOption(trustProxyOption());
  for (const name of CLIENT_LIMITS) command.addOption(limitOption(name));
  command.optionsGroup(TAKING_ON);
  for (const name of keysOf(SERVICE_LIMITS).filter((one) => !CLIENT_LIMITS.includes(one)))
    command.addOption(limitOption(name, name === 'maxJobsPerClient' ? 'half of --max-jobs' : undefined));
  command
    .addOption(fileOption('--state <dir>', 'keep jobs in this directory, so that they survive a restart'))
    .addOption(
      new Option('--store <url>', 'share jobs and limits with other instances, in a PostgreSQL database'),
    )
    .option('--public-history', 'let anybody list the ended jobs of a name, and show them on the page');
  addServedTraversalFlags(command);
  command.option('--only-quick', 'make only the cold walk, and refuse requests for other views');
  command.hook('preAction', () => checkOnlyQuick(command.opts()));
  addHelpSections(command, AFTERWORD);
}

/** Throws a `CommandError` for views beside `--only-quick`. */
function checkOnlyQuick({ onlyQuick, views, profiles = [], check }: ServeFlags): void {
  if (onlyQuick && (!isQuick({ views: views ?? QUICK_VIEWS }) || profiles.length > 0 || check))
    throw usageError('--only-quick makes only the cold walk: leave out --views, --profiles and --check');
}

/** The settings that flags make, which the environment adds to. */
export function settingsOf(flags: ServeFlags): Omit<ServiceSettings, 'version' | 'options'> {
  const { listen, metricsListen, hostName, trustProxy, onlyQuick, publicHistory } = flags;
  const { maxJobs, maxJobsPerClient, maxRetainedMiB, maxHistoryGiB } = flags;
  return {
    ...DEFAULT_SETTINGS,
    ...listen,
    ...(metricsListen && { metricsListen }),
    ...(hostName && { hostNames: hostName }),
    ...(onlyQuick && { views: 'quick' }),
    ...(publicHistory && { publicHistory }),
    ...(trustProxy && { trustedProxies: trustProxy.filter((entry) => entry !== 'none') }),
    ...definedMembers(flags, SETTING_LIMITS),
    maxJobsPerClient: maxJobsPerClient ?? usualJobsPerClient(maxJobs ?? DEFAULT_SETTINGS.maxJobs),
    ...(maxRetainedMiB !== undefined && { maxRetainedBytes: maxRetainedMiB * 1024 * 1024 }),
    ...(maxHistoryGiB !== undefined && { maxHistoryBytes: maxHistoryGiB * 1024 ** 3 }),
  };
}

const AFTERWORD = {
  examples: ['svc serve --demo', 'svc serve --listen 0.0.0.0:8053 --trust-proxy 10.0.0.0/8'],
};

function listenOption(): Option {
  const { host, port } = DEFAULT_SETTINGS;
  const meaning = `address to listen on; --port is that of the name servers (default ${host}:${port})`;
  return new Option('--listen <host:port>', meaning).argParser((text) => readListen(text, '--listen'));
}

function metricsListenOption(): Option {
  const meaning = 'address for the metrics: with health and readiness, which leave the public address';
  return new Option('--metrics-listen <host:port>', meaning).argParser((text) =>
    readListen(text, '--metrics-listen'),
  );
}

function hostNameOption(): Option {
  const meaning = 'a name of the service (repeatable): requests for other names are refused';
  return new Option('--host-name <name>', meaning).argParser((text, before: readonly string[] = []) => [
    ...before,
    readHostName(text),
  ]);
}

/** A host name as browsers write it: letters, digits, hyphens and dots (RFC 952, RFC 1123 2.1). */
function readHostName(text: string): string {
  const name = text.toLowerCase().replace(/(?<=.)\.$/, '');
  if (/^[a-z\d_]([-_a-z\d]*[a-z\d])?(\.[a-z\d_]([-_a-z\d]*[a-z\d])?)*$/.test(name)) return name;
  throw usageError(`--host-name ${text}: must be a host name without a port, such as dns.example.com`);
}

function trustProxyOption(): Option {
  const meaning = 'prefixes of your proxies: only their headers say who the client is (default: all)';
  return new Option('--trust-proxy <cidr|none...>', meaning).argParser(
    (text, before: readonly (Prefix | 'none')[] = []) => {
      const all = [...before, readTrusted(text)];
      if (all.length > 1 && all.includes('none')) {
        throw usageError('--trust-proxy none: leave out the prefixes beside it');
      }
      return all;
    },
  );
}

function readTrusted(text: string): Prefix | 'none' {
  const read = text === 'none' ? text : parsePrefix(text);
  if (read !== undefined) return read;
  throw usageError(`--trust-proxy ${text}: must be a prefix such as 10.0.0.0/8 or 2001:db8::/32, or none`);
}

/** Reads "192.0.2.1:80", "[2001:db8::1]:80", "localhost:80", or "80" on loopback. Port 0 is any free one. */
function readListen(text: string, flag: '--listen' | '--metrics-listen'): Listen {
  const match = /^(?:(?:\[([^[\]]+)\]|([^:[\]]+)):)?(\d{1,5})$/.exec(text);
  const host = match?.[1] ?? match?.[2] ?? DEFAULT_SETTINGS.host;
  const port = Number(match?.[3]);
  if (port <= 65_535) return { host, port };
  throw usageError(`${flag} ${text}: must be HOST:PORT, such as 0.0.0.0:8053 or [::1]:8053, or a port`);
}
