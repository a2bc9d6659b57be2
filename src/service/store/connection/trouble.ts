import { type StoreAddress, storeName } from './store-url.ts';

/**
 * Why a store cannot be used, in one line that names it and says what to do: for the log, health and
 * start-up. No credentials are in it, though a server may repeat them.
 */
export function storeTrouble(error: unknown, address: StoreAddress): string {
  const words = knownWords(error);
  const told = words ?? withoutCredentials(partsOf(error).message.split('\n', 1)[0] ?? '', address);
  return `the store at ${storeName(address)} ${words === undefined ? `says: ${told}` : told}`;
}

/** Whether a command failed for want of a store that works. Anything else is a bug. */
export function isStoreTrouble(error: unknown): boolean {
  return knownWords(error) !== undefined;
}

function knownWords(error: unknown): string | undefined {
  const { code, message } = partsOf(error);
  return CODES[code] ?? REPLIES.find(([begin]) => begin.test(message))?.[1];
}

/** Troubles of the connection, by the system's code or that of TLS. */
const CODES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'cannot be reached: connection refused',
  ENOTFOUND: 'cannot be reached: no such host',
  EAI_AGAIN: 'cannot be reached: its name cannot be resolved now',
  ETIMEDOUT: 'cannot be reached: no answer',
  EHOSTUNREACH: 'cannot be reached: no route to it',
  ENETUNREACH: 'cannot be reached: no route to it',
  ECONNRESET: 'broke the connection; if it wants TLS, write rediss:// or valkeys://',
  EPIPE: 'broke the connection',
  ERR_SSL_WRONG_VERSION_NUMBER: 'does not speak TLS: write redis:// or valkey://',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'does not speak TLS: write redis:// or valkey://',
  ERR_TLS_CERT_ALTNAME_INVALID: 'has a certificate for another name',
  CERT_HAS_EXPIRED: 'has a certificate that has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT:
    'has a certificate that nobody vouches for: name its issuer in NODE_EXTRA_CA_CERTS',
  SELF_SIGNED_CERT_IN_CHAIN: 'has a certificate of an unknown issuer: name the issuer in NODE_EXTRA_CA_CERTS',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'has a certificate of an unknown issuer: name the issuer in NODE_EXTRA_CA_CERTS',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'has a certificate of an unknown issuer: name the issuer in NODE_EXTRA_CA_CERTS',
};

/** Troubles that the server, or the client's package, tells of in words. */
const REPLIES: readonly (readonly [RegExp, string])[] = [
  [/^(WRONGPASS|ERR invalid password)/, 'does not accept this user and password'],
  [/^(NOAUTH|ERR operation not permitted)/, 'wants a password'],
  [/^NOPERM/, 'does not permit this user what the service needs: all commands on keys and channels svc:*'],
  [/^(READONLY|UNBLOCKED)/, 'is a read-only replica: name the server that it copies'],
  [/^OOM/, 'is out of memory'],
  [/^MISCONF/, 'cannot write its data to disk'],
  [/^NOREPLICAS/, 'has too few replicas to accept writes'],
  [/^LOADING/, 'is still loading its data'],
  [/^BUSY /, 'is busy with a script'],
  [/^MASTERDOWN/, 'is a replica that has lost the server it copies'],
  [
    /^(CLUSTERDOWN|MOVED|ASK|CROSSSLOT)/,
    'is part of a cluster, which cannot be used: name a server that has all keys',
  ],
  [/^ERR max number of clients/, 'has no room for more connections'],
  [/^ERR DB index is out of range/, 'does not have that database'],
  [/^-?DENIED/, 'is in protected mode: it accepts only connections from its own host'],
  [/^Unknown RESP type/, 'does not speak the protocol of Redis'],
  [/^(Command timed out|connect ETIMEDOUT|Socket timeout)/, 'does not answer'],
  [/^(Connection is closed|Stream isn't writeable|Reached the max retries)/, 'cannot be reached'],
  [
    /^Client network socket disconnected before secure TLS/,
    'broke the connection; if it does not speak TLS, write redis:// or valkey://',
  ],
];

function partsOf(error: unknown): { readonly code: string; readonly message: string } {
  if (!(error instanceof Error)) return { code: '', message: String(error) };
  return { code: 'code' in error ? String(error.code) : '', message: error.message };
}

/** A server may repeat what it was sent, as Redis does with a command that it does not know. */
function withoutCredentials(text: string, { credentials }: StoreAddress): string {
  const secrets = [credentials?.password, credentials?.username].filter((one) => one !== undefined);
  return secrets.reduce((left, secret) => left.replaceAll(secret, '***'), text);
}
