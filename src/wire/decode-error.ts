/** Why octets are not a DNS message; the only thing the decoder throws. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
  /** Where in the message, in octets from its start. */
  readonly offset: number;

  constructor(reason: string, offset: number) {
    super(`${reason} (octet ${offset})`);
    this.offset = offset;
  }
}
