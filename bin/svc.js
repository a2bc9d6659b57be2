#!/usr/bin/env node
import { processIo } from '../dist/cli/process/io.js';
import { main } from '../dist/cli/program/main.js';

process.exitCode = await main(process.argv.slice(2), processIo);
