/** A name as people write it, its internationalised labels converted to ASCII. All other labels stay unchanged. */
export function asciiName(text: string): string {
  if (isAscii(text)) return text;
  return text.replace(PARTS, (part) => {
    if (isAscii(part)) return part;
    if (part.length === 1 && '\u3002\uff0e\uff61'.includes(part)) return '.';
    return asciiLabel(part) ?? part;
  });
}

/** Labels, each with its escapes, and the dots between them (RFC 3490 3.1 lists four). */
const PARTS = /(?:\\.|[^\\.\u3002\uff0e\uff61])+|[.\u3002\uff0e\uff61]/gsu;

function isAscii(text: string): boolean {
  return /^\p{ASCII}*$/u.test(text);
}

/** What ends or divides the host of a URL, and so cannot be part of it (WHATWG URL 4.4, host state). */
const NOT_IN_HOST = /[/?#\\:@[\]]/;

/** A label as a URL's host has it, which is how browsers and Node both convert one; undefined if they refuse. */
function asciiLabel(label: string): string | undefined {
  // A further label keeps full-width digits from being read as an IPv4 address.
  const address = `http://${label}.invalid`;
  if (NOT_IN_HOST.test(label) || !URL.canParse(address)) return undefined;
  return new URL(address).hostname.replace(/\.invalid$/, '') || undefined;
}
