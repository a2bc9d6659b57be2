import type { SecureTrust } from '../../validate/trust.ts';
import type { Name } from '../../wire/name.ts';
import type { Question } from '../../wire/question.ts';

/**
 * What a step of the validating view has to learn beside its reply, from the same servers: svc-model(7), VALIDATING.
 * `trust` is that of a zone that a referral without proof leads to; `cut` whether a zone begins at a name.
 */
export type Want =
  | { readonly kind: 'keys'; readonly name: Name; readonly trust: SecureTrust }
  | { readonly kind: 'cut' | 'trust'; readonly name: Name };

/** The text that is equal exactly for what one step wants to learn once. */
export function wantKey({ kind, name }: Want): string {
  return `${kind} ${name}`;
}

/** What is asked for it. */
export function wantedQuestion({ kind, name }: Want): Question {
  switch (kind) {
    case 'keys':
      return { name, type: 'DNSKEY' };
    case 'cut':
    case 'trust':
      return { name, type: 'DS' };
  }
}
