import { quoted } from './character-string.ts';
import { base64Rest, type Field, ipv4, ipv6, quotedRest, u16 } from './decode-rdata-fields.ts';
import type { Reader } from './reader.ts';

/** The keys with a name of their own (RFC 9460 14.3.2, RFC 9461 5, RFC 9540 4); the place is the number. */
const KEYS: readonly { readonly name: string; readonly value?: Field }[] = [
  { name: 'mandatory', value: list(key) },
  { name: 'alpn', value: alpn },
  { name: 'no-default-alpn' },
  { name: 'port', value: u16 },
  { name: 'ipv4hint', value: list(ipv4) },
  { name: 'ech', value: base64Rest },
  { name: 'ipv6hint', value: list(ipv6) },
  { name: 'dohpath', value: quotedRest },
  { name: 'ohttp' },
];

/** The parameters of SVCB and HTTPS records, `alpn="h2,h3" port=8443` (RFC 9460 2.1). */
export const serviceParameters: Field = (data) => {
  const texts: string[] = [];
  for (let last = -1; data.remaining > 0; ) {
    const number = data.u16();
    // RFC 9460 2.2: each key once, in ascending order.
    if (number <= last) data.fail('service parameters out of order');
    texts.push(parameter(number, data.part(data.u16())));
    last = number;
  }
  return texts.join(' ');
};

function parameter(number: number, value: Reader): string {
  const known = KEYS[number] ?? { name: `key${number}`, value: opaque };
  const text = known.value?.(value);
  if (value.remaining > 0 || (known.value !== undefined && text === undefined)) {
    value.fail(`service parameter ${known.name} with a value of the wrong length`);
  }
  return text === undefined || text === '' ? known.name : `${known.name}=${text}`;
}

function key(value: Reader): string {
  const number = value.u16();
  return KEYS[number]?.name ?? `key${number}`;
}

function opaque(value: Reader): string | undefined {
  return value.remaining === 0 ? '' : quotedRest(value);
}

/** RFC 9460 7.1.1: identifiers behind their lengths; A.1: a comma or backslash in one is escaped, then all of it again. */
function alpn(value: Reader): string | undefined {
  const octets: number[] = [];
  while (value.remaining > 0) {
    if (octets.length > 0) octets.push(COMMA);
    const length = value.u8();
    if (length === 0) return undefined;
    for (const octet of value.octets(length)) {
      octets.push(...(octet === COMMA || octet === BACKSLASH ? [BACKSLASH, octet] : [octet]));
    }
  }
  return octets.length === 0 ? undefined : quoted(Uint8Array.from(octets));
}

const COMMA = 0x2c;
const BACKSLASH = 0x5c;

function list(item: Field): Field {
  return (value) => {
    const texts: (string | undefined)[] = [];
    while (value.remaining > 0) texts.push(item(value));
    return texts.length === 0 ? undefined : texts.join(',');
  };
}
