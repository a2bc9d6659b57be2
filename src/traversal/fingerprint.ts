import { NSID } from '../dns/edns.ts';
import { parseName, ROOT } from '../dns/name.ts';
import { quotedOctets } from '../dns/rdata/words.ts';
import type { Fingerprint, SelfDescription, Software } from '../document/servers.ts';
import type { SpecialExchange } from '../exchange/exchange.ts';
import type { Exchanged, Reply } from '../exchange/exchanged.ts';
import type { MetServer } from './servers-met.ts';

/**
 * Asks a server what it is: version.bind, hostname.bind and id.server (RFC 4892) as TXT records of class
 * CHAOS, and its NSID (RFC 5001) together with the SOA of a zone. All four go out at the same time as far
 * as `ask`, which does the pacing, allows. Rejects only when the signal is aborted, with its reason.
 *
 * `ask` should keep names in lower case: some servers recognise these by their exact octets.
 */
export async function fingerprint(
  { address, zones }: Pick<MetServer, 'address' | 'zones'>,
  ask: SpecialExchange,
  signal: AbortSignal,
): Promise<Fingerprint> {
  const chaos = async (name: string) =>
    softwareInText(
      await ask({ address, question: { name: parseName(name), type: 'TXT' }, class: 'CH' }, signal),
    );
  const askNsid = async () => {
    const question = { name: zones[0] ?? ROOT, type: 'SOA' };
    return softwareInNsid(await ask({ address, question, ednsOptions: [{ code: NSID, data: '' }] }, signal));
  };
  const [versionBind, hostnameBind, idServer, nsid] = await Promise.all([
    chaos('version.bind.'),
    chaos('hostname.bind.'),
    chaos('id.server.'),
    askNsid(),
  ]);
  const software = softwareOf({ version: textOf(versionBind), nsid: textOf(nsid) });
  return { versionBind, hostnameBind, idServer, nsid, ...(software === undefined ? {} : { software }) };
}

/** How many questions a server is asked. */
export const QUESTIONS = 4;

/** The most packets that asking a server takes: each question with EDNS, without, and over TCP. */
export function mostPackets(retries: number): number {
  return QUESTIONS * (2 * (1 + retries) + 1);
}

function textOf(description: SelfDescription): string | undefined {
  return description.status === 'answer' ? description.text : undefined;
}

/** The text of the first TXT record in a reply. */
function softwareInText(exchanged: Exchanged): SelfDescription {
  return describe(exchanged, ({ rcode, answer }) => {
    const record = rcode === 'NOERROR' ? answer.find(({ type }) => type === 'TXT') : undefined;
    return record === undefined ? '' : plainText(record.data);
  });
}

/** The text of the NSID option (RFC 5001 2.2), which servers send with any rcode. */
function softwareInNsid(exchanged: Exchanged): SelfDescription {
  return describe(exchanged, ({ edns }) => {
    const option = edns?.options.find(({ code }) => code === NSID);
    return option === undefined ? '' : plainText(quotedOctets(Buffer.from(option.data, 'hex')));
  });
}

function describe({ outcome }: Exchanged, read: (reply: Reply) => string): SelfDescription {
  switch (outcome.kind) {
    case 'timeout':
      return { status: 'timeout' };
    case 'malformed':
    case 'unreachable':
      return { status: 'error', failure: outcome.kind };
    case 'reply': {
      const text = read(outcome);
      return text === '' ? withoutText(outcome.rcode) : { status: 'answer', text };
    }
  }
}

function withoutText(rcode: string): SelfDescription {
  if (rcode === 'NOERROR') return { status: 'empty' };
  return rcode === 'REFUSED' ? { status: 'refused', rcode } : { status: 'error', rcode };
}

/**
 * The software that a server's own texts name; undefined if they name none. Nothing verifies these texts:
 * administrators can set them to anything.
 */
export function softwareOf({
  version,
  nsid,
}: Readonly<Record<'version' | 'nsid', string | undefined>>): Software | undefined {
  const byVersion = version === undefined ? undefined : named(VERSIONS, version);
  return byVersion ?? (nsid === undefined ? undefined : named(IDENTIFIERS, nsid));
}

/** A product and the pattern of texts that name it. The first group is the version. */
type Row = readonly [product: string, pattern: RegExp];

/**
 * ISC's version numbers, which most servers give without the name: with alpha to release candidate,
 * extended support, rate limiting patches and patch level, but not what a distribution appends.
 */
const BIND =
  /^(?:(?:DNS Server )?BIND |named )?((?:9\.\d|8\.[1-4]|4\.9)[\d.]*(?:(?:a|b|rc)\d+)?(?:-ESV(?:-R\d+)?)?(?:[-+]rpz\d*)?(?:[-+.]rl[.\d]+)?(?:-[PSW]\d[\d.]*)?(?:-REL)?)(?![\w.])/;

/** Patterns of version texts. The first match counts. */
const VERSIONS: readonly Row[] = [
  ['BIND', BIND],
  ['BIND', /^BIND\b/i],
  ['NSD', /^NSD\b(?: v?(\d[\w.-]*))?/],
  ['Knot DNS', /^Knot DNS\b(?: v?(\d[\w.+-]*))?/i],
  ['Knot Resolver', /^Knot Resolver\b(?: v?(\d[\w.+-]*))?/i],
  ['PowerDNS Authoritative Server', /^PowerDNS Authoritative Server\b(?: (\d[\w.+-]*))?/i],
  ['PowerDNS Recursor', /^PowerDNS Recursor\b(?: (\d[\w.+-]*))?/i],
  ['PowerDNS', /^Served by PowerDNS\b(?: (\d[\w.+-]*))?/i],
  ['dnsdist', /^dnsdist\b(?:[ -]v?(\d[\w.+-]*))?/i],
  ['Unbound', /^unbound\b(?: v?(\d[\w.+-]*))?/i],
  ['dnsmasq', /^dnsmasq\b(?:-pi-hole)?(?:[- ]v?(\d[\w.+-]*))?/i],
  ['Microsoft DNS', /^Microsoft DNS\b(?: (\d[\d.]*))?/i],
  ['CoreDNS', /^CoreDNS\b(?:[- ]v?(\d[\w.+-]*))?/i],
  ['gdnsd', /^gdnsd\b(?:[- /]v?(\d[\w.+-]*))?/i],
  ['Technitium DNS Server', /^Technitium\b(?: DNS Server)?(?:[- ]v?(\d[\w.+-]*))?/i],
  ['YADIFA', /^YADIFA\b(?:[- ]v?(\d[\w.+-]*))?/i],
  ['MaraDNS', /^MaraDNS\b(?:(?: version)?[- ]v?(\d[\w.+-]*))?/i],
  ['Deadwood', /^Deadwood\b(?:(?: version)?[- ]v?(\d[\w.+-]*))?/i],
  ['djbdns', /^(?:djbdns|tinydns)\b(?:[- ]v?(\d[\w.+-]*))?/i],
  ['rbldnsd', /^rbldnsd\b(?: (\d[\w.+-]*))?/i],
  ['Hickory DNS', /^(?:Hickory[- ]DNS|Trust-DNS)\b(?:[- ]v?(\d[\w.+-]*))?/i],
  ['Simple DNS Plus', /^Simple DNS Plus\b(?: v?(\d[\w.+-]*))?/i],
  ['Nominum Vantio CacheServe', /^Nominum (?:Vantio|CNS)\b(?: CacheServe)?(?: (\d[\d.]*))?/i],
  ['Nominum Vantio AuthServe', /^Nominum ANS(?:Premier)?\b(?: (\d[\d.]*))?/i],
  ['Incognito DNS', /^Incognito DNS\b(?: (?:Service|Commander))?(?: (\d[\d.]*))?/i],
  ['Akamai AnswerX', /^Version: recursive-main\/(\d+)/],
  ['Akamai', /^Akamai\b/i],
  ['Quad9', /^Q9-\w-(\d[\w.+-]*)/],
  ['Cloudflare', /^Cloudflare\b/i],
  ['UltraDNS', /^UltraDNS\b/i],
  ['CleanBrowsing', /^CleanBrowsing\b(?: v?(\d[\w.]*))?/i],
  ['DrayTek DNS', /^DraytekDNS\b(?:-v?(\d[\d.]*))?/i],
  ['ZyWALL DNS', /^ZyWALL DNS\b/i],
];

/** Patterns of identifiers that only one operator uses. */
const IDENTIFIERS: readonly Row[] = [['Google Public DNS', /^gpdns-/]];

function named(rows: readonly Row[], text: string): Software | undefined {
  for (const [product, pattern] of rows) {
    const match = pattern.exec(text);
    if (match !== null) return match[1] === undefined ? { product } : { product, version: match[1] };
  }
  return undefined;
}

/** The longest quotation of a server, in characters. */
const LONGEST = 255;

/**
 * The text of character-strings in presentation format (RFC 1035 5.1), joined and without quotes:
 * printable ASCII of at most 255 characters, in which other octets and backslashes stay escaped.
 */
export function plainText(presentation: string): string {
  let text = '';
  let place: 'between' | 'within' = 'between';
  for (const [token] of presentation.matchAll(/\\\d{3}|\\.|[^\\]/gs)) {
    if (token === '"') {
      place = place === 'between' ? 'within' : 'between';
    } else if (place === 'within') {
      const plain = token === '\\"' ? '"' : token;
      if (text.length + plain.length > LONGEST) return text;
      text += plain;
    }
  }
  return text;
}
