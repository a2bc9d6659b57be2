import { useState } from 'preact/hooks';
import { applyTheme, keepTheme, keptTheme, type Theme } from './theme.ts';

const CHOICES: readonly (readonly [Theme, string])[] = [
  ['light', 'Light'],
  ['auto', 'Auto'],
  ['dark', 'Dark'],
];

/** Chooses light or dark colours, or those of the system. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState(keptTheme);
  const choose = (chosen: Theme) => {
    setTheme(chosen);
    keepTheme(chosen);
    applyTheme(chosen);
  };
  return (
    <fieldset class="theme">
      <legend class="unseen">Colours</legend>
      {CHOICES.map(([value, label]) => (
        <label key={value}>
          <input
            type="radio"
            name="theme"
            value={value}
            checked={theme === value}
            onChange={() => choose(value)}
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}
