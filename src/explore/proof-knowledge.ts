import type { Keys } from '../dns/dnssec/keys.ts';
import type { SecureTrust, Trust } from '../dns/dnssec/trust.ts';
import type { Cut, ZoneFacts } from '../dns/dnssec/verdict.ts';
import type { Question } from '../dns/message.ts';
import type { Name } from '../dns/name.ts';

/** The facts by which a step validates replies: its zone's keys, and those from further questions. Immutable. */
export class ProofKnowledge {
  /** The text that is equal exactly where replies are validated by the same. */
  readonly key: string;
  readonly keys: Keys;
  readonly knowledge: ZoneFacts;
  /** Of zones that referrals without proof lead to. */
  readonly trusts: ReadonlyMap<Name, Trust>;
  readonly #lessons: ReadonlyMap<string, string>;

  private constructor(
    keys: Keys,
    knowledge: ZoneFacts,
    trusts: ReadonlyMap<Name, Trust>,
    lessons: ReadonlyMap<string, string>,
  ) {
    this.keys = keys;
    this.knowledge = knowledge;
    this.trusts = trusts;
    this.#lessons = lessons;
    const texts = [...lessons].map(([want, lesson]) => `${want} ${lesson}`);
    this.key = [keys.id, ...texts.sort()].join('\n');
  }

  /** Nothing but the zone's keys. */
  static of(keys: Keys): ProofKnowledge {
    return new ProofKnowledge(keys, { cuts: new Map(), keys: new Map() }, new Map(), new Map());
  }

  /** This knowledge and one fact more. */
  with(want: ProofNeed, lesson: ProofFact): ProofKnowledge {
    const { name } = want;
    const { cuts, keys } = this.knowledge;
    const lessons = withEntry(this.#lessons, proofNeedKey(want), proofFactKey(lesson));
    switch (lesson.kind) {
      case 'keys':
        return new ProofKnowledge(
          this.keys,
          { cuts, keys: withEntry(keys, name, lesson.keys) },
          this.trusts,
          lessons,
        );
      case 'cut':
        return new ProofKnowledge(
          this.keys,
          { cuts: withEntry(cuts, name, lesson.cut), keys },
          this.trusts,
          lessons,
        );
      case 'trust':
        return new ProofKnowledge(
          this.keys,
          this.knowledge,
          withEntry(this.trusts, name, lesson.trust),
          lessons,
        );
    }
  }
}

/** A fact that a further question has brought to a step. */
export type ProofFact =
  | { readonly kind: 'keys'; readonly keys: Keys | 'none' }
  | { readonly kind: 'cut'; readonly cut: Cut }
  | { readonly kind: 'trust'; readonly trust: Trust };

/**
 * A fact as far as it matters to data that its name did not sign: a secure zone cut is as good as none to them. Many
 * states of knowledge are one that way, where servers disagree on one name after another.
 */
export function unlessSigned(fact: ProofFact): ProofFact {
  return excludesInsecureCut(fact) ? NO_INSECURE_CUT : fact;
}

const NO_INSECURE_CUT: ProofFact = { kind: 'cut', cut: { kind: 'no-insecure-cut' } };

function excludesInsecureCut(fact: ProofFact): boolean {
  if (fact.kind !== 'cut') return false;
  const { cut } = fact;
  return cut.kind === 'no-cut' || (cut.kind === 'cut' && cut.trust.kind === 'secure');
}

/** The text that is equal exactly for equal facts about one need. */
export function proofFactKey(lesson: ProofFact): string {
  switch (lesson.kind) {
    case 'keys':
      return lesson.keys === 'none' ? 'none' : lesson.keys.id;
    case 'cut':
      return lesson.cut.kind === 'cut' ? lesson.cut.trust.id : lesson.cut.kind;
    case 'trust':
      return lesson.trust.id;
  }
}

function withEntry<K, V>(map: ReadonlyMap<K, V>, key: K, value: V): ReadonlyMap<K, V> {
  return new Map([...map, [key, value]]);
}

/** What is known where no reply was usable; undefined where that ends whatever waits for it. */
export function knowledgeWithout(want: ProofNeed, learnt: ProofKnowledge): ProofKnowledge | undefined {
  switch (want.kind) {
    case 'keys':
      return learnt.with(want, { kind: 'keys', keys: 'none' });
    case 'cut':
      // A reply was usable if there is no insecure cut.
      return learnt.knowledge.cuts.has(want.name)
        ? undefined
        : learnt.with(want, { kind: 'cut', cut: { kind: 'unusable' } });
    case 'trust':
      return undefined;
  }
}

/**
 * What a step of the validating view has to learn beside its reply, from the same servers: svc-model(7), VALIDATING.
 * `trust` is that of a zone that a referral without proof leads to; `cut` whether a zone begins at a name.
 */
export type ProofNeed =
  | { readonly kind: 'keys'; readonly name: Name; readonly trust: SecureTrust }
  | { readonly kind: 'cut' | 'trust'; readonly name: Name };

/** The text that is equal exactly for what one step wants to learn once. */
export function proofNeedKey({ kind, name }: ProofNeed): string {
  return `${kind} ${name}`;
}

/** The question that a resolver asks to meet a need. */
export function proofQuestion({ kind, name }: ProofNeed): Question {
  switch (kind) {
    case 'keys':
      return { name, type: 'DNSKEY' };
    case 'cut':
    case 'trust':
      return { name, type: 'DS' };
  }
}
