import { type ServerOrAddress, serverText } from '../../evaluate/what-if/what-if.ts';
import { printable } from '../../reading/words/printable.ts';
import { NameText } from '../parts/name-text.tsx';
import type { WhatIfState } from './use-what-if.ts';

/** A switch with the name of a server, or of an address: what if it were off? */
export function OffSwitch({ one, whatIf }: { readonly one: ServerOrAddress; readonly whatIf: WhatIfState }) {
  const text = serverText(one);
  const isOn = !whatIf.choice.off.some((other) => serverText(other) === text);
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      class="off-switch"
      onClick={() => whatIf.toggle(one)}
    >
      <span class="off-switch-track" aria-hidden="true" />
      <span class="off-switch-name">
        <NameText name={printable(text)} />
      </span>
    </button>
  );
}
