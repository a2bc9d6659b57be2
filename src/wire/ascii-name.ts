import { domainToASCII } from 'node:url';

/** A name as people write it, with its internationalised labels in their ASCII form; all others stay as they are. */
export function asciiName(text: string): string {
  if (isAscii(text)) return text;
  return text.replace(PARTS, (part) => {
    if (isAscii(part)) return part;
    if (part.length === 1 && '\u3002\uff0e\uff61'.includes(part)) return '.';
    // With a label behind it, so that full-width digits are not taken for an IPv4 address.
    return domainToASCII(`${part}.invalid`).replace(/\.invalid$/, '') || part;
  });
}

/** Labels, each with its escapes, and the dots between them (RFC 3490 3.1 knows four). */
const PARTS = /(?:\\.|[^\\.\u3002\uff0e\uff61])+|[.\u3002\uff0e\uff61]/gsu;

function isAscii(text: string): boolean {
  return /^\p{ASCII}*$/u.test(text);
}
