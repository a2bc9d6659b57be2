/**
 * The page that the service shows in browsers.
 *
 * The address says what is shown (`model/page-url`): the start page with the form (`form/`), a job, or what is wrong with
 * the address. A job is followed until it ends (`model/follow-job`, `live/`); then `result/` is loaded, which shows the
 * result and has a worker work out how long changes take. Another worker (`result/result-worker`) reads a large result, and
 * evaluates it anew without the servers that are switched off. `picture/` draws zones and servers for both. `model/` has all that needs no
 * browser, which the tests read; the other folders are components. The page speaks to the service that it came from only
 * (`service-api`), runs no inline script and loads nothing from elsewhere. `style/` is one style sheet, with all colours in
 * `tokens.css`.
 */
import { render } from 'preact';
import { useCallback, useEffect, useErrorBoundary, useState } from 'preact/hooks';
import { printable } from '../document/words/shortened.ts';
import { opensElsewhere, useLoaded } from './elements.tsx';
import { NotFoundPage, StartPage } from './form/start-page.tsx';
import { JobPage } from './live/job-page.tsx';
import { addressOf, type PageView, viewAt } from './model/page-url.ts';
import { trustOwnScripts } from './model/worker-scripts.ts';
import { serviceFacts } from './service-api.ts';

trustOwnScripts();

const place = document.getElementById('page');
if (place !== null) render(<App />, place);

/** The whole page. */
function App() {
  const [view, go] = useView();
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <Masthead go={go} />
      <main id="content" tabIndex={-1}>
        <Viewed view={view} go={go} />
      </main>
      <Footer />
    </>
  );
}

function Viewed({ view, go }: { readonly view: PageView; readonly go: (view: PageView) => void }) {
  const [bug] = useErrorBoundary();
  if (bug !== undefined) return <Bug bug={bug} />;
  switch (view.kind) {
    case 'start':
      return <StartPage question={view.question} go={go} />;
    case 'help':
      return <LoadedHelp />;
    case 'job':
      return <JobPage key={view.id} view={view} go={go} />;
    case 'nowhere':
      return <NotFoundPage {...view} go={go} />;
  }
}

/** The page of help, as soon as it is loaded. */
function LoadedHelp() {
  const loaded = useLoaded(loadHelp);
  if (loaded === undefined) return <p class="hold">Loading…</p>;
  if (loaded === 'failed') return <p class="hold">This could not be loaded: try again.</p>;
  return <loaded.HelpPage />;
}

function loadHelp() {
  return import('./help-page.tsx');
}

/** Replaces a view that threw an error. */
function Bug({ bug }: { readonly bug: unknown }) {
  return (
    <div class="notice bad" role="alert">
      <strong>This page has a bug.</strong>
      Load it again; if that does not help, report it with these words: {printable(String(bug))}
    </div>
  );
}

/** The view of the browser's address, and a way to go to another. */
function useView(): readonly [PageView, (view: PageView) => void] {
  const [view, setView] = useState(() => viewAt(window.location));
  useEffect(() => {
    const follow = () => setView(viewAt(window.location));
    window.addEventListener('popstate', follow);
    return () => window.removeEventListener('popstate', follow);
  }, []);
  const go = useCallback((next: PageView) => {
    window.history.pushState(undefined, '', addressOf(next));
    setView(next);
  }, []);
  return [view, go];
}

function Masthead({ go }: { readonly go: (view: PageView) => void }) {
  const goHome = (event: MouseEvent) => {
    if (opensElsewhere(event)) return;
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
    </header>
  );
}

function Footer() {
  return (
    <footer class="footer">
      <p>
        The same from a terminal: <code>svc traverse NAME</code>. For programs:{' '}
        <a href="/api/openapi.json">the interface of this service</a>. <a href="/help">Terms and findings</a>.
      </p>
    </footer>
  );
}
