import type { Software } from '../document/servers.ts';

/** What a server said about itself, as text. */
interface SelfDescription {
  readonly version: string | undefined;
  readonly nsid: string | undefined;
}

/**
 * The software that a server's own words point to; undefined if they point to none. Nothing verifies
 * these words: administrators can set them to anything.
 */
export function softwareOf({ version, nsid }: SelfDescription): Software | undefined {
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
