/* The PostgreSQL database that instances share, as the code of this room sees it. */

import type { DegradedReason } from '../../document/api/service-documents.ts';

/** Asks the database. */
export interface Queries {
  /** Runs one statement and returns its rows. Rejects with an error that `isStoreTrouble` knows when the store is away. */
  readonly query: <Row>(text: string, values?: readonly unknown[]) => Promise<readonly Row[]>;
}

/** Whether a store can be written to. */
export type StoreState =
  | { readonly kind: 'ok' }
  /** The reason is one line without credentials; `why` is the same in a word that names nothing. */
  | { readonly kind: 'degraded'; readonly why: DegradedReason; readonly reason: string };

/** The cost of a store so far. */
export interface StoreTraffic {
  /** Statements sent, those that begin and end transactions included. */
  readonly statements: number;
  readonly octetsSent: number;
  readonly octetsReceived: number;
}

/** The database that instances share. It comes back by itself after it was away; until then statements fail at once. */
export interface Database extends Queries {
  /** The UUID of this run of this instance: its row in `svc_instance`. */
  readonly instance: string;
  readonly state: StoreState;
  /** Calls `hear` with the payload of each NOTIFY, and with '' when some may be lost: a hint, which replaces no polling. */
  readonly onNotice: (channel: string, hear: (payload: string) => void) => () => void;
  readonly onState: (hear: (state: StoreState) => void) => void;
  /**
   * The moment of the store's clock, in milliseconds since 1970, that is not later than `ms` from now by this instance's:
   * a statement with that deadline never takes effect after it. `undefined`: the store's clock is not known.
   */
  readonly deadlineIn: (ms: number) => number | undefined;
  readonly traffic: StoreTraffic;
  readonly close: () => Promise<void>;
}
