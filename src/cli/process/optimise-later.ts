import { setFlagsFromString } from 'node:v8';

/** Newer versions of Node have a compiler between the quick one and the thorough one, and no such flag. */
const HAS_BUDGET = process.versions.node.startsWith('20.');

/** Bytes of bytecode that run between two looks at what is worth optimising. */
const USUAL_BUDGET = 67_584;
const LARGE_BUDGET = 24 * USUAL_BUDGET;

/**
 * Does work with V8 optimising a function only once it has run for longer. A traversal, a run of some hundred names, or the
 * replay of a large result otherwise spends nearly half of its processor time on optimising what it is about to leave;
 * a run of many thousand names earns it back.
 *
 * Afterwards the flag is as before: V8 refuses code that was kept under other flags.
 */
export async function optimisingLater<T>(work: () => Promise<T>): Promise<T> {
  if (!HAS_BUDGET) return await work();
  setFlagsFromString(`--interrupt-budget=${LARGE_BUDGET}`);
  try {
    return await work();
  } finally {
    setFlagsFromString(`--interrupt-budget=${USUAL_BUDGET}`);
  }
}
