import type { Saved } from '../../document/read-result.ts';
import { equippedWith } from '../../explore/validating/validate-with.ts';
import { BROWSER_CRYPTO } from './browser-crypto.ts';

/** A saved traversal whose replies can be judged in a browser, if it was made to be judged. */
export function provableHere(saved: Saved): Saved {
  return { ...saved, recording: equippedWith(BROWSER_CRYPTO, saved.recording) };
}
