#!/usr/bin/env node
import { keepCode, main, processIo } from '../dist/svc.js';

const INTERRUPTED = 130;

process.exitCode = await main(process.argv.slice(2), processIo);
keepCode();
if (process.exitCode === INTERRUPTED) {
  // Not even exit() can take back the reading of a pipe that nobody writes to.
  setTimeout(() => process.kill(process.pid, 'SIGINT'), 300).unref();
}
