import type { WrittenQuestion } from '../parts/address.ts';
import { serviceFacts } from '../parts/service-facts.ts';
import { readWritten } from './read-written.ts';

interface NameFieldProps {
  readonly id: string;
  readonly written: WrittenQuestion;
  /** Why the name cannot be asked for; undefined if it can, or nobody has tried. */
  readonly why: string | undefined;
  readonly write: (changed: Pick<WrittenQuestion, 'name'>) => void;
}

/** The field for the name, with what will be asked for if that is something else. */
export function NameField({ id, written, why, write }: NameFieldProps) {
  const asked = readWritten(written);
  const hint = asked.kind === 'question' ? asked.hint : undefined;
  return (
    <div class="field field-name">
      <label for={id}>Name</label>
      <input
        id={id}
        name="name"
        type="text"
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellcheck={false}
        placeholder={serviceFacts().demo?.[0]?.name ?? 'www.example.com'}
        dir="auto"
        value={written.name}
        aria-invalid={why !== undefined}
        aria-describedby={`${id}-note`}
        onInput={({ currentTarget }) => write({ name: currentTarget.value })}
      />
      <p id={`${id}-note`} class={why === undefined ? 'field-note' : 'field-note bad'} aria-live="polite">
        {why ?? hint}
      </p>
    </div>
  );
}
