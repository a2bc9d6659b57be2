import type { Readable } from 'node:stream';
import { hostFamilies } from '../../exchange/families.ts';
import type { Family } from '../../wire/address.ts';

/** Where a command writes to: a stream that may be a terminal. */
export type OutputStream = NodeJS.WritableStream & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};

/** What interrupts a command. */
export type Signal = 'SIGINT' | 'SIGTERM';

/** Everything outside that a command touches, beside files and the DNS. */
export interface Io {
  /** Names to look up, where they are not on the command line. */
  readonly stdin: Readable;
  /** Results, and nothing else. */
  readonly stdout: OutputStream;
  /** Progress and messages. */
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * Calls back at the first signal, once; a second one ends the process in the system's own way. The
   * function it returns stops listening.
   */
  readonly onSignal: (run: (signal: Signal) => void) => () => void;
  /** The families that this host has a route for. */
  readonly families: () => Promise<readonly Family[]>;
}

/** The process's own. */
export const processIo: Io = {
  get stdin() {
    return process.stdin;
  },
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  onSignal: (run) => {
    const stop = () => {
      process.off('SIGINT', heard).off('SIGTERM', heard);
    };
    const heard = (signal: NodeJS.Signals) => {
      // Without a listener the next one has its default effect.
      stop();
      run(signal === 'SIGTERM' ? 'SIGTERM' : 'SIGINT');
    };
    process.on('SIGINT', heard).on('SIGTERM', heard);
    return stop;
  },
  families: () => hostFamilies(),
};
