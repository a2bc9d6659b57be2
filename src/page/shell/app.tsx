import { useErrorBoundary } from 'preact/hooks';
import { printable } from '../../reading/words/printable.ts';
import { JobPage } from '../live/job-page.tsx';
import type { PageView } from '../parts/address.ts';
import { Footer } from './footer.tsx';
import { Masthead } from './masthead.tsx';
import { NowherePage } from './nowhere-page.tsx';
import { StartPage } from './start-page.tsx';
import { useView } from './use-view.ts';

/** The whole page. */
export function App() {
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
    case 'job':
      return <JobPage key={view.id} view={view} go={go} />;
    case 'nowhere':
      return <NowherePage {...view} go={go} />;
  }
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
