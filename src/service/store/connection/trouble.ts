import type { DegradedReason } from '../../../document/api/service-documents.ts';
import { type StoreAddress, storeName } from './store-url.ts';

/** Why a store cannot be used. */
interface StoreTrouble {
  /** In a word that names nothing: for health. */
  readonly why: DegradedReason;
  /**
   * In one line that names the store and says what to do: for the log and start-up. No credentials are in it, though a server may
   * repeat them.
   */
  readonly reason: string;
}

/** Why a store cannot be used that could be. */
export function storeTrouble(error: unknown, address: StoreAddress): StoreTrouble {
  const known = knownTrouble(error);
  const told = known?.[1] ?? `says: ${withoutCredentials(firstLine(error), address)}`;
  return { why: known?.[0] ?? 'other', reason: `the store at ${storeName(address)} ${told}` };
}

/** Why a store cannot be used that never could: maybe it was asked in the wrong way. One line, as `storeTrouble` has it. */
export function startTrouble(error: unknown, address: StoreAddress): string {
  const { reason } = storeTrouble(error, address);
  const { code, message } = partsOf(error);
  if (address.encrypted) return IN_TLS.test(`${code} ${message}`) ? `${reason}; ${TRY_PLAIN}` : reason;
  return IN_PLAIN.test(code) ? `${reason}; ${TRY_TLS}` : reason;
}

/** Whether a command failed for want of a store that works. Anything else is a bug. */
export function isStoreTrouble(error: unknown): boolean {
  return knownTrouble(error) !== undefined;
}

/** A server that is asked in TLS and does not speak it waits for the end of the line, or breaks the connection. */
const IN_TLS = /ETIMEDOUT|ECONNRESET|EPIPE|disconnected before secure TLS/;
const TRY_PLAIN = 'if it does not speak TLS, write redis:// or valkey://';

/** A server that wants TLS and is asked without breaks the connection. */
const IN_PLAIN = /^(ECONNRESET|EPIPE)$/;
const TRY_TLS = 'if it wants TLS, write rediss:// or valkeys://';

type Known = readonly [why: DegradedReason, told: string];

function knownTrouble(error: unknown): Known | undefined {
  const { code, message } = partsOf(error);
  const reply = REPLIES.find(([begin]) => begin.test(message));
  return CODES[code] ?? (reply && [reply[1], reply[2]]);
}

const UNKNOWN_ISSUER: Known = [
  'refused',
  'has a certificate of an unknown issuer: name the issuer in NODE_EXTRA_CA_CERTS',
];
const NO_ROUTE: Known = ['unreachable', 'cannot be reached: no route to it'];
const NO_TLS: Known = ['refused', 'does not speak TLS: write redis:// or valkey://'];

/** Troubles of the connection, by the system's code or that of TLS. */
const CODES: Readonly<Record<string, Known>> = {
  ECONNREFUSED: ['unreachable', 'cannot be reached: connection refused'],
  ENOTFOUND: ['unreachable', 'cannot be reached: no such host'],
  EAI_AGAIN: ['unreachable', 'cannot be reached: its name cannot be resolved now'],
  ETIMEDOUT: ['unreachable', 'cannot be reached: no answer'],
  EHOSTUNREACH: NO_ROUTE,
  ENETUNREACH: NO_ROUTE,
  ECONNRESET: ['unreachable', 'broke the connection'],
  EPIPE: ['unreachable', 'broke the connection'],
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
  ERR_TLS_CERT_ALTNAME_INVALID: ['refused', 'has a certificate for another name'],
  CERT_HAS_EXPIRED: ['refused', 'has a certificate that has expired'],
  DEPTH_ZERO_SELF_SIGNED_CERT: [
    'refused',
    'has a certificate that nobody vouches for: name its issuer in NODE_EXTRA_CA_CERTS',
  ],
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_ISSUER,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_ISSUER,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_ISSUER,
};

/** Troubles that the server, or the client's package, tells of in words. */
const REPLIES: readonly (readonly [begin: RegExp, ...Known])[] = [
  [/^(WRONGPASS|ERR invalid password)/, 'refused', 'does not accept this user and password'],
  [/^(NOAUTH|ERR operation not permitted)/, 'refused', 'wants a password'],
  [
    /^NOPERM/,
    'refused',
    'does not permit this user what the service needs: all commands on keys and channels svc:*',
  ],
  [/^(READONLY|UNBLOCKED)/, 'read-only', 'is a read-only replica: name the server that it copies'],
  [/^OOM/, 'out-of-memory', 'is out of memory'],
  [/^MISCONF/, 'disk', 'cannot write its data to disk'],
  [/^NOREPLICAS/, 'read-only', 'has too few replicas to accept writes'],
  [/^LOADING/, 'busy', 'is still loading its data'],
  [/^BUSY /, 'busy', 'is busy with a script'],
  [/^MASTERDOWN/, 'read-only', 'is a replica that has lost the server it copies'],
  [
    /^(CLUSTERDOWN|MOVED|ASK|CROSSSLOT)/,
    'refused',
    'is part of a cluster, which cannot be used: name a server that has all keys',
  ],
  [/^ERR max number of clients/, 'refused', 'has no room for more connections'],
  [/^ERR DB index is out of range/, 'refused', 'does not have that database'],
  [/^-?DENIED/, 'refused', 'is in protected mode: it accepts only connections from its own host'],
  [/^Unknown RESP type/, 'refused', 'does not speak the protocol of Redis'],
  [/^(Command timed out|connect ETIMEDOUT|Socket timeout)/, 'unreachable', 'does not answer'],
  [
    /^(Connection is closed|Stream isn't writeable|Reached the max retries)/,
    'unreachable',
    'cannot be reached',
  ],
  [/^Client network socket disconnected before secure TLS/, 'unreachable', 'broke the connection'],
];

function partsOf(error: unknown): { readonly code: string; readonly message: string } {
  if (!(error instanceof Error)) return { code: '', message: String(error) };
  return { code: 'code' in error ? String(error.code) : '', message: error.message };
}

function firstLine(error: unknown): string {
  return partsOf(error).message.split('\n', 1)[0] ?? '';
}

/** A server may repeat what it was sent, as Redis does with a command that it does not know. */
function withoutCredentials(text: string, { credentials }: StoreAddress): string {
  const secrets = [credentials?.password, credentials?.username].filter((one) => one !== undefined);
  return secrets.reduce((left, secret) => left.replaceAll(secret, '***'), text);
}

/** What is asked of the store; `away` if it cannot be reached. Rejects only for a bug. */
export async function reached<T>(what: () => Promise<T>): Promise<T | 'away'> {
  try {
    return await what();
  } catch (error) {
    if (!isStoreTrouble(error)) throw error;
    return 'away';
  }
}
