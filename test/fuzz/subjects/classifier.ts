import fc from 'fast-check';
import { decodeMessage } from '../../../src/dns/decode.ts';
import { encodeMessage } from '../../../src/dns/encode.ts';
import type { Question } from '../../../src/dns/message.ts';
import {
  isAtOrBelow,
  isBelow,
  labelCount,
  type Name,
  parentOf,
  substituteSuffix,
} from '../../../src/dns/name.ts';
import { fitsType, type ResourceRecord, targetOf } from '../../../src/dns/record.ts';
import type { Reply } from '../../../src/exchange/exchanged.ts';
import { classifier } from '../../../src/explore/classify.ts';
import type { Meaning } from '../../../src/explore/meaning.ts';
import { says } from '../hostile-replies.ts';
import { names, questions } from '../names.ts';
import { replyTo, type Said } from '../said.ts';
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
    must(found === expected, `for ${zone}: ${found}, not ${expected}`);
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

/**
 * What a reply means, written down in the plainest way: svc-model(7), EXCHANGES, rule by rule, without a
 * thought for time.
 */
function naiveMeaning(reply: Reply, question: Question, zone: Name): string {
  const { rcode } = reply;
  if (rcode !== 'NOERROR' && rcode !== 'NXDOMAIN') return `error ${rcode}`;
  const answer = [...reply.answer].filter(isInternet);
  const { name } = question;
  const target = aliasOf(answer, question, zone);
  if (target !== undefined) return `${target === name ? 'alias-loop' : 'alias'} ${target}`;
  const found = answer.filter((record) => record.name === name && isWanted(record.type, question.type));
  if (found.length > 0 && isAtOrBelow(name, zone))
    return `answer ${found.map(({ data }) => data).join(', ')}`;
  return withoutAnswer(reply, question, zone);
}

function aliasOf(
  answer: readonly ResourceRecord[],
  { name: at, type }: Question,
  zone: Name,
): Name | undefined {
  if (type === 'CNAME' || type === 'ANY') return undefined;
  const fitting = answer.filter(fitsType);
  const cname = fitting.find((record) => record.type === 'CNAME' && record.name === at);
  if (cname !== undefined) return isAtOrBelow(at, zone) ? targetOf(cname) : undefined;
  const [dname] = fitting
    .filter((record) => record.type === 'DNAME' && isBelow(at, record.name))
    .sort((one, other) => labelCount(other.name) - labelCount(one.name));
  const target = dname && targetOf(dname);
  if (dname === undefined || target === undefined || !isAtOrBelow(dname.name, zone)) return undefined;
  return substituteSuffix(at, dname.name, target);
}

function isWanted(type: string, asked: string): boolean {
  return asked === 'ANY' ? type !== 'RRSIG' : type === asked;
}

function withoutAnswer(reply: Reply, question: Question, zone: Name): string {
  if (reply.rcode === 'NXDOMAIN') return 'nxdomain';
  const authority = [...reply.authority].filter(isInternet);
  if (authority.some(({ type }) => type === 'SOA')) return 'nodata';
  const servers = authority.filter((record) => record.type === 'NS' && fitsType(record));
  const [deepest] = servers
    .filter(({ name }) => isBelow(name, zone) && isAtOrBelow(question.name, name))
    .sort((one, other) => labelCount(other.name) - labelCount(one.name));
  if (deepest !== undefined) {
    const own = servers.filter(({ name }) => name === deepest.name).map(targetOf);
    const glue = [...new Set(own)].sort().map((name) => `${name} ${glueOf(reply, name, zone).join(' ')}`);
    return `referral ${deepest.name} ${glue.join(', ')}`;
  }
  const [first] = servers;
  if (first === undefined) return reply.flags.includes('aa') ? 'nodata' : 'lame empty';
  if (first.name === zone) return `lame self ${first.name}`;
  return `lame ${isBelow(zone, first.name) ? 'upward' : 'sideways'} ${first.name}`;
}

function glueOf(reply: Reply, name: Name | undefined, zone: Name): readonly string[] {
  if (name === undefined || !isAtOrBelow(name, zone)) return [];
  const own = [...reply.additional].filter((record) => record.name === name && isInternet(record));
  const addresses = own.filter((record) => /^A(AAA)?$/.test(record.type) && fitsType(record));
  return [...new Set(addresses.map(({ data }) => data))].sort();
}

function isInternet(record: ResourceRecord): boolean {
  return record.class === undefined;
}
