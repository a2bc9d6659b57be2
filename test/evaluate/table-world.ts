/** Worlds written as rows "this address, asked this, says that", for tests that read as examples. */
import { type Name, parseName } from '../../src/dns/name.ts';
import type { ResourceRecord } from '../../src/dns/record.ts';
import type { Outcome } from '../../src/evaluate/distribution.ts';
import type { End } from '../../src/evaluate/end.ts';
import { type Evaluation, evaluate } from '../../src/evaluate/evaluate.ts';
import { fractionText } from '../../src/evaluate/fraction.ts';
import type { Exchanged, Failure, Reply, Try, TryOutcome } from '../../src/exchange/exchanged.ts';
import type { Query } from '../../src/exchange/query.ts';
import { type Delegation, delegationOf, type Nameserver } from '../../src/explore/delegation.ts';
import { Explorer } from '../../src/explore/explore.ts';
import type { Recording, Scope } from '../../src/explore/recording.ts';

export interface TableWorld {
  /** "name type"; "www.a. A" by default. */
  readonly ask?: string;
  /** "name=address,address name ...": the root hints. */
  readonly roots: string;
  /**
   * By "address name type" or "address *": what is said.
   * `referral ZONE ns=glue,glue ns ...`, `own ns=glue,glue ns ...` (the zone's NS RRset, in answer to a
   * question for it), `answer DATA ...`, `misfit` (an answer whose data do not fit its type), `alias TARGET DATA ...` (with
   * records of the target), `nxdomain`, `denied` (NXDOMAIN with AA and a SOA record), `nodata`, `empty`, `error RCODE`,
   * `timeout`, `unreachable`, `malformed`; behind `after N`: N ms later, behind `once REFUSAL`: once the query was changed
   * because of FORMERR, FORMERR+OPT, NOTIMP or case; `once TC timeout` and `once TC+accepted timeout`: silent over TCP.
   */
  readonly says: Readonly<Record<string, string>>;
  /** What is said where no row fits; an error by default. */
  readonly otherwise?: string;
  readonly scope?: Partial<Scope>;
  readonly maxQueries?: number;
}

export interface Explored {
  readonly recording: Recording;
  readonly evaluation: Evaluation;
  /** "address name type" in the order asked. */
  readonly asked: readonly string[];
}

/** Explores a world and evaluates what was heard. */
export async function exploreTable(world: TableWorld): Promise<Explored> {
  const asked: string[] = [];
  const explorer = new Explorer(scopeOf(world), {
    maxQueries: world.maxQueries ?? 1_000,
    maxTimeMs: 600_000,
  });
  const exchange = async (query: Query) => {
    asked.push(`${query.address} ${query.question.name} ${query.question.type}`);
    return exchangeIn(world, query);
  };
  const { recording } = await explorer.run(exchange, new AbortController().signal, {
    heard: () => undefined,
  });
  return { recording, evaluation: evaluate(recording), asked };
}

/** What is asked in a world. */
export function scopeOf(world: TableWorld): Scope {
  const [name = '', type = ''] = (world.ask ?? 'www.a. A').split(' ');
  return {
    question: { name: parseName(name), type },
    hints: delegation('.', world.roots.split(' ')),
    families: [4],
    maxDepth: 30,
    maxWork: 200_000,
    specialTargets: 'allowed',
    // As the option does.
    warm: world.scope?.check ?? 'off',
    check: 'off',
    ...world.scope,
  };
}

/** What the world's server says, as a recorded exchange. */
export function exchangeIn(world: TableWorld, { address, question }: Query): Exchanged {
  const row = `${address} ${question.name} ${question.type}`;
  const said = world.says[row] ?? world.says[`${address} *`] ?? world.otherwise;
  if (said === undefined) throw new Error(`the world has no row "${row}"`);
  const words = said.split(' ');
  const elapsedMs = words[0] === 'after' ? Number(words[1]) : 1;
  const refusal = words[0] === 'once' ? words[1] : undefined;
  const message = words[0] === 'after' || refusal !== undefined ? words.slice(2) : words;
  const outcome = outcomeOf(message, question.name, question.type);
  const traffic = { packetsSent: 1, packetsReceived: 1, bytesSent: 40, bytesReceived: 40 };
  const tries = refusal === undefined ? [] : triesAfter(refusal);
  const transport = tries.at(-1)?.transport ?? 'udp';
  return { address, question, outcome, transport, tries, elapsedMs, traffic };
}

/** A refused query, and the one that was sent in its place. */
function triesAfter(refusal: string): readonly Try[] {
  const stage = {
    transport: 'udp',
    edns: true,
    nameCase: 'mixed',
    sentMs: 0,
    elapsedMs: 1,
    ignored: [],
  } as const;
  const reply = { kind: 'reply', truncated: false, bytes: 12 } as const;
  if (refusal.startsWith('TC'))
    return [
      { ...stage, outcome: { ...reply, rcode: 'NOERROR', truncated: true } },
      {
        ...stage,
        transport: 'tcp',
        outcome: { kind: 'timeout', ...(refusal === 'TC+accepted' && { connected: true }) },
      },
    ];
  const [rcode = '', opt] = refusal.split('+');
  const first: TryOutcome =
    refusal === 'case' ? { kind: 'case-mismatch' } : { ...reply, rcode, ...(opt && { opt: true }) };
  return [
    { ...stage, outcome: first },
    { ...stage, outcome: { ...reply, rcode: 'NOERROR' } },
  ];
}

/** Outcomes as "kind details = fraction", in the order of the result. */
export function spelledOutcomes(outcomes: readonly Outcome[]): string[] {
  return outcomes.map(({ end, probability }) => `${fractionText(probability)} ${spelledEnd(end)}`);
}

/** An end in one line: kind, details, "at zone", "by server" and cause. */
export function spelledEnd(end: End): string {
  const by = end.server === null ? '' : ` by ${end.server.name} ${end.server.address}`;
  return `${end.kind}${details(end)} at ${end.zone}${by}${cause(end)}`;
}

function details(end: End): string {
  switch (end.kind) {
    case 'answer':
      return ` ${end.records.map(({ data }) => data).join(' ')}`;
    case 'error':
      return ` ${end.rcode}`;
    case 'lame':
      return ` ${end.reason}`;
    case 'alias-loop':
      return ` ${end.target}`;
    case 'unresolvable-ns':
    case 'no-glue':
    case 'loop':
      return ` ${end.nameserver}`;
    default:
      return '';
  }
}

function cause(end: End): string {
  return 'cause' in end && end.cause !== undefined ? ` because ${spelledEnd(end.cause)}` : '';
}

function delegation(zone: string, servers: readonly string[]): Delegation {
  const read = servers.map((server) => server.split('='));
  const glue = read.map(([name = '', addresses]): [Name, string[]] => [
    parseName(name),
    addresses?.split(',') ?? [],
  ]);
  return delegationOf(parseName(zone), new Map(glue));
}

function outcomeOf([kind, ...rest]: readonly string[], name: Name, type: string): Reply | Failure {
  const record = (owner: string, recordType: string, data: string): ResourceRecord => ({
    name: parseName(owner),
    type: recordType,
    ttl: 300,
    data,
  });
  const glueRecords = (nameservers: readonly Nameserver[]) =>
    nameservers.flatMap((server) =>
      server.glue.map((data) => record(server.name, data.includes(':') ? 'AAAA' : 'A', data)),
    );
  const sections = { answer: [], authority: [], additional: [] };
  const base: Reply = { kind: 'reply', rcode: 'NOERROR', flags: ['qr'], rttMs: 1, bytes: 40, ...sections };
  const [first = ''] = rest;
  switch (kind) {
    case 'answer':
      return { ...base, flags: ['qr', 'aa'], answer: rest.map((data) => record(name, type, data)) };
    case 'misfit':
      return { ...base, answer: [record(name, type, '\\# 1 00')] };
    case 'alias':
      return {
        ...base,
        answer: [record(name, 'CNAME', first), ...rest.slice(1).map((data) => record(first, type, data))],
      };
    case 'referral': {
      const { nameservers } = delegation(first, rest.slice(1));
      const authority = nameservers.map((server) => record(first, 'NS', server.name));
      return { ...base, authority, additional: glueRecords(nameservers) };
    }
    case 'own': {
      const { nameservers } = delegation(name, rest);
      const answer = nameservers.map((server) => record(name, 'NS', server.name));
      return { ...base, flags: ['qr', 'aa'], answer, additional: glueRecords(nameservers) };
    }
    case 'denied':
      return {
        ...base,
        rcode: 'NXDOMAIN',
        flags: ['qr', 'aa'],
        authority: [record('.', 'SOA', 'm. h. 1 2 3 4 5')],
      };
    case 'nxdomain':
      return { ...base, rcode: 'NXDOMAIN' };
    case 'nodata':
      return { ...base, authority: [record('.', 'SOA', 'm. h. 1 2 3 4 5')] };
    case 'empty':
      return base;
    case 'error':
      return { ...base, rcode: first };
    case 'timeout':
    case 'unreachable':
    case 'malformed':
      return { kind };
    default:
      throw new Error(`the world says "${kind}"`);
  }
}

/** The world, to be explored with `--check`. */
export function checked(world: TableWorld): TableWorld {
  return { ...world, scope: { ...world.scope, check: 'on' } };
}
