/**
 * The address of a worker's program: for `picture/draw-worker.ts` that of "draw". The build gives each `-worker.ts`
 * a name with a hash, and the page lists them in its head.
 */
export function workerAddress(name: string): string {
  const listed = document.querySelector<HTMLMetaElement>(`meta[name="${name}-worker"]`);
  if (listed === null) throw new Error(`the page has no worker ${name}`);
  return listed.content;
}
