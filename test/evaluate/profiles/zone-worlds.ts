/** Random zones whose servers say whatever a profile tells apart, walked by the program for each profile. */
import { type Name, parseName } from '../../../src/dns/name.ts';
import type { ResourceRecord } from '../../../src/dns/record.ts';
import { type Evaluation, evaluate } from '../../../src/evaluate/evaluate.ts';
import type { Exchanged, Failure, Reply } from '../../../src/exchange/exchanged.ts';
import type { Query } from '../../../src/exchange/query.ts';
import { delegationOf } from '../../../src/explore/delegation.ts';
import { Explorer } from '../../../src/explore/explore.ts';
import type { ReplyKind } from '../../../src/explore/profiles/profile.ts';
import { PROFILE_NAMES, PROFILES, type ProfileName } from '../../../src/explore/profiles/profiles.ts';
import type { Recording } from '../../../src/explore/recording.ts';
import { pick, randomFrom } from '../random-world.ts';
import type { Said, ZoneServer, ZoneWorld } from './all-orders.ts';

/** A zone "z.a." and the name asked, with what its servers say to each question that some profile puts. */
export interface RandomZone {
  readonly name: string;
  readonly servers: readonly ZoneServer[];
  /** By "address name type". */
  readonly says: ReadonlyMap<string, Said>;
  /** Present: the zone is walked warm, too. */
  readonly own?: OwnSets;
}

/** What a zone says of its servers itself. */
export interface OwnSets {
  /** The names that an address gives if it answers "z.a. NS", and the addresses beside them. */
  readonly sets: ReadonlyMap<string, readonly OwnServer[]>;
  /** Further names that can be looked up. */
  readonly hosts: ReadonlyMap<string, readonly string[]>;
}

export interface OwnServer {
  readonly name: string;
  readonly additional: readonly string[];
}

/** Whatever a server may say. */
export const KINDS: readonly ReplyKind[] = [
  'answer',
  'answer',
  'answer',
  'answer-malformed',
  'nxdomain',
  'nxdomain-bare',
  'nodata',
  'nodata-without-aa',
  'nodata-without-soa',
  'other-records',
  'lame-upward',
  'lame-self',
  'lame-sideways',
  'lame-empty',
  'lame-other-records',
  'FORMERR',
  'SERVFAIL',
  'NOTIMP',
  'REFUSED',
  'other-rcode',
  'YXDOMAIN',
  'malformed',
  'unreachable',
  'timeout',
  'timeout',
];

/** A zone made of a seed. */
export function randomZone(seed: number): RandomZone {
  const random = randomFrom(`zone ${seed}`);
  const count = 1 + Math.floor(random() * 3);
  let last = 0;
  const servers = Array.from({ length: count }, (_, i): ZoneServer => {
    const glue = random() < 0.7;
    const addresses = Array.from({ length: random() < 0.6 ? 1 : 2 }, () => {
      last += 1;
      return `192.0.2.${last}`;
    });
    return { name: glue ? `ns${i}.z.a.` : `ns${i}.h.b.`, glue, addresses };
  });
  const name = pick(random, ['www.z.a.', 'www.y.z.a.', 'www.x.y.z.a.', 'www.w.x.y.z.a.']);
  const addresses = servers.flatMap((one) => one.addresses);
  const kinds = random() < 0.3 ? (['answer', 'timeout', 'REFUSED'] as const) : KINDS;
  const says = new Map<string, Said>();
  for (const question of questionsOf(name))
    for (const address of addresses)
      says.set(`${address} ${question}`, {
        kind: pick(random, kinds),
        ms: pick(random, [0, 0, 0, 60, 100, 500, 1_000]),
      });
  return { name, servers, says };
}

/** Each question that some profile may put at the zone. */
export function questionsOf(name: string): readonly string[] {
  const labels = name.split('.');
  const names = labels.slice(0, -2).map((_, i) => labels.slice(i).join('.'));
  return [...names, 'z.a.'].flatMap((one) => [`${one} A`, `${one} NS`]);
}

/** The zone as one profile asks there. */
export function asAskedBy({ name, servers, says }: RandomZone, profile: ProfileName): ZoneWorld {
  const { style } = PROFILES[profile].minimisation;
  const labels = name.split('.').slice(0, -3);
  const between = labels.map((_, i) => `${labels.slice(i).join('.')}.z.a.`).reverse();
  const shorter = [...(style.apex === 'asked' ? ['z.a.'] : []), ...between.slice(0, -1)];
  // The names asked here have at most six labels, fewer than any bound of labels.
  const asked = shorter.slice(0, style.mostAtZone);
  const questions = [...asked.map((one) => `${one} ${style.type}`), `${name} A`];
  return {
    servers,
    stages: questions.map((question) => {
      const addresses = servers.flatMap((one) => one.addresses);
      const said = addresses.map((one) => [one, says.get(`${one} ${question}`) ?? SILENT] as const);
      return [question, Object.fromEntries(said)];
    }),
  };
}

const SILENT: Said = { kind: 'timeout', ms: 0 };

/** Explores a zone for all profiles and evaluates what was heard. */
export async function evaluateZone(zone: RandomZone, maxWork = 100_000_000): Promise<Evaluation> {
  return evaluate(await recordZone(zone, maxWork));
}

/** The recording of a traversal of a zone, for all profiles. */
export async function recordZone(zone: RandomZone, maxWork = 100_000_000): Promise<Recording> {
  const root = new Map<Name, readonly string[]>([[parseName('ns.root.'), ['198.51.100.1']]]);
  const explorer = new Explorer(
    {
      question: { name: parseName(zone.name), type: 'A' },
      hints: delegationOf(parseName('.'), root),
      families: [4],
      maxDepth: 30,
      maxWork,
      specialTargets: 'allowed',
      warm: zone.own === undefined ? 'off' : 'on',
      check: 'off',
      profiles: PROFILE_NAMES,
    },
    { maxQueries: 1_000, maxTimeMs: 600_000 },
  );
  const { recording } = await explorer.run(
    async (query) => exchangeIn(zone, query),
    new AbortController().signal,
  );
  return recording;
}

function exchangeIn(zone: RandomZone, { address, question }: Query): Exchanged {
  const { name, type } = question;
  const said = zone.says.get(`${address} ${name} ${type}`);
  const own = zone.own?.sets.get(address);
  const isOwn = own !== undefined && said?.kind === 'answer' && `${name} ${type}` === 'z.a. NS';
  const outcome =
    said === undefined ? above(zone, name) : isOwn ? ownReply(own, said.ms) : outcomeOf(said, name, type);
  const traffic = { packetsSent: 1, packetsReceived: 1, bytesSent: 40, bytesReceived: 40 };
  const elapsedMs = said?.ms ?? 0;
  const sent = {
    transport: 'udp',
    edns: true,
    nameCase: 'lower',
    sentMs: 0,
    elapsedMs,
    ignored: [],
  } as const;
  const tries = [{ ...sent, outcome: { kind: 'timeout' } as const }];
  return { address, question, outcome, transport: 'udp', tries, elapsedMs, traffic };
}

const EMPTY: Reply = {
  kind: 'reply',
  rcode: 'NOERROR',
  flags: ['qr'],
  rttMs: 0,
  bytes: 40,
  answer: [],
  authority: [],
  additional: [],
};

/** The root, which also serves "b.", and refers to the zone at once. */
function above({ servers, own }: RandomZone, name: string): Reply {
  const addresses = servers.find((one) => one.name === name)?.addresses ?? own?.hosts.get(name);
  const answer = addresses?.map((data) => record(name, 'A', data));
  if (answer !== undefined) return { ...EMPTY, flags: ['qr', 'aa'], answer };
  const authority = servers.map((one) => record('z.a.', 'NS', one.name));
  const glue = servers.filter((one) => one.glue);
  const additional = glue.flatMap((one) => one.addresses.map((data) => record(one.name, 'A', data)));
  return { ...EMPTY, authority, additional };
}

function ownReply(own: readonly OwnServer[], rttMs: number): Reply {
  const answer = own.map((one) => record('z.a.', 'NS', one.name));
  const additional = own.flatMap((one) => one.additional.map((data) => record(one.name, 'A', data)));
  return { ...EMPTY, rttMs, flags: ['qr', 'aa'], answer, additional };
}

function record(name: string, type: string, data: string): ResourceRecord {
  return { name: parseName(name), type, ttl: 300, data };
}

function outcomeOf({ kind, ms }: Said, name: string, type: string): Reply | Failure {
  const reply = { ...EMPTY, rttMs: ms };
  const authoritative = { ...reply, flags: ['qr', 'aa'] as const };
  const soa = [record('z.a.', 'SOA', 'm. h. 1 2 3 4 5')];
  const others = [record('other.z.a.', 'A', '203.0.113.1')];
  switch (kind) {
    case 'answer':
      return { ...authoritative, answer: [record(name, type, type === 'A' ? '203.0.113.9' : 'ns.z.a.')] };
    case 'answer-without-aa':
      return { ...reply, answer: [record(name, type, type === 'A' ? '203.0.113.9' : 'ns.z.a.')] };
    case 'nxdomain':
      return { ...authoritative, rcode: 'NXDOMAIN', authority: soa };
    case 'nxdomain-bare':
      return { ...reply, rcode: 'NXDOMAIN' };
    case 'nodata':
      return { ...authoritative, authority: soa };
    case 'nodata-without-aa':
      return { ...reply, authority: soa };
    case 'nodata-without-soa':
      return authoritative;
    case 'other-records':
      return { ...authoritative, answer: others };
    case 'answer-malformed':
      return { ...authoritative, answer: [record(name, type, '\\# 1 00')] };
    case 'lame-upward':
      return { ...reply, authority: [record('.', 'NS', 'ns.root.')] };
    case 'lame-self':
      return { ...reply, authority: [record('z.a.', 'NS', 'ns0.z.a.')] };
    case 'lame-sideways':
      return { ...reply, authority: [record('c.', 'NS', 'ns.c.')] };
    case 'lame-empty':
      return reply;
    case 'lame-other-records':
      return { ...reply, answer: others };
    case 'FORMERR':
    case 'SERVFAIL':
    case 'NOTIMP':
    case 'REFUSED':
    case 'YXDOMAIN':
      return { ...reply, rcode: kind };
    case 'other-rcode':
      return { ...reply, rcode: 'NOTAUTH' };
    case 'malformed':
    case 'unreachable':
    case 'timeout':
      return { kind };
  }
}
