import { serverText } from '../../evaluate/what-if/what-if.ts';
import { printable } from '../../reading/words/printable.ts';
import type { WhatIfState } from './use-what-if.ts';
import type { OffMode } from './what-if.ts';

/** What is imagined, while anything is: the servers that are off, and how. */
export function WhatIfBar({ whatIf }: { readonly whatIf: WhatIfState }) {
  const { choice, objection, progress, setMode, toggle, reset } = whatIf;
  const isIdle = choice.off.length === 0;
  return (
    <div class="what-if" role="status">
      {!isIdle && (
        <div class="what-if-bar">
          <strong>What if</strong>
          <ul class="what-if-off">
            {choice.off.map((one) => (
              <li key={serverText(one)}>
                <button type="button" class="chip" onClick={() => toggle(one)}>
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
              <option value="down">did not reply</option>
              <option value="without">were taken out of every delegation</option>
            </select>
          </label>
          <span aria-live="polite">{progress === 'working' ? 'Working it out …' : objection}</span>
          <button type="button" class="button" onClick={reset}>
            Back to what is
          </button>
        </div>
      )}
    </div>
  );
}

function modeIn(value: string): OffMode {
  return value === 'without' ? 'without' : 'down';
}
