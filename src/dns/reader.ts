import { LABEL_TEXT, LABEL_TEXT_AS_SENT, MAX_LABEL, MAX_NAME, type Name, ROOT } from './name.ts';

/**
 * Reads a message, or one record's data in it, from left to right. No read goes past the end: it
 * throws instead, for a message a DecodeError with reason and place, for record data MISFIT.
 */
export class Reader {
  readonly #source: Source;
  readonly #end: number;
  readonly #start: number;
  readonly #hops: number;
  readonly #within: Within;
  #at: number;

  private constructor(source: Source, start: number, end: number, within: Within = 'message', hops = 0) {
    this.#source = source;
    this.#start = start;
    this.#at = start;
    this.#end = end;
    this.#hops = hops;
    this.#within = within;
  }

  /** A reader of a whole message. */
  static of(bytes: Uint8Array): Reader {
    const source = { bytes, pointedTo: new Map(), octetsToUnfold: mayUnfold(bytes.length) };
    return new Reader(source, 0, bytes.length);
  }

  /** A reader of a whole message that has been read without an error: it need not be bounded once more. */
  static again(bytes: Uint8Array): Reader {
    const source = { bytes, pointedTo: new Map(), octetsToUnfold: Number.POSITIVE_INFINITY };
    return new Reader(source, 0, bytes.length);
  }

  /** A reader of one record's data without their message, to tell what is wrong with them. No name in them is compressed. */
  static alone(bytes: Uint8Array): Reader {
    const source = { bytes, pointedTo: new Map(), octetsToUnfold: 0 };
    return new Reader(source, 0, bytes.length, 'data-alone');
  }

  /** Another reader of the same, from this octet of the message on. */
  at(offset: number): Reader {
    return new Reader(this.#source, offset, this.#end, this.#within);
  }

  /** The octet of the message that is read next. */
  get offset(): number {
    return this.#at;
  }

  /** Octets left to read. */
  get remaining(): number {
    return this.#end - this.#at;
  }

  u8(): number {
    return this.#octet(this.#advance(1));
  }

  u16(): number {
    const at = this.#advance(2);
    return (this.#octet(at) << 8) | this.#octet(at + 1);
  }

  u32(): number {
    return this.u16() * 0x1_0000 + this.u16();
  }

  /** Passes over octets. */
  skip(length: number): void {
    this.#advance(length);
  }

  /** Passes over a name. */
  skipName(): void {
    for (let length = this.u8(); length !== 0; length = this.u8()) {
      this.#advance(length > MAX_LABEL ? 1 : length);
      if (length > MAX_LABEL) return;
    }
  }

  /** The next octets, as a view. */
  octets(length: number): Uint8Array {
    const at = this.#advance(length);
    return this.#source.bytes.subarray(at, at + length);
  }

  /** A reader of the next octets only. Names in them may still point to earlier octets of the message. */
  part(length: number): Reader {
    const at = this.#advance(length);
    return new Reader(this.#source, at, at + length, this.#within);
  }

  /** The same, of a record's data. */
  data(length: number): Reader {
    const at = this.#advance(length);
    return new Reader(this.#source, at, at + length, 'data');
  }

  /** All octets, read or not, as a view. */
  whole(): Uint8Array {
    return this.#source.bytes.subarray(this.#start, this.#end);
  }

  /** A name, compressed or not (RFC 1035 4.1.4). */
  name(): Name {
    return this.#unfold(LABEL_TEXT).text as Name;
  }

  /** A name where RFC 3597 4 forbids compression. */
  uncompressedName(): Name {
    return this.#uncompressed(LABEL_TEXT) as Name;
  }

  /** A name escaped like a Name, but with its letters' case as it is on the wire. */
  nameAsSent(): string {
    return this.#unfold(LABEL_TEXT_AS_SENT).text;
  }

  /** The same where RFC 3597 4 forbids compression. */
  uncompressedNameAsSent(): string {
    return this.#uncompressed(LABEL_TEXT_AS_SENT);
  }

  /** Throws a DecodeError with reason and place; for record data MISFIT. */
  fail(reason: string): never {
    if (this.#within === 'data') throw MISFIT;
    throw new DecodeError(reason, this.#at);
  }

  #uncompressed(letters: readonly string[]): string {
    const start = this.#at;
    const { text, octets } = this.#unfold(letters);
    return octets === this.#at - start ? text : this.fail(`${COMPRESSED} where none is allowed`);
  }

  #unfold(letters: readonly string[]): Unfolded {
    const start = this.#at;
    let text = '';
    let octets = 1;
    for (let length = this.u8(); length !== 0; length = this.u8()) {
      if (length > MAX_LABEL) {
        const tail = this.#pointedTo(length, start);
        text = text !== '' && tail.text === ROOT ? text : text + tail.text;
        return { text, octets: this.#checked(octets - 1 + tail.octets) };
      }
      octets = this.#checked(octets + length + 1);
      text += this.#label(length, letters);
    }
    return { text: text === '' ? ROOT : text, octets };
  }

  #label(length: number, letters: readonly string[]): string {
    const at = this.#advance(length);
    let text = '';
    for (let i = at; i < at + length; i += 1) text += letters[this.#octet(i)];
    return `${text}.`;
  }

  #checked(octets: number): number {
    return octets > MAX_NAME ? this.fail(`name longer than ${MAX_NAME} octets`) : octets;
  }

  /** The name that a pointer points to: it must begin before the name with the pointer does. */
  #pointedTo(first: number, before: number): Unfolded {
    if (first < 0xc0) this.fail('label of unknown kind');
    if (this.#within === 'data-alone') this.fail(COMPRESSED);
    const target = ((first & 0x3f) << 8) | this.u8();
    if (target < HEADER_OCTETS || target >= before)
      this.fail('compression pointer that does not point backwards');
    if (this.#hops === MAX_HOPS) this.fail('too many compression pointers in a row');
    const known = this.#source.pointedTo.get(target);
    if (known !== undefined) return this.#charged(known);
    this.#charge(HOP_COST);
    const behind = new Reader(this.#source, target, before, this.#within, this.#hops + 1);
    const name = behind.#unfold(LABEL_TEXT);
    this.#source.pointedTo.set(target, name);
    return this.#charged(name);
  }

  #charged(name: Unfolded): Unfolded {
    this.#charge(name.octets);
    return name;
  }

  /** Too much in total is a fault of the message, whichever record's data exceed it. */
  #charge(octets: number): void {
    this.#source.octetsToUnfold -= octets;
    if (this.#source.octetsToUnfold >= 0) return;
    throw new DecodeError('compression pointers that unfold to too much', this.#at);
  }

  /** Moves on by that many octets and gives the offset of the first. */
  #advance(length: number): number {
    const at = this.#at;
    if (length > this.#end - at)
      this.fail(`${this.#within === 'message' ? 'message' : 'data'} too short for what it announces`);
    this.#at = at + length;
    return at;
  }

  #octet(at: number): number {
    return this.#source.bytes[at] ?? 0;
  }
}

/** The reason of a reader of data alone that meets a compressed name. */
export const COMPRESSED = 'compressed name';

/** What is read: a message, one record's data in it, or such data without their message. */
type Within = 'message' | 'data' | 'data-alone';

/** Why octets are not a DNS message. The decoder throws nothing else. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
  /** Octets from the start of the message. */
  readonly offset: number;

  constructor(reason: string, offset: number) {
    super(`${reason} (octet ${offset})`);
    this.offset = offset;
  }
}

/** A message's question follows its header of so many octets (RFC 1035 4.1.1). */
export const HEADER_OCTETS = 12;
/** A name has at most 127 labels, and a useful pointer follows at least one label. */
const MAX_HOPS = 128;
/** How many octets a message's pointers may unfold to in all: far more than an honest message needs. */
const mayUnfold = (length: number) => 65_536 + 16 * length;

/** What following a pointer for the first time costs, in the same octets: it may lead to no name at all. */
const HOP_COST = 64;

/** A name and its length on the wire, uncompressed. */
interface Unfolded {
  readonly text: string;
  readonly octets: number;
}

/** What all readers of one message share. */
interface Source {
  readonly bytes: Uint8Array;
  /** The names that pointers led to, by offset, so that each is read only once. */
  readonly pointedTo: Map<number, Unfolded>;
  octetsToUnfold: number;
}

/**
 * Thrown where a record's data do not fit their type. It is always the same object, because creating
 * an error for each record of a message costs many times what reading the records does.
 */
export const MISFIT = new DecodeError('record data that do not fit their type', 0);
