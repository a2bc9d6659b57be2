import { createSocket, type Socket } from 'node:dgram';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Test } from 'tap';
import { answerFrom, secured, USUAL_ALIASES } from '../../src/authority/answer.ts';
import { presignedZoneOf } from '../../src/authority/presigned.ts';
import { readZoneFile, type ZoneRecord } from '../../src/authority/zone-file.ts';
import { drawingFrom } from '../../src/base/chance.ts';
import { decodeMessage } from '../../src/dns/decode.ts';
import { encodeMessage, encodeQuery } from '../../src/dns/encode.ts';
import type { Message } from '../../src/dns/message.ts';
import { parseName } from '../../src/dns/name.ts';
import type { Records } from '../../src/dns/record.ts';
import { startHierarchy } from './hierarchy.ts';
import { placeFor } from './setting.ts';
import { bindKeys } from './signed/bind-keys.ts';
import type { Denial } from './signed/signer.ts';
import type { NameServer } from './world/zone.ts';

/** How much is compared. */
interface Effort {
  /** The number of the first zone. */
  readonly from: number;
  readonly zones: number;
  /** Of each zone. */
  readonly questions: number;
  /** Every so many zones one is signed. */
  readonly signedEvery: number;
}

const SERVERS = [
  { software: 'nsd', address: '127.53.7.1' },
  { software: 'bind', address: '127.53.7.2' },
  { software: 'knot', address: '127.53.7.3' },
] as const;

type Software = (typeof SERVERS)[number]['software'];

const DENIALS: readonly Denial[] = [
  { kind: 'nsec' },
  { kind: 'nsec3', iterations: 0, optOut: false },
  { kind: 'nsec3', iterations: 5, optOut: true },
];

/**
 * Loads random zones into NSD, BIND and Knot DNS, and asks them. Where they agree, our reply is theirs: the same rcode, AA
 * and answer, and the same authority section where it is a referral or a denial. Where they do not, it is that of one.
 */
export async function compareWithServers(t: Test, effort: Effort): Promise<void> {
  const { directory, cleanup } = await placeFor(t);
  const zones: RandomZone[] = [];
  for (let number = effort.from; number < effort.from + effort.zones; number += 1) {
    const zone = randomZone(number, effort.questions);
    const denial = DENIALS[(number / effort.signedEvery) % DENIALS.length];
    zones.push(denial === undefined ? zone : await signed(zone, denial, directory));
  }
  const loaded = zones.map(({ origin, text }) => ({ kind: 'loaded', origin, text }) as const);
  const nameServers: NameServer[] = SERVERS.map((server) => ({ ...server, zones: loaded }));
  await startHierarchy({ nameServers, rootHints: '' }, directory, cleanup);
  const tally = new Map<string, number>();
  for (const zone of zones) {
    const ours = presignedZoneOf(readZoneFile(zone.text)).zone;
    for (const question of zone.questions) {
      const { name, type } = question;
      const asked = { name: parseName(name), type };
      const own = secured(answerFrom([ours], asked, USUAL_ALIASES), [ours], asked);
      const mine = seen(question, own.rcode, own.authoritative, parsed(own.answer), parsed(own.authority));
      const replies = await Promise.all(
        SERVERS.map(async ({ software, address }) => ({ software, ...(await heard(address, question)) })),
      );
      // A long chain of aliases with its proofs does not fit: what servers leave out then is theirs to decide.
      if (replies.some(({ flags }) => flags.includes('tc'))) continue;
      const theirs = replies.map(
        ({ software, rcode, flags, answer, authority }) =>
          [software, seen(question, rcode, flags.includes('aa'), answer, authority)] as const,
      );
      const alike = theirs.filter(([, text]) => text === mine).map(([software]) => software);
      const isOneOf = alike.length > 0;
      count(tally, alike);
      if (!isOneOf) {
        const said = theirs.map(([software, text]) => `${software}: ${text}`).join('\n');
        t.fail(`${name} ${type}\nours: ${mine}\n${said}\n${zone.text}`);
      }
    }
  }
  t.comment([...tally].map(([software, times]) => `${software}: ${times}`).join(', '));
  t.ok(
    (tally.get(SERVERS.map(({ software }) => software).join(' ')) ?? 0) > effort.zones,
    'all agree mostly',
  );
}

function count(tally: Map<string, number>, alike: readonly Software[]): void {
  const key = alike.join(' ') || 'none';
  tally.set(key, (tally.get(key) ?? 0) + 1);
}

async function signed(zone: RandomZone, denial: Denial, parent: string): Promise<RandomZone> {
  const directory = join(parent, `keys-${zone.origin}`);
  await mkdir(parent, { recursive: true });
  const keys = await bindKeys(zone.origin, 'ED25519', directory);
  const lines = await keys.sign({ origin: zone.origin, text: zone.text, denial, time: 'now' });
  return { ...zone, text: `${lines.join('\n')}\n` };
}

/** What is compared, as a text. Authority sections of answers are the server's choice. */
function seen(
  { type }: ZoneQuestion,
  rcode: string,
  authoritative: boolean,
  answer: Records,
  authority: Records,
): string {
  const compared = answer.some((record) => record.type === type) ? [] : authority;
  const lines = (records: Records) =>
    [...new Set(records.map((one) => `${one.name} ${one.type} ${one.data}`))].sort().join('\n  ');
  return `${rcode}${authoritative ? ' aa' : ''}\n  ${lines(answer)}\n  --\n  ${lines([...compared])}`;
}

/** As a receiver reads them. */
function parsed(answer: readonly ZoneRecord[]): Records {
  const message = { id: 0, flags: [], rcode: 'NOERROR', questions: [], authority: [], additional: [] };
  return decodeMessage(encodeMessage({ ...message, answer })).answer;
}

const PATIENCE_MS = 10_000;

/** Asks with DO, over UDP: replies are small. */
async function heard(address: string, { name, type }: ZoneQuestion): Promise<Message> {
  const edns = { version: 0, payloadSize: 4096, do: true, options: [] };
  const socket: Socket = createSocket('udp4');
  try {
    return await new Promise<Message>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${address} is silent`)), PATIENCE_MS);
      socket.on('error', reject);
      socket.on('message', (reply) => {
        clearTimeout(timer);
        resolve(decodeMessage(reply));
      });
      socket.connect(53, address, () => socket.send(encodeQuery({ id: 1, nameAsSent: name, type, edns })));
    });
  } finally {
    socket.close();
  }
}

/** A zone made up of few names, so that they meet: wildcards, cuts, aliases, and whatever is below them. */
interface RandomZone {
  readonly origin: string;
  /** A zone file, every name in full. */
  readonly text: string;
  readonly questions: readonly ZoneQuestion[];
}

/** A question about a name of the zone, or about one that it does not have. */
interface ZoneQuestion {
  readonly name: string;
  readonly type: string;
}

const LABELS = ['a', 'b', 'c', 'd', '*', 'e'];

const TYPES = ['A', 'AAAA', 'TXT', 'MX', 'NS', 'DS', 'CNAME', 'DNAME', 'SOA', 'SRV'];

/** The zone of a number, the same in every run, with so many questions. */
function randomZone(number: number, asked: number): RandomZone {
  const draw = drawingFrom(number);
  const below = (count: number) => Number(draw(BigInt(count)));
  const chance = (percent: number) => below(100) < percent;
  const origin = `z${number}.test.`;
  const name = () => `${Array.from({ length: 1 + below(3) }, () => pick(LABELS)).join('.')}.${origin}`;
  const pick = (from: readonly string[]) => from[below(from.length)] ?? '';
  const target = () =>
    chance(15) ? `${pick(['x', 'y'])}.elsewhere.invalid.` : name().replaceAll('*.', 'a.');
  const owners = new Set(Array.from({ length: 4 + below(14) }, name));
  const data = (owner: string): string[] => {
    const address = `A 192.0.2.${1 + below(250)}`;
    const others = [
      `TXT "${below(99)}"`,
      `MX 1 ${target()}`,
      `AAAA 2001:db8::${below(99)}`,
      'SRV 1 1 53 a.b.',
    ];
    const plain = [address, ...others.filter(() => chance(25))];
    if (owner.startsWith('*.')) return chance(25) ? [`CNAME ${target()}`] : plain;
    if (chance(22)) return [`CNAME ${target()}`];
    if (chance(10)) return [`DNAME ${target()}`, ...(chance(30) ? plain : [])];
    if (chance(25)) {
      const servers = Array.from(
        { length: 1 + below(2) },
        () => `NS ${chance(50) ? `ns.${owner}` : target()}`,
      );
      return [...new Set(servers), ...(chance(40) ? [`DS ${below(9999)} 13 2 ${'ab'.repeat(32)}`] : [])];
    }
    return plain;
  };
  const records = [...owners].flatMap((owner) => data(owner).map((one) => ({ owner, one })));
  const isDname = (owner: string) =>
    records.some((other) => other.owner === owner && other.one.startsWith('DNAME'));
  // Knot DNS and NSD refuse a zone with data below a DNAME.
  const kept = records.filter(({ owner }) => !above(owner, origin).some(isDname));
  const glue = kept.flatMap(({ owner, one }) =>
    one === `NS ns.${owner}` ? [{ owner: `ns.${owner}`, one: 'A 192.0.2.53' }] : [],
  );
  const apex = [
    `SOA ns1.${origin} host.${origin} 1 7200 900 1209600 ${chance(50) ? 60 : 7200}`,
    `NS ns1.${origin}`,
    'NS ns.elsewhere.invalid.',
    ...(chance(30) ? ['MX 1 a.b.'] : []),
  ].map((one) => ({ owner: origin, one }));
  const all = [...apex, { owner: `ns1.${origin}`, one: 'A 192.0.2.1' }, ...kept, ...glue];
  const lines = [...new Set(all.map(({ owner, one }) => `${owner} 3600 IN ${one}`))];
  const questions = Array.from({ length: asked }, () => {
    const known = pick([...owners, origin]);
    const about = chance(40) ? known : chance(50) ? `${pick(LABELS)}.${known}` : name();
    return { name: about, type: chance(50) ? 'A' : pick(TYPES) };
  });
  return { origin, text: `${lines.join('\n')}\n`, questions };
}

/** The names strictly between a name and its zone's apex. */
function above(owner: string, origin: string): readonly string[] {
  const labels = owner.slice(0, -origin.length - 1).split('.');
  return labels.slice(1).map((_, at) => `${labels.slice(at + 1).join('.')}.${origin}`);
}
