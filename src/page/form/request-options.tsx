import { useId, useState } from 'preact/hooks';
import type { PageFacts } from '../../document/api/service-documents.ts';
import { type RequestChoices, turnedBy, withChoice } from '../model/page-url.ts';
import { serviceFacts } from '../service-api.ts';

/** The options beside the question, folded away. */
export function Choices({ choices, choose }: ChoicesProps) {
  const [note, setNote] = useState('');
  const change = (changed: Partial<RequestChoices>) => {
    setNote(turnedBy(choices, changed));
    choose(withChoice(choices, changed));
  };
  const values = valuesAt(serviceFacts().usual);
  const { check, dnssec, families, transport, edns } = choices;
  return (
    <details class="choices">
      <summary>Options</summary>
      <div class="choices-fields">
        <Choice label="Checks" value={check} values={values.check} choose={(one) => change({ check: one })} />
        <Choice
          label="Signatures (DNSSEC)"
          value={dnssec}
          values={values.dnssec}
          choose={(one) => change({ dnssec: one })}
        />
        <Choice
          label="Ask over"
          value={families}
          values={values.families}
          choose={(one) => change({ families: one })}
        />
        <Choice
          label="Transport"
          value={transport}
          values={values.transport}
          choose={(one) => change({ transport: one })}
        />
        <Choice label="EDNS" value={edns} values={values.edns} choose={(one) => change({ edns: one })} />
      </div>
      <p class="field-note" role="status">
        {note}
      </p>
    </details>
  );
}

interface ChoicesProps {
  readonly choices: RequestChoices;
  readonly choose: (choices: RequestChoices) => void;
}

type Values<K extends keyof RequestChoices> = readonly (readonly [RequestChoices[K], string])[];

/** The values of each choice, given the service's defaults. */
function valuesAt({ check, dnssec, families, transport, edns }: PageFacts['usual']) {
  const asked = families.length > 1 ? 'IPv4 and IPv6' : `IPv${families[0]} only`;
  return {
    check: [
      ['usual', `Default: ${check ? 'thorough' : 'delegation path only'}`],
      ['on', 'Thorough'],
      ['off', 'Delegation path only'],
    ],
    dnssec: [
      ['usual', `Default: ${dnssec ? 'validate' : 'ignore'}`],
      ['on', 'Validate'],
      ['off', 'Ignore'],
    ],
    families: [
      ['usual', `Default: ${asked}`],
      ...(families.length > 1
        ? ([
            ['4', 'IPv4 only'],
            ['6', 'IPv6 only'],
          ] as const)
        : []),
    ],
    transport: [
      ['usual', transport === 'tcp' ? 'TCP only' : 'UDP, then TCP'],
      ...(transport === 'tcp' ? [] : ([['tcp', 'TCP only']] as const)),
    ],
    edns: [['usual', edns === 'on' ? 'On' : 'Off'], ...(edns === 'on' ? ([['off', 'Off']] as const) : [])],
  } satisfies { readonly [K in keyof RequestChoices]: Values<K> };
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
