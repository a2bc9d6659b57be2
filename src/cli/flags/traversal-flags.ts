import type { Command, Option } from 'commander';
import { SERVED_LIMITS } from '../../limits.ts';
import { type TraversalOptions, traversalOptions } from '../../options.ts';
import { addAtFlag, addDnssecFlags, checkDnssecFlags, type DnssecFlags } from './dnssec-flags.ts';
import { fileOption } from './file-option.ts';
import { limitOption } from './limit-option.ts';

/** The command line's options that say how to traverse, as commander gives them. */
export interface TraversalFlags extends DnssecFlags {
  readonly 4?: true;
  readonly 6?: true;
  readonly rootHints?: string;
  readonly port?: number;
  readonly timeout?: number;
  readonly retries?: number;
  readonly maxDepth?: number;
  readonly maxQueries?: number;
  readonly maxTime?: number;
  readonly maxWork?: number;
  readonly rate?: number;
  readonly ratePrefix?: number;
  readonly payloadSize?: number;
  readonly tcp?: true;
  readonly edns: boolean;
  readonly '0x20': boolean;
  readonly allowSpecialTargets?: true;
  readonly check?: boolean;
  readonly demo?: true;
}

/** What the options of `svc serve` have besides. */
export interface ServedTraversalFlags extends TraversalFlags {
  readonly rateTotal?: number;
  readonly deny?: string;
  readonly maxPackets?: number;
}

/** Adds the options of a command that traverses. */
export function addTraversalFlags(command: Command): void {
  addAskingFlags(command, {
    port: limitOption('-p, --port', 'port'),
    maxQueries: limitOption('--max-queries', 'maxQueries'),
  });
  addAtFlag(command);
  addWithoutFlags(command);
  command.hook('preAction', () => checkDnssecFlags(command.opts()));
}

/** What a service may do by default, so that only its clients have to say that they want none of it. */
function addWithoutFlags(command: Command): void {
  command
    .optionsGroup(HOW_FAR)
    .option('--no-check', 'do without, where a service does it by default')
    .option('--no-dnssec', 'the same for signatures');
}

/** The same for `svc serve`, where -p would look like the port to listen on, and what binds all jobs together. */
export function addServedTraversalFlags(command: Command): void {
  addAskingFlags(command, {
    port: limitOption('--port', 'port'),
    maxQueries: limitOption('--max-queries', 'maxQueries', `${SERVED_LIMITS.maxQueries}`),
  });
  command
    .optionsGroup(HOW_TO_ASK)
    .addOption(limitOption('--rate-total', 'rateTotal'))
    .addOption(fileOption('--deny <file>', 'leave alone the prefixes and names in it, one a line'))
    .optionsGroup(HOW_FAR)
    .addOption(limitOption('--max-packets', 'maxPackets'));
  command.hook('preAction', () => {
    // Clients may ask for it where it is not the default.
    const { edns, dnssec }: ServedTraversalFlags = command.opts();
    checkDnssecFlags({ edns, ...(dnssec && { dnssec }) });
  });
}

const HOW_TO_ASK = 'How to ask:';
const HOW_FAR = 'How far to go:';

/** Options that `svc serve` has in a form of its own. */
interface OwnForms {
  readonly port: Option;
  readonly maxQueries: Option;
}

function addAskingFlags(command: Command, { port, maxQueries }: OwnForms): void {
  command
    .optionsGroup(HOW_TO_ASK)
    .option('-4', 'ask over IPv4 (default: each family that this host has a route for)')
    .option('-6', 'ask over IPv6')
    .addOption(
      fileOption(
        '--root-hints <file>',
        'start at these root servers, in named.root format (default: the 13 of the internet)',
      ),
    )
    .addOption(port)
    .addOption(limitOption('--timeout', 'timeoutMs'))
    .addOption(limitOption('--retries', 'retries'))
    .addOption(limitOption('--rate', 'rate'))
    .addOption(limitOption('--rate-prefix', 'ratePerPrefix'))
    .addOption(limitOption('--payload-size', 'payloadSize'))
    .option('--tcp', 'ask over TCP only')
    .option('--no-edns', 'ask without EDNS0')
    .option('--no-0x20', 'do not mix upper and lower case in the names asked for')
    .option('--allow-special-targets', 'also ask private, loopback and other special-purpose addresses')
    .option('--demo', 'ask the built-in simulated internet: no network needed')
    .optionsGroup(HOW_FAR)
    .option(
      '--check',
      "walk the zones' own name servers too; ask every server for NS, SOA and name servers' addresses, and probe it",
    );
  addDnssecFlags(command);
  command
    .addOption(limitOption('--max-depth', 'maxDepth'))
    .addOption(maxQueries)
    .addOption(limitOption('--max-time', 'maxTimeMs'))
    .addOption(limitOption('--max-work', 'maxWork'));
}

/** The options of a traversal: what the flags say, else the defaults; the families are always a default. */
export function optionsFromFlags(
  flags: TraversalFlags,
  defaults: Partial<TraversalOptions>,
): TraversalOptions {
  const usual = traversalOptions(defaults);
  return {
    ...usual,
    maxDepth: flags.maxDepth ?? usual.maxDepth,
    maxQueries: flags.maxQueries ?? usual.maxQueries,
    maxTimeMs: flags.maxTime ?? usual.maxTimeMs,
    maxWork: flags.maxWork ?? usual.maxWork,
    timeoutMs: flags.timeout ?? usual.timeoutMs,
    retries: flags.retries ?? usual.retries,
    rate: flags.rate ?? usual.rate,
    port: flags.port ?? usual.port,
    payloadSize: flags.payloadSize ?? usual.payloadSize,
    edns: flags.edns ? 'on' : 'off',
    nameCase: flags['0x20'] ? 'mixed' : 'lower',
    transport: flags.tcp ? 'tcp' : 'udp-then-tcp',
    specialTargets: flags.allowSpecialTargets ? 'allowed' : usual.specialTargets,
    ...(flags.check ? { check: true } : {}),
    ...(flags.dnssec ? { dnssec: true } : {}),
    ...(flags.at === undefined ? {} : { at: flags.at }),
  };
}
