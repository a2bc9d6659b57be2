import type { InputHTMLAttributes } from 'preact';
import { USUAL_TYPES } from '../../wire/usual-types.ts';
import type { WrittenQuestion } from '../parts/address.ts';
import { serviceFacts } from '../parts/service-facts.ts';
import { readWritten } from './read-written.ts';

interface FieldProps {
  readonly id: string;
  readonly written: WrittenQuestion;
  /** Why the text cannot be asked for; undefined if it can, or nobody has tried. */
  readonly why: string | undefined;
  readonly write: (changed: Partial<WrittenQuestion>) => void;
}

/** The field for the name, with what will be asked for if that is something else. */
export function NameField({ id, written, why, write }: FieldProps) {
  const asked = readWritten(written);
  return (
    <div class="field field-name">
      <label for={id}>Name</label>
      <TextInput
        id={id}
        why={why}
        name="name"
        inputMode="url"
        autoCapitalize="none"
        autoCorrect="off"
        placeholder={serviceFacts().demo?.[0]?.name ?? 'www.example.com'}
        dir="auto"
        value={written.name}
        onInput={({ currentTarget }) => write({ name: currentTarget.value })}
      />
      <p id={`${id}-note`} class={why === undefined ? 'field-note' : 'field-note bad'} aria-live="polite">
        {why ?? (asked.kind === 'question' ? asked.hint : undefined)}
      </p>
    </div>
  );
}

/** The field for the type: the usual ones are offered, any other can be written. */
export function TypeField({ id, written, why, write }: FieldProps) {
  return (
    <div class="field field-type">
      <label for={id}>Type</label>
      <TextInput
        id={id}
        why={why}
        name="type"
        list={`${id}-usual`}
        autoCapitalize="characters"
        value={written.type}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onInput={({ currentTarget }) => write({ type: currentTarget.value })}
      />
      <datalist id={`${id}-usual`}>
        {USUAL_TYPES.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <p id={`${id}-note`} class="field-note bad" aria-live="polite">
        {why}
      </p>
    </div>
  );
}

function TextInput({
  id,
  why,
  ...rest
}: Pick<FieldProps, 'why'> & { readonly id: string } & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <input
      id={id}
      type="text"
      autoComplete="off"
      spellcheck={false}
      aria-invalid={why !== undefined}
      aria-describedby={`${id}-note`}
      {...rest}
    />
  );
}
