import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';

/** Where a database is, and the role that connects to it. */
export interface DatabaseAddress {
  /** A name, an address without brackets, or the directory of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  /** Absent: the server asks for none. */
  readonly password?: string;
  /** `false`: without TLS. */
  readonly ssl: false | ConnectionOptions;
}

/** The address in a URL, or the fault of the URL. The reason has no part of the URL, which may hold a password. */
type DatabaseUrlRead =
  | { readonly kind: 'address'; readonly address: DatabaseAddress }
  | { readonly kind: 'invalid'; readonly reason: string };

const FORM = 'postgres://USER:PASSWORD@HOST[:PORT]/DATABASE[?sslmode=...]';

const USUAL_PORT = 5_432;

/** The parameters of a URL, as libpq names them. */
const PARAMETERS = ['host', 'sslmode', 'sslrootcert'];

/** Reads `postgres://USER[:PASSWORD]@HOST[:PORT]/DATABASE`, with the parameters `host`, `sslmode` and `sslrootcert`. */
export function readDatabaseUrl(text: string): DatabaseUrlRead {
  if (!/^postgres(ql)?:\/\//.test(text)) return invalid('must begin with postgres:// or postgresql://');
  if (!URL.canParse(text)) return invalid(`must be ${FORM}`);
  const { hostname, port, pathname, username, password, searchParams, hash } = new URL(text);
  const unknown = [...searchParams.keys()].some((name) => !PARAMETERS.includes(name));
  if (unknown || hash !== '') return invalid(`may end with the parameters ${PARAMETERS.join(', ')} only`);
  const [user, secret, database, named] = [username, password, pathname.slice(1), hostname].map(decoded);
  if (user === undefined || secret === undefined || database === undefined || named === undefined)
    return invalid('has a % that should be %25');
  const host = searchParams.get('host') ?? named.replace(/^\[(.*)\]$/, '$1');
  if (host === '' || user === '' || database === '' || database.includes('/'))
    return invalid(`must name a user, a host and a database: ${FORM}`);
  if (port === '0') return invalid('names port 0');
  const ssl = tlsOf(searchParams.get('sslmode') ?? 'disable', searchParams.get('sslrootcert'));
  if (typeof ssl === 'string') return invalid(ssl);
  const where = { host, port: port === '' ? USUAL_PORT : Number(port), database, user, ssl };
  return { kind: 'address', address: { ...where, ...(secret !== '' && { password: secret }) } };
}

/** The address for people to read: without user and password. */
export function databaseName({ host, port, database }: DatabaseAddress): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}/${database}`;
}

/** TLS as libpq's `sslmode` has it (PostgreSQL manual, 34.19.3), or the fault of the parameters. */
function tlsOf(mode: string, rootFile: string | null): DatabaseAddress['ssl'] | string {
  const ca = rootFile === null ? undefined : unlessItThrows(() => readFileSync(rootFile, 'utf8'));
  if (rootFile !== null && ca === undefined) return 'names an sslrootcert that cannot be read';
  const trusted = ca === undefined ? {} : { ca };
  switch (mode) {
    case 'disable':
      return false;
    case 'require':
      // As in libpq, a root certificate makes it check the server's.
      return ca === undefined ? { rejectUnauthorized: false } : { ca, checkServerIdentity: () => undefined };
    case 'verify-ca':
      return { ...trusted, checkServerIdentity: () => undefined };
    case 'verify-full':
      return trusted;
  }
  return 'must have an sslmode of disable, require, verify-ca or verify-full';
}

function decoded(text: string): string | undefined {
  return unlessItThrows(() => decodeURIComponent(text));
}

function unlessItThrows<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

function invalid(reason: string): DatabaseUrlRead {
  return { kind: 'invalid', reason };
}
