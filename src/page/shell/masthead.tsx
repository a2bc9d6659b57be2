import type { PageView } from '../parts/address.ts';
import { isLeftToBrowser } from '../parts/left-to-browser.ts';
import { serviceFacts } from '../parts/service-facts.ts';
import { ThemeSwitch } from './theme-switch.tsx';

export function Masthead({ go }: { readonly go: (view: PageView) => void }) {
  const goHome = (event: MouseEvent) => {
    if (isLeftToBrowser(event)) return;
    event.preventDefault();
    go({ kind: 'start', question: undefined });
  };
  return (
    <header class="masthead">
      <a class="brand" href="/" onClick={goHome}>
        <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
          <path d="M16 8 7 23M16 8v15M16 8l9 15" fill="none" stroke="currentColor" stroke-width="2" />
          <g fill="currentColor">
            <circle cx="16" cy="7" r="4" />
            <circle cx="7" cy="24" r="3.4" />
            <circle cx="16" cy="24" r="3.4" />
            <circle cx="25" cy="24" r="3.4" />
          </g>
        </svg>
        DNS traversal
      </a>
      {serviceFacts().demo !== undefined && (
        <span class="demo-badge">
          Demo<span>: simulated internet</span>
        </span>
      )}
      <ThemeSwitch />
    </header>
  );
}
