import { useId } from 'preact/hooks';
import { type RequestChoices, withChoice } from '../parts/request-choices.ts';

interface ChoicesProps {
  readonly choices: RequestChoices;
  readonly choose: (choices: RequestChoices) => void;
}

type Values<K extends keyof RequestChoices> = readonly (readonly [RequestChoices[K], string])[];

const CHECKS: Values<'check'> = [
  ['usual', 'As usual here'],
  ['on', 'Thorough'],
  ['off', 'Only the way down'],
];
const DNSSEC: Values<'dnssec'> = [
  ['usual', 'As usual here'],
  ['on', 'Validate'],
  ['off', 'Ignore'],
];
const FAMILIES: Values<'families'> = [
  ['usual', 'As usual here'],
  ['4', 'IPv4 only'],
  ['6', 'IPv6 only'],
];
const TRANSPORTS: Values<'transport'> = [
  ['usual', 'UDP, then TCP'],
  ['tcp', 'TCP only'],
];
const EDNS: Values<'edns'> = [
  ['usual', 'On'],
  ['off', 'Off'],
];

/** What may be chosen beside the question, folded away. */
export function Choices({ choices, choose }: ChoicesProps) {
  const change = (changed: Partial<RequestChoices>) => choose(withChoice(choices, changed));
  return (
    <details class="choices">
      <summary>Options</summary>
      <div class="choices-fields">
        <Choice label="Checks" value={choices.check} values={CHECKS} choose={(check) => change({ check })} />
        <Choice
          label="Signatures (DNSSEC)"
          value={choices.dnssec}
          values={DNSSEC}
          choose={(dnssec) => change({ dnssec })}
        />
        <Choice
          label="Ask over"
          value={choices.families}
          values={FAMILIES}
          choose={(families) => change({ families })}
        />
        <Choice
          label="Transport"
          value={choices.transport}
          values={TRANSPORTS}
          choose={(transport) => change({ transport })}
        />
        <Choice label="EDNS" value={choices.edns} values={EDNS} choose={(edns) => change({ edns })} />
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
