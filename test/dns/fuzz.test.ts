import t from 'tap';
import { decodeMessage } from '../../src/dns/decode.ts';
import { encodeMessage, encodeQuery } from '../../src/dns/encode.ts';
import type { Message } from '../../src/dns/message.ts';
import { nameToWire, parseName, ROOT } from '../../src/dns/name.ts';
import { DecodeError } from '../../src/dns/reader.ts';
import { hex, join, message, record, seeded, u16, wireName } from './message-bytes.ts';
import { rdataRows } from './rdata-rows.ts';

const MUTATED = 60_000;

/** 'accepted' or 'refused' if that was done within bounds, else what went wrong. */
function verdict(bytes: Uint8Array): string {
  try {
    return troubleWith(decodeMessage(bytes), bytes.length) ?? 'accepted';
  } catch (error) {
    const asItShould =
      error instanceof DecodeError && error.offset <= bytes.length && isPrintable(error.message);
    return asItShould ? 'refused' : `threw ${error}`;
  }
}

function troubleWith(decoded: Message, length: number): string | undefined {
  const records = [...decoded.answer, ...decoded.authority, ...decoded.additional];
  const texts = [
    ...decoded.questions.flatMap(({ name, nameAsSent, type }) => [name, nameAsSent, type]),
    ...records.flatMap(({ name, type, data }) => [name, type, data]),
    ...(decoded.edns?.options ?? []).map(({ data }) => data),
  ];
  if (!texts.every(isPrintable)) return 'accepted octets that are not printable';
  if (records.length * 11 > length) return `accepted ${records.length} records`;
  if (records.some(({ ttl }) => !(ttl >= 0 && ttl <= 0x7fff_ffff))) return 'accepted a TTL that is none';
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  // Two octets of a type bitmap can become many types; a pointer, four characters for each octet unfolded.
  const bound = 128 * length + 4 * (65_536 + 16 * length);
  return characters > bound ? `accepted ${characters} characters` : undefined;
}

function isPrintable(text: string): boolean {
  return /^[ -~]*$/.test(text);
}

/** Realistic messages: one for each type, some with many records, queries, and referrals with glue. */
function corpus(): Uint8Array[] {
  const questions = [{ nameAsSent: 'wWw.Shop.Example.', type: 'A', class: 'IN' }];
  const edns = { version: 0, payloadSize: 1232, do: true, options: [{ code: 3, data: '6e7331' }] };
  const owner = parseName('www.shop.example');
  const records = rdataRows.map(([type, rdata]) => ({ name: owner, type, ttl: 300, rdata: hex(rdata) }));
  const servers = ['a', 'b', 'c', 'd'].map((label) => parseName(`${label}.ns.example`));
  const ns = servers.map((server) => ({ name: owner, type: 'NS', ttl: 300, rdata: nameToWire(server) }));
  const glue = servers.flatMap((name) => [
    { name, type: 'A', ttl: 300, rdata: hex('c0000201') },
    { name, type: 'AAAA', ttl: 300, rdata: hex('20010db8000000000000000000000001') },
  ]);
  const none = {
    id: 1,
    flags: ['qr', 'aa'],
    rcode: 'NOERROR',
    questions,
    answer: [],
    authority: [],
    additional: [],
  } as const;
  return [
    ...records.map((one) => encodeMessage({ ...none, answer: [one], edns })),
    encodeMessage({ ...none, authority: ns, additional: glue, edns }),
    encodeMessage({ ...none, answer: records.slice(0, 20), authority: records.slice(20, 40), edns }),
    encodeMessage({
      ...none,
      answer: records.slice(40).map((one) => ({ ...one, name: ROOT })),
      rcode: 'BADVERS',
      edns,
    }),
    encodeQuery({ id: 1, nameAsSent: 'version.bind.', type: 'TXT', class: 'CH', edns }),
    message({
      question: join(wireName('a'), hex('0001 0001')),
      answer: Array.from({ length: 20 }, () => record(15, hex('000ac00c'), { owner: u16(0xc00c) })),
    }),
    message({
      answer: [
        record(1, hex('c0000201'), { owner: wireName('a.b.c') }),
        record(5, u16(0xc00e), { owner: u16(0xc00c) }),
      ],
    }),
  ];
}

/** Values that matter in a message: lengths and counts at their edges, pointers, types with rules of their own. */
const TELLING = [0, 1, 2, 3, 4, 0x0b, 0x10, 0x29, 0x3f, 0x40, 0x7f, 0x80, 0xc0, 0xff];

type Random = (below: number) => number;

/** Each changes octets once, possibly in place. */
const CHANGES: readonly ((octets: Buffer, random: Random, other: Uint8Array) => Buffer)[] = [
  (octets, random) => set(octets, random(octets.length), random(256)),
  (octets, random) => set(octets, random(octets.length), TELLING[random(TELLING.length)] ?? 0),
  (octets, random) => set(octets, random(octets.length), 1 << random(8), 'flip'),
  (octets, random) => set(octets, 4 + random(8), random(256)),
  (octets, random) => pointer(octets, random(octets.length), random(octets.length + 8)),
  (octets, random) => octets.subarray(0, random(octets.length + 1)),
  (octets, random) => Buffer.concat([octets, octets.subarray(random(octets.length))]),
  (octets, random) => {
    const [from, to] = [random(octets.length), random(octets.length)];
    return Buffer.concat([octets.subarray(0, from), octets.subarray(to)]);
  },
  (octets, random, other) => {
    const cut = random(octets.length);
    return Buffer.concat([octets.subarray(0, cut), other.subarray(Math.min(cut, other.length))]);
  },
];

function set(octets: Buffer, at: number, value: number, how: 'set' | 'flip' = 'set'): Buffer {
  if (at < octets.length) octets[at] = how === 'set' ? value : (octets[at] ?? 0) ^ value;
  return octets;
}

function pointer(octets: Buffer, at: number, target: number): Buffer {
  return set(set(octets, at, 0xc0 | (target >> 8)), at + 1, target & 0xff);
}

function mutated(originals: readonly Uint8Array[], random: Random): Buffer {
  const pick = () => originals[random(originals.length)] ?? Buffer.alloc(12);
  let octets = Buffer.from(pick());
  for (let changes = 1 + random(3); changes > 0 && octets.length > 0; changes -= 1) {
    const change = CHANGES[random(CHANGES.length)];
    octets = Buffer.from(change?.(octets, random, pick()) ?? octets);
  }
  return octets;
}

/** How many messages had each verdict, and the first message for each kind of trouble. */
function tally(messages: Iterable<Uint8Array>) {
  const counts = { accepted: 0, refused: 0 };
  const troubles = new Map<string, string>();
  for (const bytes of messages) {
    const seen = verdict(bytes);
    if (seen === 'accepted' || seen === 'refused') counts[seen] += 1;
    else if (!troubles.has(seen)) troubles.set(seen, Buffer.from(bytes).toString('hex'));
  }
  return { ...counts, troubles: [...troubles] };
}

t.test('whole messages are accepted', async (t) => {
  const messages = corpus();
  t.strictSame(tally(messages), { accepted: messages.length, refused: 0, troubles: [] });
});

t.test('messages cut short are refused', async (t) => {
  const cut = corpus().flatMap((bytes) => Array.from(bytes, (_, length) => bytes.subarray(0, length)));
  t.strictSame(tally(cut), { accepted: 0, refused: cut.length, troubles: [] });
});

t.test('broken messages are accepted or refused without trouble', async (t) => {
  const originals = corpus();
  const random = seeded(20_261_121);
  const broken = function* () {
    for (let i = 0; i < MUTATED; i += 1) yield mutated(originals, random);
  };
  const { accepted, refused, troubles } = tally(broken());
  t.strictSame(troubles, []);
  t.equal(accepted + refused, MUTATED);
  t.ok(
    accepted > MUTATED / 100 && refused > MUTATED / 2,
    `${accepted} accepted: the changes are neither mild nor wild`,
  );
});

t.test('random octets are accepted or refused without trouble', async (t) => {
  const random = seeded(42);
  const noise = Array.from({ length: 10_000 }, () => {
    const bytes = Buffer.from(Array.from({ length: random(200) }, () => random(256)));
    // Small counts, so that the walk gets past the header.
    for (const at of [4, 6, 8, 10]) set(set(bytes, at, 0), at + 1, random(3));
    return bytes;
  });
  t.match(tally(noise), { troubles: [] });
});
