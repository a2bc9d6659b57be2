// Loaded into a process that is measured: says on descriptor 3, at its end, what it took of the machine.
import { writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const KIB = 1_024;

if (isMainThread) process.on('exit', tell);

function tell() {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  writeSync(3, JSON.stringify({ cpuMs: (userCPUTime + systemCPUTime) / 1_000, peak: maxRSS * KIB }));
}
