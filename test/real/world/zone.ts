/** A zone as one server has it. Two servers may have different contents: one is stale. */
export type Zone =
  | { readonly kind: 'loaded'; readonly origin: string; readonly text: string }
  /** Configured, but its file is not there: a secondary that never got a transfer. */
  | { readonly kind: 'lost'; readonly origin: string };

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
