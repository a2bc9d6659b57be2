import type { ExchangeSecurity } from '../../document/exchanges.ts';
import { BOGUS_WORDS } from './bogus-words.ts';

/**
 * What a validating resolver makes of a reply, in words of their own for each: "secure", "insecure", "bogus: the
 * signature has expired", "secure or bogus" where it depends on what the resolver learnt before. Undefined where nothing
 * is known of that.
 */
export function securityWords(security: ExchangeSecurity | undefined): string | undefined {
  switch (security?.status) {
    case undefined:
    case 'unknown':
      return undefined;
    case 'secure':
    case 'insecure':
      return security.status;
    case 'bogus':
      return bogusWords(security);
  }
}

function bogusWords({ reason, otherwise }: ExchangeSecurity): string {
  const status = otherwise === undefined ? 'bogus' : `${otherwise} or bogus`;
  return reason === undefined ? status : `${status}: ${BOGUS_WORDS[reason]}`;
}
