import { USUAL_TYPES } from '../../wire/usual-types.ts';
import type { WrittenQuestion } from '../parts/address.ts';

interface TypeFieldProps {
  readonly id: string;
  readonly type: string;
  /** Why there is no such type; undefined if there is, or nobody has tried. */
  readonly why: string | undefined;
  readonly write: (changed: Pick<WrittenQuestion, 'type'>) => void;
}

/** The field for the type: the usual ones are offered, any other can be written. */
export function TypeField({ id, type, why, write }: TypeFieldProps) {
  return (
    <div class="field field-type">
      <label for={id}>Type</label>
      <input
        id={id}
        name="type"
        type="text"
        list={`${id}-usual`}
        autoComplete="off"
        autoCapitalize="characters"
        spellcheck={false}
        value={type}
        aria-invalid={why !== undefined}
        aria-describedby={`${id}-note`}
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
