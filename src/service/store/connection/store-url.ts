/** Where a store is, and how to be let in. */
export interface StoreAddress {
  /** A name or an address, without brackets. */
  readonly host: string;
  readonly port: number;
  /** The number of the database. */
  readonly db: number;
  readonly encrypted: boolean;
  readonly credentials?: StoreCredentials;
}

interface StoreCredentials {
  /** Absent: the default user. */
  readonly username?: string;
  readonly password: string;
}

/** What an address says, or what is wrong with it. The reason contains nothing of the address, which may hold a password. */
type StoreUrlRead =
  | { readonly kind: 'address'; readonly address: StoreAddress }
  | { readonly kind: 'invalid'; readonly reason: string };

const SCHEMES: Readonly<Record<string, { readonly encrypted: boolean }>> = {
  'redis:': { encrypted: false },
  'valkey:': { encrypted: false },
  'rediss:': { encrypted: true },
  'valkeys:': { encrypted: true },
};

const USUAL_PORT = 6_379;

/** Databases have numbers; few servers have more than 16. */
const DATABASE = /^\/?(\d{0,5})$/;

/** Reads `redis[s]://[[USER]:PASSWORD@]HOST[:PORT][/DB]`, or the same with `valkey[s]`. */
export function readStoreUrl(text: string): StoreUrlRead {
  if (!URL.canParse(text)) return invalid('must be redis[s]://[USER:PASSWORD@]HOST[:PORT][/DB]');
  const url = new URL(text);
  const scheme = SCHEMES[url.protocol];
  if (scheme === undefined) return invalid('must begin with redis://, rediss://, valkey:// or valkeys://');
  if (url.hostname === '') return invalid('names no host');
  if (url.port === '0') return invalid('names port 0');
  if (url.search !== '' || url.hash !== '') return invalid('must end after the number of the database');
  const db = DATABASE.exec(url.pathname)?.[1];
  if (db === undefined) return invalid('must end with the number of a database, if with anything');
  if (url.password === '' && url.username !== '') return invalid('has a user, but no password');
  const [username, password] = [decoded(url.username), decoded(url.password)];
  if (username === undefined || password === undefined)
    return invalid('has a % in its user or password that should be %25');
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const where = { host, port: url.port === '' ? USUAL_PORT : Number(url.port), db: Number(db) };
  return { kind: 'address', address: { ...where, ...scheme, ...credentialsOf(username, password) } };
}

/** The address for people to read: without user and password. */
export function storeName({ host, port }: StoreAddress): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

function credentialsOf(username: string, password: string): Pick<StoreAddress, 'credentials'> {
  if (password === '') return {};
  return { credentials: username === '' ? { password } : { username, password } };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function invalid(reason: string): StoreUrlRead {
  return { kind: 'invalid', reason };
}
