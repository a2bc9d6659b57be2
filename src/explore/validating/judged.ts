import type { Exchanged } from '../../exchange/exchanged.ts';
import { getOrMake } from '../../get-or-make.ts';
import { type Bogus, bogus } from '../../validate/bogus.ts';
import type { JudgedReply } from '../../validate/claim.ts';
import { cutIn, trustIn } from '../../validate/cut.ts';
import { judgeReply } from '../../validate/judge-reply.ts';
import { judgeKeys, type KeysFound } from '../../validate/keys-under.ts';
import type { Need } from '../../validate/knowledge.ts';
import type { SecureTrust, Trust } from '../../validate/trust.ts';
import type { Validation } from '../../validate/validation.ts';
import type { Good, Security, Verdict } from '../../validate/verdict.ts';
import type { Name } from '../../wire/name.ts';
import type { Meaning } from '../meaning.ts';
import { meaningFor } from '../meaning-for.ts';
import { workOf } from '../work.ts';
import { claimedBy } from './claimed.ts';
import type { Learnt, Lesson } from './learnt.ts';
import type { Want } from './want.ts';

/** What judges replies. */
export interface ReplyJudge {
  readonly validation: Validation;
  /** Is told how much work a validation was, in steps: as much each time, whatever is remembered. */
  readonly spend: (steps: number) => void;
}

/** What must be learnt before a reply can be validated. */
interface Wanting {
  readonly kind: 'wants';
  readonly want: Want;
}

/** A reply that no resolver uses where it stands, whatever it proves. */
interface Unused {
  readonly kind: 'unused';
}

/** A reply that verifies, and what it means then. */
export interface Proven {
  readonly kind: 'proven';
  readonly security: Security;
  readonly meaning: Meaning;
  /** Of the zone that a referral leads to. */
  readonly trust?: Trust;
  /** What is wrong with what follows an alias, which was cut off. */
  readonly cutOff?: Bogus;
}

/** What a step makes of a reply to its question. */
export type Judged = Proven | Bogus | Wanting | Unused;

/** What a step makes of a reply to a further question. */
type Taught =
  | { readonly kind: 'taught'; readonly lesson: Lesson; readonly security: Security }
  | Bogus
  | Wanting
  | Unused;

/** What a reply to a step's question is by what the step has learnt: svc-model(7), VALIDATING 3. */
export function judged(exchanged: Exchanged, zone: Name, learnt: Learnt, validator: ReplyJudge): Judged {
  const reply = claimedBy(exchanged, zone);
  if (reply === undefined) return UNUSED;
  const verdict = verdictOn(exchanged, reply, learnt, validator);
  const meaning = meaningFor(exchanged, zone);
  switch (verdict.kind) {
    case 'good':
      return proven(meaning, reply, verdict);
    case 'unproven':
      return onTrust(meaning, learnt);
    case 'bogus':
      return verdict;
    case 'needs':
      return { kind: 'wants', want: wantOf(verdict.need) };
  }
}

const UNUSED: Unused = { kind: 'unused' };

function proven(meaning: Meaning, { claim }: JudgedReply, good: Good): Judged {
  const { security, trust, cutDownTo, because } = good;
  if (cutDownTo === undefined) return { kind: 'proven', security, meaning, ...(trust && { trust }) };
  const links = 'links' in claim ? claim.links.findIndex(({ target }) => target === cutDownTo) + 1 : 0;
  const cut: Meaning = { kind: 'alias', target: cutDownTo, links };
  return { kind: 'proven', security, meaning: cut, ...(because && { cutOff: because }) };
}

/** A referral that proves nothing is as good as what the DS question for its zone brings. */
function onTrust(meaning: Meaning, { trusts }: Learnt): Judged {
  if (meaning.kind !== 'referral') return UNUSED;
  const name = meaning.delegation.zone;
  const trust = trusts.get(name);
  if (trust === undefined) return { kind: 'wants', want: { kind: 'trust', name } };
  return { kind: 'proven', security: 'secure', meaning, trust };
}

function wantOf(need: Need): Want {
  switch (need.kind) {
    case 'cut':
      return need;
    case 'keys':
      return { kind: 'keys', name: need.zone, trust: need.trust };
  }
}

/** What a reply to a further question teaches a step: svc-model(7), VALIDATING 3d to 3f. */
export function taught(
  want: Want,
  exchanged: Exchanged,
  zone: Name,
  learnt: Learnt,
  validator: ReplyJudge,
): Taught {
  const reply = claimedBy(exchanged, zone);
  if (reply === undefined || reply.claim.kind === 'referral') return UNUSED;
  if (want.kind === 'keys') {
    const found = keysIn(exchanged, reply, want, validator);
    return found.kind === 'bogus' ? found : { kind: 'taught', lesson: found, security: 'secure' };
  }
  const verdict = verdictOn(exchanged, reply, learnt, validator);
  switch (verdict.kind) {
    case 'good': {
      const { security } = verdict;
      const lesson = lessonIn(want.kind, reply, verdict);
      return lesson === undefined ? bogus('no-proof') : { kind: 'taught', lesson, security };
    }
    case 'unproven':
      return UNUSED;
    case 'bogus':
      return verdict;
    case 'needs':
      return { kind: 'wants', want: wantOf(verdict.need) };
  }
}

function lessonIn(wanted: 'cut' | 'trust', { claim }: JudgedReply, good: Good): Lesson | undefined {
  switch (wanted) {
    case 'cut':
      return { kind: 'cut', cut: cutIn(claim, good) };
    case 'trust': {
      const trust = trustIn(claim, good);
      return trust && { kind: 'trust', trust };
    }
  }
}

/** What a reply to a DNSKEY question brings under a zone's trust: svc-model(7), VALIDATING 2. */
export function keysHeard(
  exchanged: Exchanged,
  zone: Name,
  trust: SecureTrust,
  validator: ReplyJudge,
): KeysFound | Unused {
  const reply = claimedBy(exchanged, zone);
  if (reply === undefined || reply.claim.kind === 'referral') return UNUSED;
  return keysIn(exchanged, reply, { name: zone, trust }, validator);
}

/** Each reply is validated once by the same knowledge, and the work of that is remembered, too. */
interface Remembered {
  readonly verdicts: Map<string, Measured<Verdict>>;
  readonly keys: Map<string, Measured<KeysFound>>;
}

interface Measured<T> {
  readonly value: T;
  readonly steps: number;
}

const remembered = new WeakMap<Validation, WeakMap<Exchanged, Remembered>>();

function rememberedOf(validation: Validation, exchanged: Exchanged): Remembered {
  const exchanges = getOrMake(remembered, validation, () => new WeakMap<Exchanged, Remembered>());
  return getOrMake(exchanges, exchanged, () => ({ verdicts: new Map(), keys: new Map() }));
}

function keysIn(
  exchanged: Exchanged,
  reply: JudgedReply,
  { name, trust }: Pick<Extract<Want, { kind: 'keys' }>, 'name' | 'trust'>,
  { validation, spend }: ReplyJudge,
): KeysFound {
  const { keys } = rememberedOf(validation, exchanged);
  const { value, steps } = getOrMake(keys, `${name}\n${trust.id}`, () =>
    measured(validation, () => judgeKeys(reply, name, trust, validation)),
  );
  spend(steps);
  return value;
}

function verdictOn(
  exchanged: Exchanged,
  reply: JudgedReply,
  { keys, knowledge, key }: Learnt,
  { validation, spend }: ReplyJudge,
): Verdict {
  const { verdicts } = rememberedOf(validation, exchanged);
  const { value, steps } = getOrMake(verdicts, key, () =>
    measured(validation, () => judgeReply(reply, keys, knowledge, validation)),
  );
  spend(steps);
  return value;
}

function measured<T>(validation: Validation, run: () => T): Measured<T> {
  const before = effortOf(validation);
  const value = run();
  return { value, steps: effortOf(validation) - before };
}

function effortOf({ checks, digests = () => 0 }: Validation): number {
  return workOf('signatureCheck', checks.asked) + workOf('digest', digests());
}
