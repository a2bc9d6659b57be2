import { type Beats, startHeartbeat } from '../../base/clock.ts';
import { parseTrustAnchors } from '../../dns/dnssec/trust-anchors.ts';
import type { Endpoint } from '../../exchange/attempt.ts';
import type { SpecialExchange } from '../../exchange/exchange.ts';
import { demoRoots, demoWorld } from '../../lab/demo-world.ts';
import { labOnDemand, startLab } from '../../lab/lab.ts';
import { trustAnchorOf } from '../../lab/world.ts';
import type { TraversalFlags } from '../flags/traversal-flags.ts';
import { notDone, reason, usageError } from '../process/errors.ts';

/** The servers of the demo. */
export interface Demo {
  /** In named.root format. */
  readonly hints: string;
  readonly route: (address: string) => Endpoint | undefined;
  /** All that `route` will ever know; absent where that is not known yet. */
  readonly endpoints?: ReadonlyMap<string, Endpoint>;
  /** Of the thread that has the servers; absent where no other asks them. */
  readonly beats?: Beats;
  /** An exchange that finds the servers running. */
  readonly reaching: (exchange: SpecialExchange) => SpecialExchange;
  readonly close: () => Promise<void>;
}

/** Which of the demo's servers run: all, or those that are asked. */
export type DemoExtent = 'whole' | 'as-asked';

/** What names the keys of the demo's root. */
export function demoTrustAnchors(): readonly string[] {
  return parseTrustAnchors(trustAnchorOf(demoWorld()));
}

/** Throws a `CommandError` if there are flags that the demo cannot heed. */
export function refuseWithDemo({ rootHints, trustAnchor, port }: TraversalFlags): void {
  if (rootHints !== undefined) throw usageError('--demo has root servers of its own: leave out --root-hints');
  if (trustAnchor !== undefined)
    throw usageError('--demo has a trust anchor of its own: leave out --trust-anchor');
  if (port !== undefined)
    throw usageError(
      'the name servers of --demo have ports of their own: leave out --port (svc serve listens where --listen says)',
    );
}

/** Starts the demo. Throws a `CommandError` if that is not possible. */
export async function startDemo(extent: DemoExtent): Promise<Demo> {
  return extent === 'whole' ? await wholeDemo() : demoAsAsked();
}

async function wholeDemo(): Promise<Demo> {
  const lab = await startLab(demoWorld()).catch((error: unknown) => {
    throw notDone(`cannot start the servers of the demo: ${reason(error)}${adviceFor(error)}`);
  });
  const { beats, stop } = startHeartbeat();
  const close = async () => {
    stop();
    await lab.close();
  };
  return { ...lab, beats, reaching: (exchange) => exchange, close };
}

/** All servers of the demo hold about 150 descriptors, and whatever asks them needs some, too. */
function adviceFor(error: unknown): string {
  const isShort = error instanceof Error && 'code' in error && error.code === 'EMFILE';
  return isShort ? ': raise the limit on open files (ulimit -n 256)' : '';
}

function demoAsAsked(): Demo {
  const lab = labOnDemand(demoWorld(), demoRoots());
  const reaching =
    (exchange: SpecialExchange): SpecialExchange =>
    async (query, signal, leaving) => {
      await lab.open(query.address);
      return await exchange(query, signal, leaving);
    };
  return { ...lab, reaching };
}
