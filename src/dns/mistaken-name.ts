/* Recognises addresses, URLs and the like that were given in the place of a name. */

import { parseAddress } from './address.ts';
import type { Name } from './name.ts';

/** What else than a name a text is; undefined if it may be one. A backslash makes a name of anything (RFC 1035 5.1). */
export function mistakenName(text: string): MistakenName | undefined {
  if (text.includes('\\')) return undefined;
  const address = addressIn(text);
  if (address !== undefined) return { kind: 'address', address };
  const [, prefix = ''] = /^([^/]+)\/\d{1,3}$/.exec(text) ?? [];
  const ofPrefix = addressIn(prefix);
  if (ofPrefix !== undefined) return { kind: 'prefix', address: ofPrefix };
  return looksLikeAddress(text) ?? inUrl(text) ?? withPort(text) ?? inMail(text) ?? withScheme(text);
}

/** What people write in place of a name, and the name they mean. */
type MistakenName =
  /** Or something with an address in it. In canonical text: they mean its reverse name, or whatever has that address. */
  | { readonly kind: 'address' | 'prefix'; readonly address: string }
  | { readonly kind: 'url' | 'port' | 'e-mail'; readonly host: string }
  /** `why` goes on after the text: "looks like ...". */
  | { readonly kind: 'nothing'; readonly why: string };

/**
 * What somebody wrote in place of a name, and what to write instead: "is a URL: write ...". `behind` says how to ask
 * for the name behind an address.
 */
export function mistakeWords(mistaken: MistakenName, behind: (address: string) => string): string {
  switch (mistaken.kind) {
    case 'address':
      return `is an address: for the name behind it ${behind(mistaken.address)}`;
    case 'prefix':
      return `is a prefix: for the name behind its address ${behind(mistaken.address)}`;
    case 'url':
      return `is a URL: write its host name, ${mistaken.host}`;
    case 'port':
      return `has a port: write the host name, ${mistaken.host}`;
    case 'e-mail':
      return `is an e-mail address: write its domain, ${mistaken.host} (type MX for its mail servers)`;
    case 'nothing':
      return mistaken.why;
  }
}

/** A name as text in which nothing else can be seen: names may hold any octets, so one can look like a URL. */
export function unmistakable(name: Name): string {
  if (mistakenName(name) === undefined) return name;
  return `\\${String(name.charCodeAt(0)).padStart(3, '0')}${name.slice(1)}`;
}

/** An address, perhaps in the brackets that URLs put around it, or with the port that follows it there. */
function addressIn(text: string): string | undefined {
  const [, bracketed] = /^\[([^[\]]*)\](?::\d{1,5})?$/.exec(text) ?? [];
  const [, ported] = /^([\d.]+):\d{1,5}$/.exec(text) ?? [];
  return parseAddress(bracketed ?? ported ?? text);
}

function looksLikeAddress(text: string): MistakenName | undefined {
  if (/^\d+(?:\.\d+){3}$/.test(text))
    return {
      kind: 'nothing',
      why: `looks like an address, but the four numbers of one are 0 to 255, without zeros in front (as a name: ${text}.)`,
    };
  if (/^\[?[\da-f]*:[\w.%]*:[\w:.%]*\]?$/i.test(text))
    return {
      kind: 'nothing',
      why: 'looks like an IPv6 address, but is none (it needs 8 groups, or ::; no zone)',
    };
  return undefined;
}

/** A URL, or what browsers make one of: a host name with letters in its last label (RFC 2317 has others), and more. */
function inUrl(text: string): MistakenName | undefined {
  const isHost = /^[^\s/?#@:]+\.[^\s/?#@:.\d][^\s/?#@:.]*\.?(?::\d{1,5})?[/?#]/.test(text);
  const written = isHost ? `http://${text}` : text.replace(/^\/\//, 'http://');
  if (!/^[a-z][-+.\w]*:\/\//i.test(written)) return undefined;
  const host = URL.canParse(written) ? new URL(written).hostname : '';
  if (host === '') return { kind: 'nothing', why: 'is a URL without a host name that could be looked up' };
  const address = addressIn(host);
  return address === undefined ? { kind: 'url', host } : { kind: 'address', address };
}

function withPort(text: string): MistakenName | undefined {
  const [, host] = /^([^:]+):\d{1,5}$/.exec(text) ?? [];
  return host === undefined ? undefined : { kind: 'port', host };
}

/** An e-mail address, alone or as programs for mail write it. */
function inMail(text: string): MistakenName | undefined {
  const [, address = text] = /<([^<>]*)>$/.exec(text) ?? /^mailto:([^?]*)/i.exec(text) ?? [];
  const [, host] = /^[^@\s]+@([^@\s]+)$/.exec(address) ?? [];
  if (host !== undefined) return { kind: 'e-mail', host };
  return /^[^@\s]*@$/.test(address) ? NOTHING_BEHIND : undefined;
}

const NOTHING_BEHIND: MistakenName = {
  kind: 'nothing',
  why: 'has nothing after the @: leave the @ out (for an @ in a name write \\@)',
};

function withScheme(text: string): MistakenName | undefined {
  if (!/^[a-z][-+\w]*:/i.test(text)) return undefined;
  return { kind: 'nothing', why: 'looks like a URL without a host name (for a colon in a name write \\:)' };
}
