/* Writes the result on the page in the formats of `svc traverse --format`, and as a command line. */

import { formatDurationMs } from '../../base/duration.ts';
import { withoutFinalDot } from '../../dns/name.ts';
import {
  optionRow,
  REQUEST_OPTIONS,
  type RequestOption,
  type TraversalOptions,
} from '../../document/options.ts';
import type { TraversalResult, WhatIfRow } from '../../document/result.ts';
import { FORMATS, type FormatIn, formatsIn } from '../../report/formats.ts';

/** A result as `svc traverse --format` writes it. */
export async function exported(format: ExportFormat, result: TraversalResult): Promise<string> {
  const { made } = FORMATS[format];
  switch (made.kind) {
    case 'document':
      return `${JSON.stringify(result)}\n`;
    case 'text':
      return await made.render(result);
  }
}

/** A format in which a result can be saved. */
export type ExportFormat = FormatIn<'page'>;

/** The formats to choose from. The picture is saved where it is shown. */
export const EXPORT_FORMATS: readonly ExportFormat[] = formatsIn('page');

/** What files about a result are called, without their ending. Only harmless characters are left. */
export function fileNameFor({ query: { name, type } }: Pick<TraversalResult, 'query'>): string {
  const plainName = name === '.' ? 'root' : withoutFinalDot(name).replace(/[^\w.-]+/g, '_');
  return `${plainName.replace(/^[.-]+/, '_').slice(0, LONGEST)}-${type}`;
}

/** Names of files may have 255 octets. */
const LONGEST = 200;

/** A service: where it is, and what applies there unless a request says otherwise. */
interface AskedService {
  readonly url: string;
  readonly usual: TraversalOptions;
}

/** The command that asks a service for the same, as a POSIX shell takes it: svc-traverse(1). */
export function commandLine(
  { query, options, whatIf }: Pick<TraversalResult, 'query' | 'options' | 'whatIf'>,
  { url, usual }: AskedService,
): string {
  const words = [
    'svc',
    'traverse',
    withoutFinalDot(query.name).replace(/^-/, DASH),
    ...(query.type === 'A' ? [] : [query.type]),
    ...optionWords(options, usual),
    ...(whatIf === undefined ? [] : whatIfOptions(whatIf)),
    '--server',
    url,
  ];
  return words.map(quotedWord).join(' ');
}

/** What requests may set and is not as the service has it. */
function optionWords(options: TraversalOptions, usual: TraversalOptions): readonly string[] {
  const [family, ...others] = options.families;
  const isOneFamily = others.length === 0 && usual.families.length > 1;
  const changed = REQUEST_OPTIONS.filter(
    (name) => options[name] !== undefined && writtenOption(name, options) !== writtenOption(name, usual),
  );
  return [
    ...(isOneFamily ? [`-${family}`] : []),
    ...changed.flatMap((name) => wordsFor(name, options[name])),
  ];
}

/** Absent is off. Lists are alike if their items are. */
function writtenOption(name: RequestOption, options: TraversalOptions): string {
  return String(options[name] ?? false);
}

function wordsFor(name: RequestOption, value: unknown): readonly string[] {
  const { flag } = optionRow(name);
  switch (flag.kind) {
    case 'limit':
      return [flag.spelling, name.endsWith('Ms') ? formatDurationMs(Number(value)) : `${value}`];
    case 'value':
      return value === flag.value ? [flag.spelling] : [];
    case 'names':
      return [flag.spelling, Array.isArray(value) && value.length > 0 ? value.join(',') : 'none'];
    case 'items':
      return Array.isArray(value) ? value.flatMap((item) => [flag.spelling, `${item}`]) : [];
    case 'families':
    case 'own':
      return [];
  }
}

function whatIfOptions({ down, without, only, delegate, zone = [], ds = [] }: WhatIfRow): readonly string[] {
  const each = (flag: string, servers: readonly string[]) =>
    servers.flatMap((one) => [flag, withoutFinalDot(one)]);
  return [
    ...each('--down', down),
    ...each('--without', without),
    ...each('--only', only),
    ...delegate.flatMap(({ zone, nameservers }) =>
      nameservers.flatMap(({ name, glue }) => [
        '--delegate',
        `${withoutFinalDot(zone)}=${[withoutFinalDot(name), ...glue].join('/')}`,
      ]),
    ),
    ...zone.flatMap((one) => ['--zone', `${withoutFinalDot(one.zone)}=${one.file}`]),
    ...ds.flatMap((one) =>
      (one.ds.length === 0 ? ['none'] : one.ds.map((data) => data.replaceAll(' ', ','))).flatMap((data) => [
        '--ds',
        `${withoutFinalDot(one.zone)}=${data}`,
      ]),
    ),
  ];
}

/** A dash as names have it in escapes (RFC 1035 5.1): a word that begins with one would be an option. */
const DASH = '\\045';

/** Nothing in a word means anything to a shell. */
function quotedWord(word: string): string {
  return /^[\w.:/@=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
