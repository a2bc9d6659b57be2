import { labelsOf, type Name, parentOf, ROOT } from './name.ts';

/**
 * Writes a message from left to right and compresses names. Throws RangeError for a number that
 * does not fit its field.
 */
export class Writer {
  #octets = new Uint8Array(512);
  #view = new DataView(this.#octets.buffer);
  #length = 0;
  /** Where each name, and each name above it, was first written. */
  readonly #written = new Map<Name, number>();

  /** Octets written so far. */
  get length(): number {
    return this.#length;
  }

  u8(value: number): void {
    const at = this.#reserve(1);
    this.#view.setUint8(at, checked(value, 0xff));
  }

  u16(value: number): void {
    const at = this.#reserve(2);
    this.#view.setUint16(at, checked(value, 0xffff));
  }

  u32(value: number): void {
    const at = this.#reserve(4);
    this.#view.setUint32(at, checked(value, 0xffff_ffff));
  }

  octets(octets: Uint8Array): void {
    const at = this.#reserve(octets.length);
    this.#octets.set(octets, at);
  }

  /** A name: its labels until the rest is in the message already, then a pointer to that. */
  name(name: Name): void {
    let rest = name;
    for (const label of labelsOf(name)) {
      const target = this.#written.get(rest);
      if (target !== undefined) {
        this.u16(0xc000 | target);
        return;
      }
      this.#remember(rest, this.#length);
      this.u8(label.length);
      this.octets(label);
      rest = parentOf(rest) ?? ROOT;
    }
    this.u8(0);
  }

  /** Labels unchanged and uncompressed. Later names may point to them as to `name`, if that is given. */
  labels(labels: readonly Uint8Array[], name?: Name): void {
    let rest = name;
    for (const label of labels) {
      if (rest !== undefined) {
        this.#remember(rest, this.#length);
        rest = parentOf(rest);
      }
      this.u8(label.length);
      this.octets(label);
    }
    this.u8(0);
  }

  /** Data preceded by their length in 16 bits. */
  counted(write: () => void): void {
    const at = this.#length;
    this.u16(0);
    write();
    this.setU16(at, this.#length - at - 2);
  }

  /** Overwrites 16 bits that were written before. */
  setU16(at: number, value: number): void {
    this.#view.setUint16(at, checked(value, 0xffff));
  }

  /** Takes back what was written from an offset on. */
  cutBackTo(length: number): void {
    this.#length = length;
    for (const [name, at] of this.#written) if (at >= length) this.#written.delete(name);
  }

  /** A copy of what was written. */
  toBytes(): Uint8Array {
    return this.#octets.slice(0, this.#length);
  }

  #remember(name: Name, at: number): void {
    if (at <= LAST_TARGET && !this.#written.has(name)) this.#written.set(name, at);
  }

  /** Makes room for that many octets and gives the offset of the first. */
  #reserve(length: number): number {
    const at = this.#length;
    this.#length += length;
    if (this.#length > this.#octets.length) {
      const grown = new Uint8Array(Math.max(this.#length, 2 * this.#octets.length));
      grown.set(this.#octets);
      this.#octets = grown;
      this.#view = new DataView(grown.buffer);
    }
    return at;
  }
}

/** The greatest offset that a compression pointer can hold (RFC 1035 4.1.4). */
const LAST_TARGET = 0x3fff;

/** A DataView would write the low bits of a number that does not fit. */
function checked(value: number, most: number): number {
  if (Number.isInteger(value) && value >= 0 && value <= most) return value;
  throw new RangeError(`${value} is not a whole number from 0 to ${most}`);
}
