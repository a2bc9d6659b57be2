/**
 * The rcodes that a message's header can carry, its extended bits included, as IANA names them.
 * The registry's 17 to 22 (BADKEY, ...) occur only in the error field of TSIG and TKEY records.
 */
const RCODES: Readonly<Record<number, string>> = {
  0: 'NOERROR',
  1: 'FORMERR',
  2: 'SERVFAIL',
  3: 'NXDOMAIN',
  4: 'NOTIMP',
  5: 'REFUSED',
  6: 'YXDOMAIN',
  7: 'YXRRSET',
  8: 'NXRRSET',
  9: 'NOTAUTH',
  10: 'NOTZONE',
  11: 'DSOTYPENI',
  16: 'BADVERS',
  23: 'BADCOOKIE',
};

const CODES = new Map(Object.entries(RCODES).map(([code, mnemonic]) => [mnemonic, Number(code)]));

/** Replies of servers that do not know EDNS (RFC 6891 7), or not our version of it (6.1.3). */
const REJECTS_EDNS: ReadonlySet<string> = new Set(['FORMERR', 'NOTIMP', 'BADVERS']);

/** Whether the rcode says that a server does not accept EDNS, so that the query is worth repeating without. */
export function rejectsEdns(rcode: string): boolean {
  return REJECTS_EDNS.has(rcode);
}

/** The mnemonic of an rcode (0 to 4095), else "RCODE17". */
export function rcodeName(code: number): string {
  return RCODES[code] ?? `RCODE${code}`;
}

/** The code of an rcode's mnemonic or of "RCODE17"; undefined for any other text, and above 4095. */
export function rcodeCode(name: string): number | undefined {
  const known = CODES.get(name);
  if (known !== undefined) return known;
  const digits = /^RCODE(\d{1,4})$/.exec(name)?.[1];
  return digits !== undefined && Number(digits) <= 4095 ? Number(digits) : undefined;
}
