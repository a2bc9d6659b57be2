import type { ExchangeEvent } from '../document/events.ts';
import { plain } from '../reading/words/names.ts';
import { REPLY_WORDS } from './reply-words.ts';

/** What a reply said, in a few words: "referral to example", "192.0.2.80", "REFUSED". */
export function sayingWords({ class: kind, rcode, data, target, referredTo }: ExchangeEvent): string {
  switch (kind) {
    case 'answer':
      return data?.join(' + ') ?? REPLY_WORDS.answer;
    case 'alias':
    case 'alias-loop':
      return target === undefined ? REPLY_WORDS[kind] : `${REPLY_WORDS[kind]} to ${plain(target)}`;
    case 'referral':
      return referredTo === undefined
        ? REPLY_WORDS.referral
        : `${REPLY_WORDS.referral} to ${plain(referredTo)}`;
    case 'lame':
      return referredTo === undefined
        ? REPLY_WORDS.lame
        : `${REPLY_WORDS.lame}, ${REPLY_WORDS.referral} to ${plain(referredTo)}`;
    case 'error':
      return rcode ?? REPLY_WORDS.error;
    case 'nxdomain':
    case 'nodata':
    case 'malformed':
    case 'unreachable':
    case 'timeout':
      return REPLY_WORDS[kind];
  }
}
