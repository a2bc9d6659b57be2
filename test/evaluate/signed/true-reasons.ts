import { NODE_CRYPTO } from '../../../src/dns/dnssec/node-crypto.ts';
import { nameHasher } from '../../../src/dns/dnssec/nsec3.ts';
import type { Question } from '../../../src/dns/message.ts';
import { isAtOrBelow, type Name, ROOT } from '../../../src/dns/name.ts';
import type { Records, ResourceRecord } from '../../../src/dns/record.ts';

/** A reply, and the reason for which it is insecure, if it is. */
export interface JudgedReply {
  readonly address: string;
  readonly question: Question;
  readonly answer: Records;
  readonly authority: Records;
  readonly insecure?: Reason;
}

export interface Reason {
  readonly reason?: string | undefined;
  readonly zone?: Name | undefined;
  /** The address of the server that proved it. */
  readonly by?: string | undefined;
  readonly algorithms?: readonly number[] | undefined;
  readonly digests?: readonly number[] | undefined;
}

/** What is wrong with the reasons of insecure replies, by the records of all replies; none: all are true. */
export function untrueReasons(replies: readonly JudgedReply[]): readonly string[] {
  return replies.flatMap((one) => {
    const why = one.insecure && untruth(one, one.insecure, replies);
    const { address, question, insecure } = one;
    return why === undefined
      ? []
      : [`${address} ${question.name} ${question.type} ${JSON.stringify(insecure)}: ${why}`];
  });
}

function untruth(
  one: JudgedReply,
  { reason, zone, by, algorithms, digests }: Reason,
  replies: readonly JudgedReply[],
): string | undefined {
  const { name, type } = one.question;
  if (reason === undefined) return type === 'RRSIG' ? undefined : 'no reason';
  if (zone !== undefined && !isAtOrBelow(name, zone)) return 'another zone';
  // The trust anchors are no reply.
  if (zone === ROOT && reason === 'unsupported-ds')
    return by === undefined ? undefined : 'nobody proves that';
  if (reason === 'unsigned-parent') {
    const isKnown = replies.some(
      ({ insecure }) => insecure?.zone === zone && insecure?.reason !== 'unsigned-parent',
    );
    return isKnown && by === undefined ? undefined : 'nothing says that the zone above is insecure';
  }
  const theirs = replies.filter(
    ({ address, question }) => address === by && (zone === undefined || isAtOrBelow(question.name, zone)),
  );
  const shown = zone === undefined ? theirs.filter((other) => other === one) : theirs;
  switch (reason) {
    case 'no-ds':
      return shown.some((other) => zone !== undefined && lacksDs(other, zone)) ? undefined : 'no proof';
    case 'opt-out':
      return shown.some((other) => nsec3s(other).some(({ flags }) => flags === 1)) ? undefined : 'no opt-out';
    case 'iterations':
      return shown.some((other) => nsec3s(other).some(({ iterations }) => iterations > 150))
        ? undefined
        : 'few iterations';
    case 'unsupported-ds':
      return shown.some((other) => areUnsupported(other, zone, algorithms, digests))
        ? undefined
        : 'other DS records';
  }
  return 'an unknown reason';
}

/** Whether an NSEC or NSEC3 record of the name shows a zone cut without DS records. */
function lacksDs(reply: JudgedReply, zone: Name): boolean {
  const types = [
    ...reply.authority
      .filter(({ type, name }) => type === 'NSEC' && name === zone)
      .map(({ data }) => data.split(' ').slice(1)),
    ...nsec3s(reply).flatMap(({ hash, iterations, salt, types }) =>
      nameHasher({ iterations, salt }, NODE_CRYPTO.digest)(zone) === hash ? [types] : [],
    ),
  ];
  return types.some((own) => own.includes('NS') && !own.includes('DS') && !own.includes('SOA'));
}

function nsec3s({ authority }: JudgedReply) {
  return authority
    .filter(({ type }) => type === 'NSEC3')
    .map(({ name, data }) => {
      const [, flags, iterations, salt = '-', , ...types] = data.split(' ');
      const hash = name.slice(0, name.indexOf('.'));
      return { hash, flags: Number(flags), iterations: Number(iterations), salt, types };
    });
}

const ALGORITHMS: readonly number[] = [5, 7, 8, 10, 13, 14, 15, 16];
const DIGESTS: readonly number[] = [1, 2, 4];

function areUnsupported(
  { answer, authority }: JudgedReply,
  zone: Name | undefined,
  algorithms: readonly number[] = [],
  digests: readonly number[] = [],
): boolean {
  const own = [...answer, ...authority].filter(({ type, name }) => type === 'DS' && name === zone).map(dsIn);
  const wrong = own.filter(
    ({ algorithm, digest }) => !ALGORITHMS.includes(algorithm) || !DIGESTS.includes(digest),
  );
  const isNamed = ({ algorithm, digest }: Ds) =>
    ALGORITHMS.includes(algorithm) !== algorithms.includes(algorithm) &&
    DIGESTS.includes(digest) !== digests.includes(digest);
  return own.length > 0 && wrong.length === own.length && own.every(isNamed);
}

interface Ds {
  readonly algorithm: number;
  readonly digest: number;
}

function dsIn({ data }: ResourceRecord): Ds {
  const [, algorithm, digest] = data.split(' ');
  return { algorithm: Number(algorithm), digest: Number(digest) };
}
