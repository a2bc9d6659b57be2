import type { ReplyClass } from './watch-picture.ts';

/** Whether a resolver can go on with it (MODEL 7). */
export function isUsableClass(kind: ReplyClass): boolean {
  return USABLE.has(kind);
}

const USABLE: ReadonlySet<ReplyClass> = new Set(['answer', 'alias', 'nxdomain', 'nodata', 'referral']);

/** What a reply was, in a word or two. */
export const REPLY_WORDS: Readonly<Record<ReplyClass, string>> = {
  answer: 'answer',
  alias: 'alias',
  nxdomain: 'NXDOMAIN',
  nodata: 'NODATA',
  referral: 'referral',
  malformed: 'malformed reply',
  unreachable: 'unreachable',
  timeout: 'timeout',
  error: 'error',
  'alias-loop': 'alias loop',
  lame: 'lame',
};
