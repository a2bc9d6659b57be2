import type { Security } from '../validate/verdict.ts';
import type { Name } from '../wire/name.ts';
import type { Question } from '../wire/question.ts';
import type { ReplyFeed } from './validating/told.ts';

/** Which main walk is meant: svc-model(7), COLD AND WARM, and the cold one of a resolver that demands proof, VALIDATING. */
export type MainWalkKind = 'cold' | 'warm' | 'validating';

/** Which walk a step belongs to. */
export type StepRole =
  /** A walk that takes every delegation at its parent's word: every lookup, and the cold main walk. */
  | { readonly kind: 'cold' }
  /** The warm main walk. */
  | { readonly kind: 'warm' }
  /** The apex question that the warm main walk asks before it goes on with the question `ahead`. */
  | { readonly kind: 'apex'; readonly ahead: Question }
  /** The main walk of a resolver that demands proof, and whether every reply so far is proven. */
  | { readonly kind: 'validating'; readonly soFar: Security }
  /** A further question to the servers of such a step: no path goes on from it. */
  | { readonly kind: 'proof'; readonly replies: ReplyFeed };

/** The question for a zone's own name servers, put to servers that it was delegated to. */
export function apexQuestion(zone: Name): Question {
  return { name: zone, type: 'NS' };
}

/** What a main walk begins with. */
export function roleOf(kind: MainWalkKind): StepRole {
  return kind === 'validating' ? { kind, soFar: 'secure' } : { kind };
}

/** The first question of a walk that comes to a zone by referral, or begins there, and its role: a warm walk asks for the apex first. */
export function arrivalAt(
  zone: Name,
  question: Question,
  role: StepRole,
): { readonly question: Question; readonly role: StepRole } {
  switch (role.kind) {
    case 'cold':
    case 'validating':
    case 'proof':
      return { question, role };
    case 'warm':
    case 'apex':
      return { question: apexQuestion(zone), role: { kind: 'apex', ahead: question } };
  }
}
