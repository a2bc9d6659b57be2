import { must } from './subject.ts';

/** What a function gives; throws if this process worked longer on it than so many milliseconds. */
export function withinCpu<T>(most: number, run: () => T): T {
  const before = process.cpuUsage();
  const result = run();
  const { user, system } = process.cpuUsage(before);
  const spent = Math.round((user + system) / 1_000);
  must(spent <= most, `took ${spent} ms`);
  return result;
}
