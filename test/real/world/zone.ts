/** A zone as one server has it. Two servers may have different contents: one is stale. */
export type Zone =
  | {
      readonly kind: 'loaded';
      readonly origin: string;
      readonly text: string;
      /** What PowerDNS has to be told besides; absent: the zone is not signed. */
      readonly signing?: Signing;
      /** What BIND has to be told besides; absent: the zone takes no dynamic updates. */
      readonly updateKey?: UpdateKey;
    }
  /** Configured, but its file is not there: a secondary that never got a transfer. */
  | { readonly kind: 'lost'; readonly origin: string };

/** The name of the TSIG key that may change a zone, and the file that has it. */
export interface UpdateKey {
  readonly name: string;
  readonly file: string;
}

/** How PowerDNS comes to the signatures of a zone, with the parameters of NSEC3 if the zone has it. */
export type Signing =
  | { readonly kind: 'presigned'; readonly nsec3: string | undefined }
  | { readonly kind: 'live'; readonly privateKey: string; readonly nsec3: string | undefined };

/** A name server of the hierarchy: one process on one address. */
export interface NameServer {
  readonly software: 'bind' | 'nsd' | 'knot' | 'powerdns';
  readonly address: string;
  readonly zones: readonly Zone[];
}

/** A zone file: `lines` are its records, its NS records among them, relative to `origin`. */
export function zone(origin: string, lines: string): Zone {
  const soa = '@ SOA hostmaster.example. hostmaster.example. 1 7200 3600 1209600 300';
  const records = lines.trim().replaceAll(/^ +/gm, '');
  return { kind: 'loaded', origin, text: `$ORIGIN ${origin}\n$TTL 3600\n${soa}\n${records}\n` };
}

/** A zone that the server is to have and has not: it answers SERVFAIL. */
export function lostZone(origin: string): Zone {
  return { kind: 'lost', origin };
}

/**
 * Where everything listens, on port 53: root hints carry no port, so resolvers know no other. The
 * suite runs in a network of its own, where nothing else has these addresses.
 */
export const address = {
  rootBind: '127.53.0.1',
  rootNsd: '127.53.0.2',
  testKnot: '127.53.1.1',
  testPowerdns: '127.53.1.2',
  exampleNsd: '127.53.2.1',
  exampleBind: '127.53.2.2',
  /** The four that host everything below the two top-level domains. */
  nsd: '127.53.3.1',
  knot: '127.53.3.2',
  powerdns: '127.53.3.3',
  bind: '127.53.3.4',
  /** Dead: a socket that never answers. */
  silent: '127.53.4.1',
  /** Dead: nothing listens, the network says so. */
  closed: '127.53.4.2',
} as const;
