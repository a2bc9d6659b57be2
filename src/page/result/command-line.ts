import type { TraversalResult } from '../../document/result.ts';
import type { WhatIfRow } from '../../document/what-if.ts';
import { formatDurationMs } from '../../duration.ts';
import { SERVED_LIMITS } from '../../limits.ts';
import { DEFAULT_OPTIONS, type TraversalOptions } from '../../options.ts';

/** The command that asks a service for the same, as a POSIX shell takes it: svc-traverse(1). */
export function commandLine(
  { query, options, whatIf }: Pick<TraversalResult, 'query' | 'options' | 'whatIf'>,
  server: string,
): string {
  const words = [
    'svc',
    'traverse',
    withoutDot(query.name).replace(/^-/, DASH),
    ...(query.type === 'A' ? [] : [query.type]),
    ...optionWords(options),
    ...(whatIf === undefined ? [] : whatIfOptions(whatIf)),
    '--server',
    server,
  ];
  return words.map(quotedWord).join(' ');
}

/** What requests may set and is not as services usually have it. */
function optionWords(options: TraversalOptions): readonly string[] {
  const usual = { ...DEFAULT_OPTIONS, ...SERVED_LIMITS };
  const number = (flag: string, name: 'maxDepth' | 'maxQueries' | 'maxWork' | 'retries' | 'payloadSize') =>
    isUsual(options[name], DEFAULT_OPTIONS[name], usual[name]) ? [] : [flag, `${options[name]}`];
  const duration = (flag: string, name: 'maxTimeMs' | 'timeoutMs') =>
    options[name] === usual[name] ? [] : [flag, formatDurationMs(options[name])];
  const flag = (word: string, isSet: boolean) => (isSet ? [word] : []);
  const [family, ...others] = options.families;
  return [
    ...flag(`-${family}`, others.length === 0),
    ...flag('--check', options.check === true),
    ...flag('--dnssec', options.dnssec === true),
    ...duration('--timeout', 'timeoutMs'),
    ...number('--retries', 'retries'),
    ...number('--payload-size', 'payloadSize'),
    ...flag('--tcp', options.transport === 'tcp'),
    ...flag('--no-edns', options.edns === 'off'),
    ...flag('--no-0x20', options.nameCase === 'lower'),
    ...number('--max-depth', 'maxDepth'),
    ...number('--max-queries', 'maxQueries'),
    ...duration('--max-time', 'maxTimeMs'),
    ...number('--max-work', 'maxWork'),
  ];
}

function isUsual(value: number, ...usual: readonly number[]): boolean {
  return usual.includes(value);
}

function whatIfOptions({ down, without, only, delegate }: WhatIfRow): readonly string[] {
  const each = (flag: string, servers: readonly string[]) =>
    servers.flatMap((one) => [flag, withoutDot(one)]);
  return [
    ...each('--down', down),
    ...each('--without', without),
    ...each('--only', only),
    ...delegate.flatMap(({ zone, nameservers }) =>
      nameservers.flatMap(({ name, glue }) => [
        '--delegate',
        `${withoutDot(zone)}=${[withoutDot(name), ...glue].join('/')}`,
      ]),
    ),
  ];
}

function withoutDot(name: string): string {
  return name.length > 1 ? name.replace(/\.$/, '') : name;
}

/** A dash as names have it in escapes (RFC 1035 5.1): a word that begins with one would be an option. */
const DASH = '\\045';

/** Nothing in a word means anything to a shell. */
function quotedWord(word: string): string {
  return /^[\w.:/@=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
