import type { Viz } from '@viz-js/viz';
import { loadGraphviz } from '../../report/graph/graphviz.ts';
import { notDone } from './command-error.ts';

/** Graphviz, for `--format svg`. Throws a `CommandError` that says what to install. */
export async function neededGraphviz(): Promise<Viz> {
  const graphviz = await loadGraphviz();
  if (graphviz === undefined) throw notDone(MISSING);
  return graphviz;
}

const MISSING =
  '--format svg needs the package @viz-js/viz: npm install --global @viz-js/viz, or use --format dot and Graphviz';
