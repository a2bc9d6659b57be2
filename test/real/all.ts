/**
 * Like Promise.all, but a rejection waits for the others to end: nothing is still being started when
 * the caller cleans up.
 */
export async function all<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises);
  return await Promise.all(promises);
}
