/** Octets from hexadecimal text; blanks are for readability. */
export function hex(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text.replaceAll(/\s/g, ''), 'hex'));
}

/** 16 bits. */
export function u16(value: number): Uint8Array {
  return Uint8Array.of(value >> 8, value & 0xff);
}

/** A name's wire form from labels of plain letters: "www.example" or "" for the root. */
export function wireName(text: string): Uint8Array {
  const labels = text === '' ? [] : text.split('.');
  return join(
    ...labels.map((label) => join(Uint8Array.of(label.length), Buffer.from(label))),
    Uint8Array.of(0),
  );
}

export function join(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts));
}

/** A record: by default of the root, class IN, TTL 300, with the right RDLENGTH. */
export function record(
  type: number,
  rdata: Uint8Array,
  other: { owner?: Uint8Array; class?: number; ttl?: string; rdlength?: number } = {},
): Uint8Array {
  const { owner = wireName(''), class: recordClass = 1, ttl = '0000012c', rdlength = rdata.length } = other;
  return join(owner, u16(type), u16(recordClass), hex(ttl), u16(rdlength), rdata);
}

/** Sections of a handmade message; the counts are right unless given. */
interface Sections {
  readonly bits?: number;
  readonly question?: Uint8Array;
  readonly answer?: readonly Uint8Array[];
  readonly authority?: readonly Uint8Array[];
  readonly additional?: readonly Uint8Array[];
  readonly counts?: readonly [number, number, number, number];
}

/** A message with ID 0x1234, by default a NOERROR reply with AA. */
export function message(sections: Sections): Uint8Array {
  const { bits = 0x8400, question, answer = [], authority = [], additional = [] } = sections;
  const real = [question === undefined ? 0 : 1, answer.length, authority.length, additional.length];
  const counts = (sections.counts ?? real).map(u16);
  return join(u16(0x1234), u16(bits), ...counts, question ?? hex(''), ...answer, ...authority, ...additional);
}

/** Random numbers that are the same in every run: whole, from 0 to below the bound, from a seed (mulberry32). */
export function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
