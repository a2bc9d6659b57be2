import { useEffect, useState } from 'preact/hooks';
import type { ResultPage, ResultPageProps } from '../result/result-page.tsx';

/** Loads what shows results. The start and the live view do without. */
export function loadResultPage() {
  return import('../result/result-page.tsx');
}

/** A result, as soon as what shows it is loaded. */
export function ResultPlace(props: ResultPageProps) {
  const [Loaded, setLoaded] = useState<typeof ResultPage | 'failed'>();
  useEffect(() => {
    loadResultPage().then(
      (loaded) => setLoaded(() => loaded.ResultPage),
      () => setLoaded('failed'),
    );
  }, []);
  if (Loaded === undefined) {
    return (
      <p class="hold" role="status">
        Loading the result…
      </p>
    );
  }
  if (Loaded !== 'failed') return <Loaded {...props} />;
  return (
    <div class="notice bad" role="status">
      <strong>A part of this page could not be loaded.</strong>
      Load it again: the result is kept.
    </div>
  );
}
