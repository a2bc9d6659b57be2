import type { Name } from '../wire/name.ts';
import type { Question } from '../wire/question.ts';

/** Which main walk is meant: svc-model(7), COLD AND WARM. */
export type Temperature = 'cold' | 'warm';

/** Which walk a step belongs to. */
export type StepRole =
  /** A walk that takes every delegation at its parent's word: every lookup, and the cold main walk. */
  | { readonly kind: 'cold' }
  /** The warm main walk. */
  | { readonly kind: 'warm' }
  /** The apex question that the warm main walk asks before it goes on with the question `ahead`. */
  | { readonly kind: 'apex'; readonly ahead: Question };

/** What is asked first of servers that a walk comes to, and as what. */
interface Arrival {
  readonly question: Question;
  readonly role: StepRole;
}

/** The question for a zone's own name servers, put to servers that it was delegated to. */
export function apexQuestion(zone: Name): Question {
  return { name: zone, type: 'NS' };
}

/** What a main walk begins with. */
export function roleOf(temperature: Temperature): StepRole {
  return { kind: temperature };
}

/** A walk comes to a zone by referral, or begins there: if it is warm, the apex question goes first. */
export function arrivalAt(zone: Name, question: Question, role: StepRole): Arrival {
  switch (role.kind) {
    case 'cold':
      return { question, role };
    case 'warm':
    case 'apex':
      return { question: apexQuestion(zone), role: { kind: 'apex', ahead: question } };
  }
}
