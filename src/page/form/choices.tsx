import { useId } from 'preact/hooks';
import type { RequestChoices } from './request-choices.ts';

interface ChoicesProps {
  readonly choices: RequestChoices;
  readonly choose: (choices: RequestChoices) => void;
}

type Values<K extends keyof RequestChoices> = readonly (readonly [RequestChoices[K], string])[];

const CHECKS: Values<'check'> = [
  ['usual', 'As usual here'],
  ['on', 'Thorough: the zones’ own servers, too'],
  ['off', 'Only the way down'],
];
const FAMILIES: Values<'families'> = [
  ['usual', 'IPv4 and IPv6'],
  ['4', 'IPv4 only'],
  ['6', 'IPv6 only'],
];
const TRANSPORTS: Values<'transport'> = [
  ['usual', 'UDP, and TCP where needed'],
  ['tcp', 'TCP only'],
];
const EDNS: Values<'edns'> = [
  ['usual', 'On'],
  ['off', 'Off'],
];

/** What may be chosen beside the question, folded away. */
export function Choices({ choices, choose }: ChoicesProps) {
  return (
    <details class="choices">
      <summary>Options</summary>
      <div class="choices-fields">
        <Choice
          label="Checks"
          value={choices.check}
          values={CHECKS}
          choose={(check) => choose({ ...choices, check })}
        />
        <Choice
          label="Ask over"
          value={choices.families}
          values={FAMILIES}
          choose={(families) => choose({ ...choices, families })}
        />
        <Choice
          label="Transport"
          value={choices.transport}
          values={TRANSPORTS}
          choose={(transport) => choose({ ...choices, transport })}
        />
        <Choice
          label="EDNS"
          value={choices.edns}
          values={EDNS}
          choose={(edns) => choose({ ...choices, edns })}
        />
      </div>
    </details>
  );
}

interface ChoiceProps<V extends string> {
  readonly label: string;
  readonly value: V;
  readonly values: readonly (readonly [V, string])[];
  readonly choose: (value: V) => void;
}

function Choice<V extends string>({ label, value, values, choose }: ChoiceProps<V>) {
  const id = useId();
  const change = ({ currentTarget }: { readonly currentTarget: HTMLSelectElement }) => {
    const chosen = values.find(([one]) => one === currentTarget.value);
    if (chosen !== undefined) choose(chosen[0]);
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={change}>
        {values.map(([one, words]) => (
          <option key={one} value={one}>
            {words}
          </option>
        ))}
      </select>
    </div>
  );
}
