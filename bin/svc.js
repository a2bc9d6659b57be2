#!/usr/bin/env node
// No module: to load one, Node takes a twentieth of what a short traversal takes.
const { keepCode, main, processIo } = require('../dist/svc.cjs');

const INTERRUPTED = 130;
/** With this Node ends what waits for something that will not happen any more. */
const UNSETTLED = 13;

process.once('beforeExit', unsettled);
main(process.argv.slice(2), processIo).then((status) => {
  process.off('beforeExit', unsettled);
  process.exitCode = status;
  keepCode();
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
