import { createRequire } from 'node:module';
import type { Viz } from '@viz-js/viz';

/** Whether Graphviz is installed, without loading it. */
export function hasGraphviz(): boolean {
  try {
    return createRequire(import.meta.url).resolve('@viz-js/viz') !== '';
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return false;
    throw error;
  }
}

/** Loads Graphviz, which draws our dot; undefined where its package, which is optional, is not installed. */
export async function loadGraphviz(): Promise<Viz | undefined> {
  try {
    const { instance } = await import('@viz-js/viz');
    return await instance();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
