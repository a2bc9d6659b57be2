// Loads what a worker thread runs one file after another: `import` would open all of them at once, and where
// few may be open a thread could not start.
import { createRequire } from 'node:module';

createRequire(import.meta.url)('./worker.js');
