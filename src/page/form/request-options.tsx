import { useId } from 'preact/hooks';
import {
  CHOICE_NAMES,
  CHOICES,
  offeredValues,
  type RequestChoices,
  withChoice,
} from '../model/request-choices.ts';
import { serviceFacts } from '../service-api.ts';

/** The options beside the question, folded away. */
export function Choices({ choices, choose }: ChoicesProps) {
  const { usual } = serviceFacts();
  return (
    <details class="choices">
      <summary>Options</summary>
      <div class="choices-fields">
        {CHOICE_NAMES.map((name) => (
          <Choice
            key={name}
            label={CHOICES[name].label}
            value={choices[name] ?? ''}
            values={offeredValues(name, usual)}
            choose={(value) => choose(withChoice(choices, name, value))}
          />
        ))}
      </div>
    </details>
  );
}

interface ChoicesProps {
  readonly choices: RequestChoices;
  readonly choose: (choices: RequestChoices) => void;
}

interface ChoiceProps {
  readonly label: string;
  /** Empty: the default. So is a value that is not offered: a link can have the default by its name. */
  readonly value: string;
  readonly values: readonly (readonly [value: string, words: string])[];
  readonly choose: (value: string) => void;
}

function Choice({ label, value, values, choose }: ChoiceProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={values.some(([one]) => one === value) ? value : ''}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        {values.map(([one, words]) => (
          <option key={one} value={one}>
            {words}
          </option>
        ))}
      </select>
    </div>
  );
}
