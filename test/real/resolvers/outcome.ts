import type { Message } from '../../../src/dns/message.ts';
import type { ExpectedEnd, ExpectedViews } from '../world/expectation.ts';

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

/** The same with what a resolver that validates says of it in the AD bit: "secure nxdomain", "insecure nodata". */
export function provenOutcomeOf(reply: Message | undefined, type: string): string {
  const outcome = outcomeOf(reply, type);
  if (outcome === 'servfail') return outcome;
  return `${reply?.flags.includes('ad') ? 'secure' : 'insecure'} ${outcome}`;
}

/** What users can get in the resolver view, in the same words. */
export function userOutcomes({ resolver }: ExpectedViews): ReadonlySet<string> {
  return new Set(resolver.map(userOutcome));
}

/** A user sees neither which server answered nor which aliases were followed. */
function userOutcome([, what]: ExpectedEnd): string {
  return what.replace(/ following .*/, '');
}
