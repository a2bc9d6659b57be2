import { printable } from '../../reading/words/printable.ts';
import { withoutFinalDot } from '../../wire/name.ts';
import { unicodeName } from '../../wire/unicode-name.ts';
import type { WrittenQuestion } from '../parts/address.ts';
import { USUAL_CHOICES } from '../parts/request-choices.ts';
import type { JobStory } from './job-story.ts';

/** The name and type of a job, in texts that are safe to show. */
interface JobTitle {
  readonly name: string;
  /** The name as its readers write it, if that is something else. */
  readonly unicode: string | undefined;
  readonly type: string;
  /** To be asked again. */
  readonly question: WrittenQuestion | undefined;
}

/** The title of a job: its own question once that is known, until then what the address has. */
export function titleOf(
  { question }: Pick<JobStory, 'question'>,
  asked: WrittenQuestion | undefined,
): JobTitle {
  if (question !== undefined) {
    const { name, type } = question;
    const written = withoutFinalDot(name);
    const unicode = unicodeName(name);
    return {
      name: written,
      unicode: unicode === undefined ? undefined : printable(withoutFinalDot(unicode)),
      type,
      question: { name: written, type, choices: asked?.choices ?? USUAL_CHOICES },
    };
  }
  if (asked === undefined) return { name: 'A traversal', unicode: undefined, type: '', question: undefined };
  return { name: printable(asked.name), unicode: undefined, type: asked.type, question: asked };
}
