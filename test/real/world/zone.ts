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
