import type { ExchangeSecurity } from '../../document/exchanges.ts';
import { BOGUS_WORDS } from './bogus-words.ts';

/**
 * What a validating resolver makes of a reply, in words of their own for each: "secure", "insecure", "bogus: the
 * signature has expired". Undefined where nothing is known of that.
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
      return security.reason === undefined ? 'bogus' : `bogus: ${BOGUS_WORDS[security.reason]}`;
  }
}
