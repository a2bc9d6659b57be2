import type { EncodableRecord, ReplySpec } from '../../src/dns/encode.ts';
import type { Flag, Question } from '../../src/dns/message.ts';
import { labelsOf, type Name, nameToWire } from '../../src/dns/name.ts';
import type { Failure } from '../../src/exchange/exchanged.ts';
import { nameOf } from './names.ts';

/** A name as a reply has it, most of them by the name asked: some labels below the last so many of its. */
export type Pointed =
  | { readonly keep: number; readonly below: readonly Uint8Array[] }
  | { readonly name: Name };

/** A record of a reply; type "?" is the one asked. */
export interface Told {
  readonly owner: Pointed;
  readonly type: string;
  readonly data: { readonly name: Pointed } | { readonly octets: Uint8Array };
  readonly class: string;
  readonly ttl: number;
  /** So many of it, each with another label in front of the name in its data. */
  readonly times: number;
}

/** What a hostile server says, whatever it is asked. */
export type Said =
  | {
      readonly kind: 'reply';
      readonly rcode: string;
      readonly flags: readonly Flag[];
      readonly answer: readonly Told[];
      readonly authority: readonly Told[];
      readonly additional: readonly Told[];
    }
  | { readonly kind: Failure['kind']; readonly detail: string }
  /** Nothing before the traversal gives up. */
  | { readonly kind: 'hangs' };

/** The reply to a question, to be encoded. */
export function replyTo(said: Extract<Said, { kind: 'reply' }>, question: Question): ReplySpec {
  const asked = labelsOf(question.name);
  const nameAt = (to: Pointed): Name =>
    'name' in to ? to.name : nameOf([...to.below, ...asked.slice(Math.max(0, asked.length - to.keep))]);
  const records = (told: readonly Told[]) =>
    told.flatMap((one) => {
      const owner = nameAt(one.owner);
      const type = one.type === '?' ? question.type : one.type;
      return Array.from({ length: one.times }, (_, at): EncodableRecord => {
        const rdata =
          'octets' in one.data ? one.data.octets : nameToWire(numbered(nameAt(one.data.name), at));
        return { name: owner, type, class: one.class, ttl: one.ttl, rdata };
      });
    });
  const { rcode, flags, answer, authority, additional } = said;
  const questions = [{ nameAsSent: question.name, type: question.type, class: 'IN' }];
  const edns = { version: 0, payloadSize: 1232, do: false, options: [{ code: 3, data: '00ff' }] };
  return {
    ...{ id: 1, flags: ['qr', ...flags], rcode, questions, edns },
    ...{ answer: records(answer), authority: records(authority), additional: records(additional) },
  };
}

function numbered(name: Name, at: number): Name {
  return at === 0 ? name : nameOf([Uint8Array.from(Buffer.from(`n${at}`)), ...labelsOf(name)]);
}
