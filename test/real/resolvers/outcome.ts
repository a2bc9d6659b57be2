import type { Message } from '../../../src/wire/message.ts';

/**
 * What a user of a resolver gets, in the words of the expected ends: "answer 192.0.2.1 192.0.2.2",
 * "nxdomain", "nodata", or "servfail" for every error and for no reply at all.
 */
export function outcomeOf(reply: Message | undefined, type: string): string {
  if (reply?.rcode === 'NXDOMAIN') return 'nxdomain';
  if (reply?.rcode !== 'NOERROR') return 'servfail';
  const data = reply.answer.filter((record) => record.type === type).map((record) => record.data);
  return data.length > 0 ? `answer ${data.sort().join(' ')}` : 'nodata';
}
