import { useState } from 'preact/hooks';
import { browserStorage } from './elements.tsx';

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

const CHOICES: readonly (readonly [Theme, string])[] = [
  ['light', 'Light'],
  ['auto', 'Auto'],
  ['dark', 'Dark'],
];

/** Which colours a person wants; `auto`: as the system has it. */
type Theme = 'light' | 'auto' | 'dark';

const KEY = 'theme';

/** The theme that was chosen in this browser before. */
export function keptTheme(): Theme {
  const kept = browserStorage()?.getItem(KEY);
  return kept === 'light' || kept === 'dark' ? kept : 'auto';
}

/** Keeps a choice for the next visit, and for other tabs once they load. */
function keepTheme(theme: Theme): void {
  if (theme === 'auto') browserStorage()?.removeItem(KEY);
  else browserStorage()?.setItem(KEY, theme);
}

/** Shows the page in a theme's colours. */
export function applyTheme(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === 'auto') delete dataset.theme;
  else dataset.theme = theme;
}
