import { parseAddress } from './address.ts';

/** What people write in place of a name, and the name they mean. */
export type MistakenName =
  /** In canonical text: they mean its reverse name, or whatever has that address. */
  | { readonly kind: 'address'; readonly address: string }
  | { readonly kind: 'url' | 'port' | 'e-mail'; readonly host: string };

/** What else than a name a text is; undefined if it may be one. */
export function mistakenName(text: string): MistakenName | undefined {
  const address = parseAddress(text);
  if (address !== undefined) return { kind: 'address', address };
  if (text.includes('://') && URL.canParse(text)) return { kind: 'url', host: new URL(text).hostname };
  const [, host] = /^([^:\\]+):\d{1,5}$/.exec(text) ?? [];
  if (host !== undefined) return { kind: 'port', host };
  const [, domain] = /^[^@\\\s]+@([^@\\\s]+)$/.exec(text) ?? [];
  return domain === undefined ? undefined : { kind: 'e-mail', host: domain };
}
