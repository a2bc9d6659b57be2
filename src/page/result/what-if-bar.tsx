import { useRef } from 'preact/hooks';
import { printable } from '../../document/words/shortened.ts';
import { type ServerOrAddress, serverText } from '../../evaluate/world.ts';
import { NameText } from '../elements.tsx';
import type { OffMode } from '../model/switched-off.ts';
import type { WhatIfState } from './use-what-if.ts';

/** The bar with the servers that are off, and what happens to them. */
export function WhatIfBar({ whatIf }: { readonly whatIf: WhatIfState }) {
  const { choice, progress, setMode, toggle, reset } = whatIf;
  const place = useRef<HTMLDivElement>(null);
  // The button that is pressed goes away: the focus stays where it was.
  const staying = (act: () => void) => () => {
    place.current?.focus();
    act();
  };
  const isIdle = choice.off.length === 0;
  return (
    <div class={`what-if${isIdle ? ' idle' : ''}`} ref={place} tabIndex={-1}>
      <p class="unseen" role="status">
        {printable(announcementOf(whatIf))}
      </p>
      {!isIdle && (
        <div class="what-if-bar">
          <strong>Simulate:</strong>
          <ul class="what-if-off">
            {choice.off.map((one) => (
              <li key={serverText(one)}>
                <button type="button" class="chip" onClick={staying(() => toggle(one))}>
                  {printable(serverText(one))} <span aria-hidden="true">×</span>
                  <span class="unseen">switch on again</span>
                </button>
              </li>
            ))}
          </ul>
          <label class="what-if-mode">
            <span class="unseen">What happens to them</span>
            <select
              value={choice.mode}
              onChange={({ currentTarget }) => setMode(modeIn(currentTarget.value))}
            >
              <option value="down">not replying</option>
              <option value="without">removed from every delegation</option>
            </select>
          </label>
          <span>{printable(progress === 'working' ? 'Working it out …' : outcomeOf(whatIf))}</span>
          <button type="button" class="button" onClick={staying(reset)}>
            Exit what-if
          </button>
        </div>
      )}
    </div>
  );
}

/** The text for screen readers. */
function announcementOf({ choice, objection, progress, result }: WhatIfState): string {
  if (choice.off.length === 0 || progress === 'working' || result.whatIf === undefined) return objection;
  return result.verdict.text;
}

/** The verdict once more: the headline can be far above. */
function outcomeOf({ objection, result }: WhatIfState): string {
  return objection !== '' || result.whatIf === undefined ? objection : result.verdict.text;
}

function modeIn(value: string): OffMode {
  return value === 'without' ? 'without' : 'down';
}

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
