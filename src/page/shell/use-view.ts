import { useCallback, useEffect, useState } from 'preact/hooks';
import { addressOf, type PageView, viewAt } from '../parts/address.ts';

/** The view of the browser's address, and a way to go to another. */
export function useView(): readonly [PageView, (view: PageView) => void] {
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
