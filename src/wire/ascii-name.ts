import { domainToASCII } from 'node:url';

/** A name as people write it, its internationalised labels converted to ASCII. All other labels stay unchanged. */
export function asciiName(text: string): string {
  if (isAscii(text)) return text;
  return text.replace(PARTS, (part) => {
    if (isAscii(part)) return part;
    if (part.length === 1 && '\u3002\uff0e\uff61'.includes(part)) return '.';
    // A further label keeps full-width digits from being read as an IPv4 address.
    return domainToASCII(`${part}.invalid`).replace(/\.invalid$/, '') || part;
  });
}

/** Labels, each with its escapes, and the dots between them (RFC 3490 3.1 lists four). */
const PARTS = /(?:\\.|[^\\.\u3002\uff0e\uff61])+|[.\u3002\uff0e\uff61]/gsu;

function isAscii(text: string): boolean {
  return /^\p{ASCII}*$/u.test(text);
}
