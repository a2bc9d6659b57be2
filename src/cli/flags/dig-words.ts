/* The options of dig, kdig and drill that people know by heart, in this program's spelling. */

import { usageError } from '../process/errors.ts';
import { checkClass } from './question.ts';

/**
 * A command line of `svc traverse`, `servers` or `watch` with its own spelling of other tools' options. A word may be
 * shortened, as dig allows. Options without an effect here are left out. Throws a `CommandError` for an option that
 * has no counterpart, which names the way to the same end where there is one.
 */
export function withoutDigOptions(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  const [own, rest] = end < 0 ? [argv, []] : [argv.slice(0, end), argv.slice(end)];
  return [...own.flatMap((word, at) => inOwnSpelling(word, own[at - 1])), ...rest];
}

function inOwnSpelling(word: string, before: string | undefined): readonly string[] {
  if (before === '-c') checkClass(word);
  if (before === '-c' || word === '-c') return NOTHING;
  // --expect +ITEM has a plus sign of its own.
  if (before === '--expect') return [word];
  if (HARMLESS_OF_DRILL.has(word)) return NOTHING;
  const parts = /^\+(no)?([a-z][a-z0-9]*)(?:=(.*))?$/i.exec(word);
  if (parts === null) return [word];
  const [, no, spelled = '', value] = parts;
  const name = wholeName(spelled.toLowerCase());
  const own = name === undefined ? undefined : OF_DIG.get(name);
  if (own === undefined) throw usageError(`"${word}": ${whyNot(spelled.toLowerCase())}`);
  return no === undefined ? own.on(value ?? '') : own.off;
}

/** Options of drill that change nothing here: replies are validated, and all paths are printed. */
const HARMLESS_OF_DRILL: ReadonlySet<string> = new Set(['-D', '-S', '-T']);

/** An option of dig in this program's spelling, with and without its "no". */
interface Spelling {
  readonly on: (value: string) => readonly string[];
  readonly off: readonly string[];
}

const NOTHING: readonly string[] = [];
const HARMLESS: Spelling = { on: () => NOTHING, off: NOTHING };

/** Neither questions nor output depend on these: name servers are asked without RD, and all is shown. */
const HARMLESS_NAMES = [
  'all answer authority additional question comments stats cmd qr rrcomments crypto split ttlid ttlunits class',
  'trace dnssec do multiline recurse rdflag adflag aaflag aaonly cdflag raflag tcflag zflag badcookie cookie search showsearch',
  'defname fail ignore besteffort onesoa idnin idnout identify mapped nsid keepopen keepalive header unknownformat',
  'yaml hex dns64prefix showbadcookie showbadvers expandaaaa',
].flatMap((names) => names.split(' '));

function flag(on: string, off: readonly string[] = NOTHING): Spelling {
  return { on: () => [on], off };
}

function valued(on: (value: string) => string): Spelling {
  return { on: (value) => [on(value)], off: NOTHING };
}

/** Options with an effect go first: a shortened word is the first that it begins. */
const OF_DIG: ReadonlyMap<string, Spelling> = new Map([
  ['short', flag('--short')],
  ['tcp', flag('--tcp')],
  ['vc', flag('--tcp')],
  ['edns', { on: () => NOTHING, off: ['--no-edns'] }],
  ['bufsize', valued((octets) => `--payload-size=${octets}`)],
  ['timeout', valued((seconds) => `--timeout=${seconds}s`)],
  ['tries', valued((tries) => `--retries=${/^\d+$/.test(tries) ? Math.max(0, Number(tries) - 1) : tries}`)],
  ['retry', valued((retries) => `--retries=${retries}`)],
  ['json', flag('--json')],
  ...HARMLESS_NAMES.map((name) => [name, HARMLESS] as const),
]);

function wholeName(spelled: string): string | undefined {
  return OF_DIG.has(spelled) ? spelled : [...OF_DIG.keys()].find((name) => name.startsWith(spelled));
}

function whyNot(spelled: string): string {
  const hint = Object.entries(HINTS).find(([name]) => name.startsWith(spelled));
  if (hint !== undefined) return hint[1];
  const known = [...OF_DIG].flatMap(([name, spelling]) => (spelling === HARMLESS ? [] : [`+${name}`]));
  return `svc has no such option: it accepts dig's ${known.join(' ')}, and the options of svc help traverse`;
}

/** Why an option has no counterpart, or what does the same. */
const HINTS: Readonly<Record<string, string>> = {
  nssearch: 'write svc traverse NAME SOA --check, which compares the serial numbers of all servers',
  subnet: 'svc sends no client subnet (RFC 7871)',
  client: 'svc sends no client subnet (RFC 7871)',
  tls: 'svc asks name servers as resolvers do, over UDP and TCP',
  https: 'svc asks name servers as resolvers do, over UDP and TCP',
  quic: 'svc asks name servers as resolvers do, over UDP and TCP',
  domain: 'svc completes no names: write NAME in full',
  ndots: 'svc completes no names: write NAME in full',
  ednsopt: 'svc sends no options in EDNS; svc servers asks for NSID',
  ednsflags: 'svc sends no EDNS flag but DO: leave it out',
  opcode: 'svc sends queries only',
  qid: 'svc chooses a random identifier for each query (RFC 5452)',
  padding: 'svc sends no padding, which is for encrypted transports',
};
