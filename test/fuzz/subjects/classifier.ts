import fc from 'fast-check';
import { decodeMessage } from '../../../src/dns/decode.ts';
import { encodeMessage } from '../../../src/dns/encode.ts';
import type { Question } from '../../../src/dns/message.ts';
import { parentOf } from '../../../src/dns/name.ts';
import type { Reply } from '../../../src/exchange/exchanged.ts';
import { classifier } from '../../../src/explore/classify.ts';
import type { Meaning } from '../../../src/explore/meaning.ts';
import { says } from '../arbitraries/hostile-replies.ts';
import { names } from '../arbitraries/names.ts';
import { questions } from '../arbitraries/questions.ts';
import { replyTo, type Said } from '../arbitraries/said.ts';
import { naiveMeaning } from '../naive-meaning.ts';
import { must, subject } from '../subject.ts';

const cases = fc.record({ said: says('replies'), question: questions, other: names });

/** A reply has the meaning that the rules give it, whatever zone it is read for first. */
export const classification = subject('classifier', 4_000, cases, ({ said, question, other }) => {
  if (said.kind !== 'reply') return;
  const reply = received(said, question);
  const zones = [other];
  for (let zone = parentOf(question.name); zone !== undefined; zone = parentOf(zone)) zones.push(zone);
  const classify = classifier(reply, question);
  for (const zone of zones) {
    const found = spelled(classify(zone));
    const expected = naiveMeaning(reply, question, zone);
    must(expected === undefined || found === expected, `for ${zone}: ${found}, not ${expected}`);
    must(spelled(classifier(reply, question)(zone)) === found, `for ${zone}: depends on other zones`);
  }
});

/** The reply as it is after it has gone over the wire. */
function received(said: Extract<Said, { kind: 'reply' }>, question: Question): Reply {
  const octets = encodeMessage(replyTo(said, question));
  return { kind: 'reply', rttMs: 1, bytes: octets.length, ...decodeMessage(octets) };
}

function spelled(meaning: Meaning): string {
  switch (meaning.kind) {
    case 'answer':
      return `answer ${[...meaning.records].map(({ data }) => data).join(', ')}`;
    case 'alias':
    case 'alias-loop':
      return `${meaning.kind} ${meaning.target}`;
    case 'referral': {
      const { zone, nameservers } = meaning.delegation;
      return `referral ${zone} ${nameservers.map(({ name, glue }) => `${name} ${glue.join(' ')}`).join(', ')}`;
    }
    case 'lame':
      return ['lame', meaning.reason, meaning.referredTo ?? []].flat().join(' ');
    case 'error':
      return `error ${meaning.rcode}`;
    case 'nxdomain':
    case 'nodata':
    case 'malformed':
    case 'unreachable':
    case 'timeout':
      return meaning.kind;
  }
}
