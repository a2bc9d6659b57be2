/** How figures are made and told. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

/** "p50 1.2 ms, p99 3.4 ms, most 5.6 ms". */
export function spread(ms: readonly number[]): string {
  const most = Math.max(...ms);
  return `p50 ${shown(quantile(ms, 0.5))}, p99 ${shown(quantile(ms, 0.99))}, most ${shown(most)}`;
}

export function shown(ms: number): string {
  return `${ms < 100 ? ms.toPrecision(3) : ms.toFixed(0)} ms`;
}

/** Octets as "12.3 KiB" or "4.5 MiB". */
export function size(bytes: number): string {
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

export function say(what: string, figures: string): void {
  process.stdout.write(`${what}: ${figures}\n`);
}

/** Does the work for every item, a number of them at a time. */
export async function eachOf<T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<void>) {
  const left = items.values();
  const worker = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** The time on a clock that all processes of this machine share. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint() / 1_000n) / 1_000;
}
