import fc from 'fast-check';
import { typeCode } from '../../src/dns/codes.ts';
import { hex, join, u16 } from '../dns/message-bytes.ts';
import { rdataRows } from '../dns/rdata-rows.ts';
import { labels } from './names.ts';
import { mutated } from './octets.ts';

/**
 * DNS messages as octets: sections with records of every type, names that point to any name of the
 * message (earlier, later, themselves), counts and lengths that are wrong; some with octets changed.
 */
export function wireMessages(): fc.Arbitrary<Uint8Array> {
  const whole = fc
    .record({
      id: fc.constantFrom(0x1234, 0),
      bits: fc.oneof(fc.constantFrom(0x8400, 0x8000, 0x8403, 0x8380), fc.nat(0xffff)),
      questions: fc.array(question(), { maxLength: 1 }),
      sections: fc.tuple(section(), section(), section()),
      opt: fc.option(options()),
      miscount: rarely(fc.tuple(fc.nat(3), fc.oneof(fc.nat(3), fc.nat(0xffff)))),
    })
    .map(assembled);
  return mutated(whole);
}

/** Octets, and places where a pointer to the name of a number goes. */
type Piece = Uint8Array | Pointer | 'name starts';

/** `back`: that many names before this one, if there are; else one of all by its number. */
type Pointer = { readonly back: number } | { readonly to: number };

function question(): fc.Arbitrary<readonly Piece[]> {
  const type = fc.constantFrom(1, 2, 5, 28, 255, 41, 65_280);
  return fc
    .tuple(namePieces(), type, fc.constantFrom(1, 1, 1, 3, 255))
    .map(([name, code, own]) => [...name, u16(code), u16(own)]);
}

function section(): fc.Arbitrary<readonly (readonly Piece[])[]> {
  return fc.array(record(), { maxLength: 6 });
}

/** A name: labels, then the root, a pointer, or an octet that begins neither label nor pointer. */
function namePieces(): fc.Arbitrary<readonly Piece[]> {
  return fc
    .tuple(
      fc.array(labels, { maxLength: 3 }),
      fc.oneof(
        { weight: 40, arbitrary: fc.constant<Piece>(Uint8Array.of(0)) },
        { weight: 4, arbitrary: fc.nat(30).map((to): Piece => ({ to })) },
        { weight: 1, arbitrary: fc.nat(0xff).map((octet): Piece => Uint8Array.of(octet)) },
      ),
    )
    .map(([all, end]): readonly Piece[] => ['name starts', ...all.flatMap((label) => counted(label)), end]);
}

function counted(label: Uint8Array): readonly Piece[] {
  return [Uint8Array.of(label.length), label, 'name starts'];
}

const rows = rdataRows.map(([type, rdata]) => ({ code: typeCode(type) ?? 0, rdata: hex(rdata) }));

/** Data of the right form, names that point anywhere, or any octets. */
function data(): fc.Arbitrary<{ readonly code: number; readonly pieces: readonly Piece[] }> {
  return fc.oneof(
    fc.constantFrom(...rows).map(({ code, rdata }) => ({ code, pieces: [rdata] })),
    fc
      .tuple(fc.constantFrom(2, 5, 39, 12, 15, 6, 33, 47, 64, 46), fc.array(namePieces(), { maxLength: 2 }))
      .chain(([code, all]) =>
        fc.uint8Array({ maxLength: 22 }).map((rest) => ({ code, pieces: [...all.flat(), rest] })),
      ),
    fc
      .tuple(
        fc.oneof(fc.constantFrom(...rows.map(({ code }) => code)), fc.nat(0xffff)),
        fc.uint8Array({ maxLength: 30 }),
      )
      .map(([code, octets]) => ({ code, pieces: [octets] })),
  );
}

function record(): fc.Arbitrary<readonly Piece[]> {
  return fc
    .record({
      owner: namePieces(),
      data: data(),
      own: fc.oneof({ weight: 8, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.nat(0xffff) }),
      ttl: fc.oneof(fc.constantFrom('00000000', '0000012c', '7fffffff', '80000000', 'ffffffff')),
      wrong: fc.oneof(
        { weight: 60, arbitrary: fc.constant(0) },
        { weight: 1, arbitrary: fc.integer({ min: -3, max: 3 }) },
      ),
    })
    .map(({ owner, data: { code, pieces }, own, ttl, wrong }) => {
      const length = pieces.reduce((sum, piece) => sum + sizeOf(piece), 0);
      return [...owner, u16(code), u16(own), hex(ttl), u16((length + wrong) & 0xffff), ...pieces];
    });
}

/** An OPT record whose options may be cut short. */
function options(): fc.Arbitrary<readonly Piece[]> {
  const option = fc
    .tuple(fc.nat(20), fc.uint8Array({ maxLength: 8 }), rarely(fc.integer({ min: -1, max: 2 })))
    .map(([code, octets, wrong]) => join(u16(code), u16(Math.max(0, octets.length + (wrong ?? 0))), octets));
  return fc
    .tuple(
      fc.nat(0xffff),
      fc.constantFrom('00000000', '00008000', '01000000', '00010000', 'ffffffff'),
      fc.array(option, { maxLength: 3 }),
    )
    .map(([payload, ttl, all]) => {
      const octets = join(...all);
      return [Uint8Array.of(0), u16(41), u16(payload), hex(ttl), u16(octets.length), octets];
    });
}

interface Parts {
  readonly id: number;
  readonly bits: number;
  readonly questions: readonly (readonly Piece[])[];
  readonly sections: readonly [Records, Records, Records];
  readonly opt: readonly Piece[] | null;
  readonly miscount: readonly [number, number] | null;
}

type Records = readonly (readonly Piece[])[];

function assembled({ id, bits, questions, sections, opt, miscount }: Parts): Uint8Array {
  const [answer, authority, additional] = sections;
  const all = [questions, answer, authority, opt === null ? additional : [...additional, opt]];
  const counts = all.map(({ length }, at) => (miscount?.[0] === at ? miscount[1] : length));
  return laidOut([u16(id), u16(bits), ...counts.map(u16), ...all.flat(2)]);
}

/** The octets in order, with the offset of a name in each pointer. */
function laidOut(pieces: readonly Piece[]): Uint8Array {
  const starts: number[] = [];
  let at = 0;
  for (const piece of pieces) {
    if (piece === 'name starts') starts.push(at);
    at += sizeOf(piece);
  }
  let met = 0;
  return join(
    ...pieces.map((piece) => {
      if (piece === 'name starts') met += 1;
      if (piece === 'name starts') return new Uint8Array();
      return piece instanceof Uint8Array ? piece : u16(0xc000 | targetOf(piece, starts, met));
    }),
  );
}

function targetOf(pointer: Pointer, starts: readonly number[], met: number): number {
  const number = 'back' in pointer ? Math.max(0, met - 2 - pointer.back) : pointer.to % starts.length;
  return starts[number] ?? 0;
}

function sizeOf(piece: Piece): number {
  if (piece === 'name starts') return 0;
  return piece instanceof Uint8Array ? piece.length : 2;
}

function rarely<T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.oneof({ weight: 15, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: values });
}
