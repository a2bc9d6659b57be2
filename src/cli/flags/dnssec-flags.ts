import { type Command, Option } from 'commander';
import type { TraversalOptions } from '../../document/options.ts';
import { usageError } from '../process/errors.ts';
import { fileOption } from './limit-option.ts';

/** The options that say how replies are validated, as commander gives them. */
export interface DnssecFlags {
  readonly trustAnchor?: string;
  /** ISO 8601, UTC. */
  readonly at?: string;
}

/** Adds `--trust-anchor`. */
export function addTrustAnchorFlag(command: Command): void {
  command.addOption(
    fileOption(
      '--trust-anchor <file>',
      'use these DS or DNSKEY records of the root as trust anchors (default: those of IANA; needed with --root-hints)',
    ),
  );
}

/** Adds `--at`, which is for a single run. */
export function addAtFlag(command: Command): void {
  const meaning = 'validate signatures as of this time, such as 2026-12-24T18:00Z (default: now)';
  command.addOption(new Option('--at <time>', meaning).argParser((text: string) => readTime(text, '--at')));
}

/** Throws a `CommandError` for options that need replies to be validated, where they cannot be. */
export function checkDnssecFlags({ trustAnchor, at }: DnssecFlags, around: ValidatingFlags): void {
  const { views, edns, rootHints, replay, chain } = around;
  // A saved result says itself whether there is anything to judge.
  if (replay !== undefined) return;
  const [first] = [chain && '--chain', trustAnchor && '--trust-anchor', at && '--at'].filter(Boolean);
  if (first && views?.includes('validating') === false)
    throw usageError(`${first} needs the validating view: leave out --quick, or add validating to --views`);
  if (chain && edns === 'off') throw usageError('--chain needs EDNS: leave out --no-edns');
  if (chain && rootHints !== undefined && around.trustAnchor === undefined)
    throw usageError('--chain needs the keys of the root that --root-hints leads to: add --trust-anchor');
}

/** The options beside those above on which validating depends. */
interface ValidatingFlags extends Pick<DnssecFlags, 'trustAnchor'> {
  readonly views?: readonly string[];
  readonly edns?: TraversalOptions['edns'];
  readonly rootHints?: string;
  readonly replay?: string;
  readonly chain?: true;
}

/** Signatures count seconds since 1970 in 32 bits (RFC 4034 3.1.5). */
const LAST = Date.UTC(2106, 0);

const WRITTEN = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[-+]\d\d:\d\d))?$/;

/** A day, which begins at midnight UTC, or a moment; as ISO 8601 in UTC. */
export function readTime(text: string, option: string): string {
  const time = WRITTEN.test(text) && isDay(text.slice(0, 10)) ? Date.parse(text) : Number.NaN;
  if (time >= 0 && time < LAST) return new Date(time).toISOString();
  throw usageError(
    `${option} ${text}: must be a time such as 2026-12-24 or 2026-12-24T18:00:00Z, 1970 to 2105`,
  );
}

/** Of a day that a month does not have, JavaScript makes one of the next. */
function isDay(date: string): boolean {
  const time = Date.parse(date);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
}
