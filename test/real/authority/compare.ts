import { createSocket, type Socket } from 'node:dgram';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Test } from 'tap';
import { answerFrom, secured, USUAL_ALIASES } from '../../../src/authority/answer.ts';
import { presignedZoneOf } from '../../../src/authority/presigned.ts';
import { readZoneFile, type ZoneRecord } from '../../../src/authority/zone-file.ts';
import { decodeMessage } from '../../../src/dns/decode.ts';
import { encodeMessage, encodeQuery } from '../../../src/dns/encode.ts';
import type { Message } from '../../../src/dns/message.ts';
import { parseName } from '../../../src/dns/name.ts';
import type { Records } from '../../../src/dns/record.ts';
import { startHierarchy } from '../hierarchy.ts';
import { placeFor } from '../setting.ts';
import { bindKeys } from '../signed/signers/bind.ts';
import type { Denial } from '../signed/signers/signer.ts';
import type { NameServer } from '../world/zone.ts';
import { type RandomZone, randomZone, type ZoneQuestion } from './random-zone.ts';

/** How much is compared. */
export interface Effort {
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
