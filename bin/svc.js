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
  if (status === INTERRUPTED) {
    // Not even exit() can take back the reading of a pipe that nobody writes to.
    setTimeout(() => process.kill(process.pid, 'SIGINT'), 300).unref();
  }
});

// Only then: the help of commander ends with whatever status it finds.
function unsettled() {
  process.exitCode = UNSETTLED;
}
