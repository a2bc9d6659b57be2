import type { Primitives } from '../../validate/primitives.ts';
import { SignatureChecks } from '../../validate/signature-checks.ts';
import { trustFromAnchors } from '../../validate/trust-anchors.ts';
import type { DnssecScope, Recording } from '../recording.ts';

/**
 * What validating begins with: the trust anchors, a line for each, and the moment, in ISO 8601. Throws a
 * `TrustAnchorError` for anchors that are none.
 */
export function dnssecScopeOf(anchors: readonly string[], moment: string): DnssecScope {
  return { time: Math.floor(Date.parse(moment) / 1000), anchors: trustFromAnchors(anchors) };
}

/** The same scope with the means to validate replies: each signature is checked once, however often paths meet it. */
export function validatingWith(primitives: Primitives, dnssec: DnssecScope): DnssecScope {
  const { time } = dnssec;
  let digests = 0;
  const digest: Primitives['digest'] = (kind, data) => {
    digests += 1;
    return primitives.digest(kind, data);
  };
  const checks = new SignatureChecks(primitives);
  return { ...dnssec, validation: { time, digest, checks, digests: () => digests } };
}

const equipped = new WeakMap<Recording, Recording>();

/** A recording with the means to validate its replies; the same recording if it has them already, or was made without DO. */
export function equippedWith(primitives: Primitives, recording: Recording): Recording {
  const { dnssec } = recording.scope;
  if (dnssec === undefined || dnssec.validation !== undefined) return recording;
  const known = equipped.get(recording);
  if (known !== undefined) return known;
  const scope = { ...recording.scope, dnssec: validatingWith(primitives, dnssec) };
  const made = { ...recording, scope };
  equipped.set(recording, made);
  return made;
}
