import type { Probe, ProbeKind } from '../exchange/probed.ts';
import type { ReplayedExploration } from '../explore/hear-again.ts';
import type { Recording } from '../explore/recording.ts';
import { askedServers } from './asked-server.ts';
import { OCCASIONS } from './occasions.ts';

/**
 * The probes that are worth sending after everything was asked, because what was heard leaves something open: at most one
 * of a kind for each address. A pure function of the recording.
 */
export function planProbes(recording: Recording, known: ReplayedExploration): readonly Probe[] {
  return askedServers(recording, known).flatMap((server) =>
    KINDS.flatMap((probe) => {
      const question = OCCASIONS[probe](server);
      return question === undefined ? [] : [{ probe, address: server.address, question }];
    }),
  );
}

const KINDS = Object.keys(OCCASIONS).filter(isKind);

function isKind(text: string): text is ProbeKind {
  return text in OCCASIONS;
}
