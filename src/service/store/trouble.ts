/* Tells whether a failed statement means that the store is away or unusable, and puts that into words. */

import type { DegradedReason } from '../../document/api/service-documents.ts';
import { type DatabaseAddress, databaseName } from './database-url.ts';

/** Why a store cannot be used. */
export interface StoreTrouble {
  /** In a word that names nothing: for health. */
  readonly why: DegradedReason;
  /** In one line without credentials that names the store and says what to do: for the log and at start. */
  readonly reason: string;
  /** `fault`: somebody has to change a setting first. `away`: it may pass by itself. */
  readonly kind: 'fault' | 'away';
}

/** A statement that was not sent, or whose connection was closed, because the store is away. */
export class StoreAway extends Error {
  override readonly name = 'StoreAway';
}

/** A store that is there and cannot be used; the message says why, and contains nothing secret. */
export class UnusableStore extends Error {
  override readonly name = 'UnusableStore';
}

/** Whether a statement failed for want of a store that works. Any other error is a bug. */
export function isStoreTrouble(error: unknown): boolean {
  return known(error) !== undefined;
}

/** The trouble in an error, which may come from the server, the system or TLS. */
export function storeTrouble(error: unknown, address: DatabaseAddress): StoreTrouble {
  const trouble = known(error);
  const [why, told] = trouble ?? ['other', `reports: ${withoutPassword(error, address)}`];
  const kind = trouble === undefined || why === 'refused' ? 'fault' : 'away';
  return { why, kind, reason: `the store at ${databaseName(address)} ${told}` };
}

/** The result of asking the store; `away` if it cannot be reached. Rejects only for a bug. */
export async function reached<T>(ask: () => Promise<T>): Promise<T | 'away'> {
  try {
    return await ask();
  } catch (error) {
    if (!isStoreTrouble(error)) throw error;
    return 'away';
  }
}

type Known = readonly [why: DegradedReason, told: string];

function known(error: unknown): Known | undefined {
  const { code, message } = partsOf(error);
  if (error instanceof UnusableStore) return ['refused', message];
  if (error instanceof StoreAway) return AWAY;
  return CODES[code] ?? CLASSES[code.length === 5 ? code.slice(0, 2) : ''] ?? byMessage(message);
}

const AWAY: Known = ['unreachable', 'does not answer'];
const BROKEN: Known = ['unreachable', 'broke the connection'];
const NO_ROUTE: Known = ['unreachable', 'cannot be reached: no route to it'];
const PASSWORD: Known = ['refused', 'does not accept this user and password'];
const STARTING: Known = ['busy', 'is starting or stopping'];
const FULL: Known = ['disk', 'has no room on its disk'];
const UNTRUSTED: Known = [
  'refused',
  'has a certificate of an unknown issuer: name the file of the issuer in sslrootcert',
];

/** By the error codes of PostgreSQL (its manual, appendix A), of the system, and of TLS. */
const CODES: Readonly<Record<string, Known>> = {
  ECONNREFUSED: ['unreachable', 'cannot be reached: connection refused'],
  ENOENT: ['unreachable', 'cannot be reached: there is no such socket'],
  ENOTFOUND: ['unreachable', 'cannot be reached: no such host'],
  EAI_AGAIN: ['unreachable', 'cannot be reached: its name cannot be resolved now'],
  ETIMEDOUT: AWAY,
  EHOSTUNREACH: NO_ROUTE,
  ENETUNREACH: NO_ROUTE,
  ECONNRESET: BROKEN,
  EPIPE: BROKEN,
  ERR_TLS_CERT_ALTNAME_INVALID: ['refused', 'has a certificate for another name'],
  CERT_HAS_EXPIRED: ['refused', 'has a certificate that has expired'],
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  '25006': ['read-only', 'is read-only: name the primary server'],
  '28P01': PASSWORD,
  '28000': ['refused', 'does not let this user in from here, or only with TLS (pg_hba.conf)'],
  '3D000': ['refused', 'does not have that database'],
  '42501': ['refused', 'does not grant this role all that svc-deploy(7) lists'],
  '53100': FULL,
  '53200': ['out-of-memory', 'is out of memory'],
  '53300': ['busy', 'has no connection left for this role'],
  '55P03': ['busy', 'is held up by a lock'],
  '57P03': STARTING,
  // The tables are gone: somebody restores a backup, or has dropped them.
  '42P01': ['other', 'lacks a table of the service'],
};

/** By the class of PostgreSQL's error codes. */
const CLASSES: Readonly<Record<string, Known>> = {
  '08': BROKEN,
  '40': ['busy', 'has too many transactions in conflict'],
  '53': ['busy', 'has run out of a resource'],
  '57': STARTING,
  '58': FULL,
};

/** Trouble that only the text of the client's error tells. */
const MESSAGES: readonly (readonly [begin: RegExp, ...Known])[] = [
  [/^The server does not support SSL/, 'refused', 'does not speak TLS: leave out sslmode'],
  [/^(SASL|SCRAM-SERVER|password)/i, ...PASSWORD],
  [/terminated|Client has encountered a connection error|closed the connection/, ...BROKEN],
  [/^Client network socket disconnected/, ...BROKEN],
  [/timeout|timed out/i, ...AWAY],
];

function byMessage(message: string): Known | undefined {
  const row = MESSAGES.find(([begin]) => begin.test(message));
  return row && [row[1], row[2]];
}

function partsOf(error: unknown): { readonly code: string; readonly message: string } {
  if (!(error instanceof Error)) return { code: '', message: String(error) };
  return { code: 'code' in error ? String(error.code) : '', message: error.message };
}

/** A server may repeat its input. */
function withoutPassword(error: unknown, { password, user }: DatabaseAddress): string {
  const [line = ''] = partsOf(error).message.split('\n', 1);
  const secrets = [password, user].filter((one) => one !== undefined);
  return secrets.reduce((left, secret) => left.replaceAll(secret, '***'), line);
}
