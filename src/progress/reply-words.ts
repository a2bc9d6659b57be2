import type { ExchangeClass } from '../explore/meaning.ts';

/** What a reply was, in a word or two. */
export const REPLY_WORDS: Readonly<Record<ExchangeClass, string>> = {
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
