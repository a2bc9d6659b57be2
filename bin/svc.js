#!/usr/bin/env node
import module from 'node:module';
import { fileURLToPath } from 'node:url';

// Beside the program: whoever can write there can change the program itself. Node 20 has no such cache.
module.enableCompileCache?.(fileURLToPath(new URL('../dist/compiled', import.meta.url)));
// import() would read it twice, to find out what it exports.
const { main } = module.createRequire(import.meta.url)('../dist/svc.js');

const INTERRUPTED = 130;
/** Node's status for a program that waits for a promise which nothing will settle. */
const UNSETTLED = 13;

process.once('beforeExit', unsettled);
main(process.argv.slice(2)).then((status) => {
  process.off('beforeExit', unsettled);
  process.exitCode = status;
  // All is done and written: what still holds the process, such as the timer of a package, is of no use to anybody.
  setTimeout(() => end(status), 300).unref();
});

function end(status) {
  // Not even exit() can take back what the system is at, such as the search for the address of a host.
  if (status === INTERRUPTED) process.kill(process.pid, 'SIGINT');
  else process.exit();
}

// Only then: the help of commander ends with whatever status it finds.
function unsettled() {
  process.exitCode = UNSETTLED;
}
