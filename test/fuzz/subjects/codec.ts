import { isDeepStrictEqual } from 'node:util';
import { decodeMessage } from '../../../src/dns/decode.ts';
import { type EncodableRecord, encodeMessage, encodeQuery } from '../../../src/dns/encode.ts';
import type { Message } from '../../../src/dns/message.ts';
import { parseName, ROOT } from '../../../src/dns/name.ts';
import { encodeRdata } from '../../../src/dns/rdata/rdata.ts';
import { DecodeError } from '../../../src/dns/reader.ts';
import { fitsType, type ResourceRecord } from '../../../src/dns/record.ts';
import { Inbox } from '../../../src/exchange/match.ts';
import { must, subject, withinCpu } from '../subject.ts';
import { wireMessages } from '../wire-messages.ts';

/** Far more than any message takes, even while others use the machine. */
const MOST_MS = 1_000;

/** Messages are read or refused, and what was read can be written and read again. */
export const codec = subject('codec', 10_000, wireMessages(), (octets) => {
  const message = withinCpu(MOST_MS, () => decoded(octets));
  arrives(octets);
  // What does not fit may fit elsewhere: a pointer's target is another one there.
  if (message === undefined || !recordsOf(message).every(fitsType)) return;
  const written = encodeMessage(encodable(message));
  const again = decodeMessage(written);
  const once = encodeMessage(encodable(again));
  must(isDeepStrictEqual(once, written), 'what was written is written differently once it was read');
  const whole = !again.flags.includes('tc') || message.flags.includes('tc');
  if (whole) must(isDeepStrictEqual(inFull(again), inFull(message)), 'what was written is read differently');
});

function recordsOf({ answer, authority, additional }: Message): readonly ResourceRecord[] {
  return [...answer, ...authority, ...additional];
}

/** A message may read its records only when they are wanted. */
function inFull(message: Message) {
  const [answer, authority, additional] = [
    [...message.answer],
    [...message.authority],
    [...message.additional],
  ];
  return { ...message, answer, authority, additional };
}

function decoded(octets: Uint8Array): Message | undefined {
  try {
    const message = decodeMessage(octets);
    inFull(message);
    return message;
  } catch (error) {
    must(error instanceof DecodeError, `threw ${error}`);
    must(/^[ -~]+$/.test(error.message) && error.offset <= octets.length, `says ${error.message}`);
    return undefined;
  }
}

const ASKED = encodeQuery({ id: 0x1234, nameAsSent: 'A.', type: 'A' });

/** Whatever arrives while a reply is awaited counts as a reply or is put aside. */
function arrives(octets: Uint8Array): void {
  const asked = { name: parseName('a'), type: 'A', class: 'IN' };
  const inbox = new Inbox({ ...asked, id: 0x1234, sent: ASKED, accept: 'exact-case' });
  const counted = inbox.take(octets) === undefined ? 0 : 1;
  must(inbox.ignored.length + counted === 1, 'neither ignored nor taken');
}

function encodable(message: Message) {
  const [answer, authority, additional] = [message.answer, message.authority, message.additional].map(
    (records) => records.map(withOctets),
  );
  must(answer !== undefined && authority !== undefined && additional !== undefined, 'three sections');
  return { ...message, answer, authority, additional };
}

/** The record with its data read back from what people are shown. */
function withOctets(record: ResourceRecord): EncodableRecord {
  const { name, type, ttl, data } = record;
  must(
    // A list of prefixes may have none (RFC 3123 4).
    [name, type].every((text) => /^[ -~]+$/.test(text)) &&
      /^[ -~]*$/.test(data) &&
      (data !== '' || type === 'APL'),
    `not printable: ${name} ${type} ${data}`,
  );
  const own = record.class === undefined ? {} : { class: record.class };
  return { name, type, ttl, ...own, rdata: encodeRdata(type, data, ROOT) };
}
