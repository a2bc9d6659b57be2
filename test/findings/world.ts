/** Worlds for findings: rows "this address, asked this, says that", where it matters how it is said. */

import { openZone } from '../../src/authority/open-zone-file.ts';
import type { ZoneFault } from '../../src/authority/zone-fault.ts';
import { type ServedVersion, withGlueFaults, withSerialFaults } from '../../src/cli/plan/planned-faults.ts';
import { type Name, parseName } from '../../src/dns/name.ts';
import type { ResourceRecord } from '../../src/dns/record.ts';
import { type Finding, onlyCauseOf, SEVERITY } from '../../src/document/finding.ts';
import { DEFAULT_OPTIONS, type TraversalOptions } from '../../src/document/options.ts';
import type { TraversalResult } from '../../src/document/result.ts';
import type { Exchanged, Failure, Probing, Reply, Try } from '../../src/exchange/exchanged.ts';
import type { Query } from '../../src/exchange/query.ts';
import { type Delegation, delegationOf } from '../../src/explore/delegation.ts';
import type { FindingCode } from '../../src/findings/catalogue.ts';
import { traverse } from '../../src/traversal/traverse.ts';

/** What a server says to a question, and how. */
export type Saying = (query: Query) => Exchanged;

export interface FindingsWorld {
  /** "name type"; "www.a. A" by default. */
  readonly ask?: string;
  /** "name=address,address name ...": the root hints. */
  readonly roots?: string;
  /** By "address name type" or "address *"; added to `HEALTHY`. */
  readonly says?: Readonly<Record<string, Saying>>;
  readonly options?: Partial<TraversalOptions>;
  /** Each as `referral` takes it: the delegations that are planned. */
  readonly planned?: readonly string[];
  /** The zone x. as it is planned, in the file "x.zone". */
  readonly zoneFile?: string;
  /** Faults of it that only something beside the file shows. */
  readonly zoneFaults?: readonly ZoneFault[];
  /** The version of the zone x. that its servers have today. */
  readonly served?: ServedVersion;
  /** By "address kind": what is said to probes; to others the same as to an exchange. Absent: none is made. */
  readonly probes?: Readonly<Record<string, Saying>>;
}

/** What a world shows of one code. */
export interface FindingRow extends FindingsWorld {
  readonly code: FindingCode;
  readonly shows: string;
  /** All findings of that code, spelled; none: it is near, but not proven. */
  readonly finds: readonly string[];
  /** Parts of the messages, in the same order. */
  readonly tells?: readonly string[];
}

/** Two root servers and a zone with two servers, nothing wrong with any. */
const HEALTHY: Readonly<Record<string, Saying>> = {
  '192.0.2.1 *': referral('a. ns1.a.=192.0.2.11 ns2.a.=192.0.2.12'),
  '192.0.2.2 *': referral('a. ns1.a.=192.0.2.11 ns2.a.=192.0.2.12'),
  '192.0.2.11 *': zoneA,
  '192.0.2.12 *': zoneA,
};

/** The zone a. as both of its servers have it. */
function zoneA(query: Query): Exchanged {
  const { name } = query.question;
  if (name === 'ns1.a.') return host('a.', 'A 192.0.2.11')(query);
  if (name === 'ns2.a.') return host('a.', 'A 192.0.2.12')(query);
  return answer('192.0.2.80')(query);
}

/** Traverses the world without a network. */
export function traverseWorld(world: FindingsWorld): Promise<TraversalResult> {
  const [name = '', type = ''] = (world.ask ?? 'www.a. A').split(' ');
  const says = { ...HEALTHY, ...world.says };
  const said = (query: Query) => {
    const { address, question } = query;
    const row = `${address} ${question.name} ${question.type}`;
    const saying = says[row] ?? says[`${address} *`];
    if (saying === undefined) throw new Error(`the world has no row "${row}"`);
    return saying(query);
  };
  const { probes, planned = [], zoneFile, zoneFaults = [], served } = world;
  const delegations = planned.map(planning);
  const files = zoneFile === undefined ? [] : [zonePlanned(zoneFile, zoneFaults)];
  const today = new Map(served && files.map(({ zone }) => [zone, served]));
  const zones = withSerialFaults(withGlueFaults(files, delegations), today);
  const probing: Probing | undefined =
    probes &&
    (async (one) => ({ ...(probes[`${one.address} ${one.probe}`] ?? said)(one), probe: one.probe }));
  return traverse(
    {
      question: { name: parseName(name), type },
      options: { ...DEFAULT_OPTIONS, views: ['resolver'], specialTargets: 'allowed', ...world.options },
      hints: delegation('.', (world.roots ?? 'r1.=192.0.2.1 r2.=192.0.2.2').split(' ')),
      plan: { delegations, zones, ds: [] },
    },
    {
      exchange: async (query) => said(query),
      ...(probing === undefined ? {} : { probing }),
      emit: () => {},
      signal: new AbortController().signal,
    },
  );
}

function zonePlanned(text: string, beside: readonly ZoneFault[]) {
  const zone = parseName('x.');
  const source = { path: 'x.zone', octets: Buffer.from(text) };
  const { zone: contents, faults } = openZone(zone, source, Date.UTC(2026, 0, 1));
  return { zone, file: 'x.zone', faults: [...faults, ...beside], contents };
}

/** The findings of one code, a line each: severity, zone, server, and the questions that prove it. */
export function spelled(result: TraversalResult, code: string): string[] {
  const asked = `${result.query.name} ${result.query.type}`;
  const rows = new Map(
    result.exchanges.map(({ id, server, question }) => {
      const row = `${question.name} ${question.type}`;
      return [id, row === asked ? server.address : `${server.address} ${row}`] as const;
    }),
  );
  for (const { id, kind, server } of result.probes ?? []) rows.set(id, `${server.address} ${kind}`);
  return result.findings
    .filter((finding) => finding.code === code)
    .map(({ severity, zone, server, evidence }) => {
      const subject = [severity, zone, server?.name, server?.address].filter((part) => part !== undefined);
      return `${subject.join(' ')}: ${evidence.map((id) => rows.get(id) ?? `${id}?`).join(', ')}`;
    });
}

/** All findings in their order, a line each: "f1 error NS_REFUSED", "f2 of f1 warning FIRST_TRY_FAILS". */
export function ledger({ findings }: TraversalResult): string[] {
  return findings.map((finding) => {
    const { id, severity, code } = finding;
    const cause = onlyCauseOf(finding);
    return [id, ...(cause === undefined ? [] : ['of', cause]), severity, code].join(' ');
  });
}

/** Sections of a reply: records as "owner type data", "owner ttl type data" or "owner CH type data", "@" being the name asked, "?" the type. */
export interface Sections {
  readonly answer?: readonly string[];
  readonly authority?: readonly string[];
  readonly additional?: readonly string[];
  /** "aa" by default. */
  readonly flags?: Reply['flags'];
  readonly rcode?: string;
}

export function reply(sections: Sections): Saying {
  const { answer, authority, additional, flags = ['aa'], rcode = 'NOERROR' } = sections;
  return (query) => {
    const records = (texts: readonly string[] = []) => texts.map((text) => record(text, query));
    const outcome: Reply = {
      kind: 'reply',
      rcode,
      flags: ['qr', ...flags],
      rttMs: 1,
      bytes: 100,
      answer: records(answer),
      authority: records(authority),
      additional: records(additional),
    };
    return exchanged(query, outcome, [tryOf(rcode)]);
  };
}

/** Records of the type asked, with authority. */
export function answer(...data: readonly string[]): Saying {
  return reply({ answer: data.map((one) => `@ ? ${one}`) });
}

export function alias(target: string): Saying {
  return reply({ answer: [`@ CNAME ${target}`] });
}

/** "zone ns=glue,glue ns ..." */
export function referral(text: string): Saying {
  const { zone, nameservers } = planning(text);
  return reply({
    flags: [],
    authority: nameservers.map(({ name }) => `${zone} NS ${name}`),
    additional: nameservers.flatMap(({ name, glue }) =>
      glue.map((address) => `${name} ${address.includes(':') ? 'AAAA' : 'A'} ${address}`),
    ),
  });
}

/** With the SOA of a zone. */
export function denial(kind: 'nxdomain' | 'nodata', zone = 'a.', serial = 1): Saying {
  return reply({
    rcode: kind === 'nxdomain' ? 'NXDOMAIN' : 'NOERROR',
    authority: [`${zone} SOA m.${zone} h.${zone} ${serial} 2 3 4 5`],
  });
}

export function rcode(rcode: string): Saying {
  return reply({ rcode, flags: [] });
}

export function withFlags(saying: Saying, ...flags: Reply['flags']): Saying {
  return (query) => {
    const heard = saying(query);
    if (heard.outcome.kind !== 'reply') throw new Error('only replies have flags');
    return { ...heard, outcome: { ...heard.outcome, flags: ['qr', ...flags] } };
  };
}

/** A host's addresses: "A 192.0.2.1", "AAAA 2001:db8::1"; NODATA of the zone for other types. */
export function host(zone: string, ...records: readonly string[]): Saying {
  return (query) => {
    const fitting = records.filter((one) => one.startsWith(`${query.question.type} `));
    const said =
      fitting.length > 0 ? reply({ answer: fitting.map((one) => `@ ${one}`) }) : denial('nodata', zone);
    return said(query);
  };
}

/** With an OPT record of this version, and these options without data. */
export function withEdns(saying: Saying, { version = 0, options = [] as readonly number[] } = {}): Saying {
  return (query) => {
    const heard = saying(query);
    if (heard.outcome.kind !== 'reply') throw new Error('only replies have EDNS');
    const own = options.map((code) => ({ code, data: '' }));
    return {
      ...heard,
      outcome: { ...heard.outcome, edns: { version, payloadSize: 1232, do: false, options: own } },
    };
  };
}

export function failure(kind: Failure['kind']): Saying {
  return (query) => exchanged(query, { kind }, []);
}

/** Two tries, and nothing came back. */
export const silence: Saying = tried('timeout, timeout', failure('timeout'));

/** The same, after this many milliseconds. */
export function after(elapsedMs: number, saying: Saying): Saying {
  return (query) => ({ ...saying(query), elapsedMs });
}

/**
 * What is heard in the end, and the tries that it took: "timeout, NOERROR", "FORMERR, plain NOERROR",
 * "TC, tcp ECONNREFUSED", "!wrong-id timeout". In front of a try's outcome: its transport, "plain" for
 * no EDNS, what was ignored.
 */
export function tried(text: string, saying: Saying): Saying {
  return (query) => ({ ...saying(query), tries: text.split(', ').map(tryOf) });
}

function tryOf(text: string): Try {
  const words = text.split(' ');
  return {
    transport: words.includes('tcp') ? 'tcp' : 'udp',
    edns: !words.includes('plain'),
    nameCase: 'mixed',
    sentMs: 0,
    elapsedMs: 1,
    outcome: outcomeOf(words.at(-1) ?? ''),
    ignored: words.filter((word) => word.startsWith('!')).map(ignored),
  };
}

function outcomeOf(word: string): Try['outcome'] {
  if (word === 'timeout' || word === 'closed' || word === 'case-mismatch') return { kind: word };
  if (/^E[A-Z]+$/.test(word)) return { kind: 'unreachable', code: word };
  return { kind: 'reply', rcode: word === 'TC' ? 'NOERROR' : word, truncated: word === 'TC', bytes: 100 };
}

function ignored(word: string): Try['ignored'][number] {
  const reasons = ['wrong-id', 'wrong-question', 'undecodable', 'not-a-reply'] as const;
  const reason = reasons.find((one) => word === `!${one}`);
  if (reason === undefined) throw new Error(`"${word}" is no reason to ignore a message`);
  return { reason, bytes: 12, head: '00' };
}

function exchanged(query: Query, outcome: Reply | Failure, tries: readonly Try[]): Exchanged {
  const traffic = { packetsSent: 1, packetsReceived: 1, bytesSent: 40, bytesReceived: 40 };
  return { ...query, outcome, transport: 'udp', tries, elapsedMs: 1, traffic };
}

function record(text: string, { question }: Query): ResourceRecord {
  const [, owner = '', ttl = '300', chaos, type = '', data = ''] =
    /^(\S+) (?:([0-9]+) )?(CH )?(\S+) ?(.*)$/s.exec(text) ?? [];
  return {
    name: owner === '@' ? question.name : parseName(owner),
    type: type === '?' ? question.type : type,
    ...(chaos === undefined ? {} : { class: 'CH' }),
    ttl: Number(ttl),
    data,
  };
}

function planning(text: string): Delegation {
  const [zone = '', ...servers] = text.split(' ');
  return delegation(zone, servers);
}

function delegation(zone: string, servers: readonly string[]): Delegation {
  const read = servers.map((server) => server.split('='));
  const glue = read.map(([name = '', addresses]): [Name, string[]] => [
    parseName(name),
    addresses?.split(',') ?? [],
  ]);
  return delegationOf(parseName(zone), new Map(glue));
}

/** Findings, and the identifiers of all that can prove them. */
interface Proven extends Pick<TraversalResult, 'findings'> {
  readonly exchanges: readonly { readonly id: string }[];
  readonly probes?: readonly { readonly id: string }[] | undefined;
}

/** What is wrong with the form of findings, whatever servers say: one line for each mistake, so none for good ones. */
export function formMistakes({ findings, exchanges, probes = [] }: Proven): readonly string[] {
  const ids = new Set([...exchanges, ...probes].map(({ id }) => id));
  const causes = new Map<string, Finding>();
  return findings.flatMap((finding, index) => {
    const { id, message, advice } = finding;
    const named = onlyCauseOf(finding);
    if (named === undefined) causes.set(id, finding);
    const cause = named === undefined ? undefined : causes.get(named);
    const rules: Readonly<Record<string, boolean>> = {
      [`is not f${index + 1}`]: id === `f${index + 1}`,
      'comes before its cause': named === undefined || causes.has(named),
      'is more severe than its cause': cause === undefined || gravity(finding) <= gravity(cause),
      'is not two printable sentences': [message, advice].every((text) =>
        /^[A-Za-z0-9>_][ -~]*[^.]\.$/.test(text),
      ),
      'has a hole in its text': !/undefined|NaN|\[object/.test(message + advice),
      'is proven by what is not there': finding.evidence.every((one) => ids.has(one)),
    };
    return broken(rules, finding);
  });
}

function gravity({ severity }: Finding): number {
  return -SEVERITY.names.indexOf(severity);
}

function broken(rules: Readonly<Record<string, boolean>>, { code, message }: Finding): readonly string[] {
  return Object.entries(rules).flatMap(([rule, holds]) => (holds ? [] : [`${code} ${rule}: ${message}`]));
}
