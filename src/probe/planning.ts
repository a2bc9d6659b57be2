import type { Probe, ProbeKind } from '../exchanged.ts';
import { knownIn } from '../explore/hear-again.ts';
import type { Recording } from '../explore/recording.ts';
import type { Pausable } from '../pausable.ts';
import { askedServers } from './asked-server.ts';
import { OCCASIONS } from './occasions.ts';

/**
 * What to try after everything was asked, because what was heard leaves it open: at most one probe of a
 * kind for each address. A pure function of the recording.
 */
export function* planning(recording: Recording): Pausable<readonly Probe[]> {
  const known = yield* knownIn(recording);
  const probes: Probe[] = [];
  for (const server of askedServers(recording, known)) {
    for (const probe of KINDS) {
      const question = OCCASIONS[probe](server);
      if (question !== undefined) probes.push({ probe, address: server.address, question });
    }
    yield;
  }
  return probes;
}

const KINDS = Object.keys(OCCASIONS).filter(isKind);

function isKind(text: string): text is ProbeKind {
  return text in OCCASIONS;
}
