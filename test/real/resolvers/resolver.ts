import type { Command } from '../daemon.ts';

/** Where one resolver process lives. */
export interface Place {
  readonly address: string;
  /** Its own; configuration and state go here. */
  readonly directory: string;
  /** A root hints file. */
  readonly rootHints: string;
  /** A file with DS records of the root: it validates. Absent: it does not. */
  readonly trustAnchors?: string | undefined;
}

/** A kind of resolver, and how to make it forget. */
export interface ResolverSoftware {
  readonly name: string;
  /** Writes the configuration; returns the command that runs the resolver in the foreground. */
  readonly configure: (place: Place) => Promise<Command>;
  /** How it becomes cold: some keep what they know of servers' speed until they are restarted. */
  readonly cold:
    | { readonly by: 'restart' }
    | { readonly by: 'flush'; readonly flush: (place: Place) => Promise<void> };
}
